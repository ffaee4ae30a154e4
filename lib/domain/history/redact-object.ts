import { redacted, redactText } from "./redact-text.ts";

const secretName =
  /(^|[-_. ])(authorization|cookie|token|secret|password|passwd|passphrase|pwd|credentials?|api[-_]?key|app[-_]?key|application[-_]?key|access[-_]?key|private[-_]?key|auth)$/i;
const secretCamelName =
  /(token|secret|password|passphrase|apikey|appkey|applicationkey|accesskey|accesskeyid|privatekey|authorization)$/i;
const lastApplied = "kubectl.kubernetes.io/last-applied-configuration";

/**
 * The object as it may be stored and shown: `managedFields` and last-applied annotations are gone; literal secrets in
 * headers, arguments, environment variables, provider settings, URLs and messages are replaced by `[redacted]`.
 * References to Secrets (`secretKeyRef`) and placeholders (`{{args.token}}`) stay. The input is not changed.
 */
export function redactObject(object: unknown): unknown {
  return redactValue(object, "");
}

/** Whether a header, argument, variable or field of that name holds a secret. */
export function isSecretName(name: string): boolean {
  return secretName.test(name) || (/[a-z][A-Z]/.test(name) && secretCamelName.test(name)) || /^(sig|jwt)$/i.test(name);
}

function redactValue(value: unknown, key: string): unknown {
  if (typeof value === "string") return isSecretName(key) && !isPlaceholder(value) ? redacted : redactText(value);
  if (Array.isArray(value)) return value.map((item) => redactValue(item, key));
  if (value === null || typeof value !== "object") return value;
  return redactFields(value, key);
}

function redactFields(fields: object, key: string): object {
  const entries = Object.entries(fields).filter(
    ([name]) => !(key === "metadata" && name === "managedFields") && !(key === "annotations" && name === lastApplied),
  );
  const label = labelOf(fields);
  const fromSecret = isFromSecret(fields);
  return Object.fromEntries(
    entries.flatMap(([name, value]) => {
      if (name !== "value") return [[name, redactValue(value, name)]];
      // What came from a Secret is never stored, not even as a mark of its length.
      if (fromSecret) return [];
      const hidden = label !== undefined && isSecretName(label) && typeof value === "string" && !isPlaceholder(value);
      return [[name, hidden ? redacted : redactValue(value, name)]];
    }),
  );
}

/** Headers are `{key, value}`; arguments and environment variables `{name, value}`. */
function labelOf(fields: object): string | undefined {
  if ("key" in fields && typeof fields.key === "string") return fields.key;
  return "name" in fields && typeof fields.name === "string" ? fields.name : undefined;
}

function isFromSecret(fields: object): boolean {
  if (!("valueFrom" in fields) || typeof fields.valueFrom !== "object" || fields.valueFrom === null) return false;
  return "secretKeyRef" in fields.valueFrom && fields.valueFrom.secretKeyRef != null;
}

/** A template such as `Bearer {{args.token}}` or a plain boolean or empty text: nothing to hide. */
function isPlaceholder(value: string): boolean {
  return value === "" || /^\s*((Bearer|Basic|Token)\s+)?\{\{[^{}]*\}\}\s*$/i.test(value);
}
