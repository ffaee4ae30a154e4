import { isWithin, measureObject, objectLimits } from "./measure-object.ts";
import { hideSecrets, redacted, redactText } from "./redact-text.ts";

/** Annotations that hold whole copies of an object, secrets included. */
const copies = /last-applied|objectset\.rio\.cattle\.io\/applied$/;
const flag = /^--?([A-Za-z][\w.-]*)$/;

/**
 * Returns the object in a form that may be stored and shown. `managedFields` and last-applied annotations are removed.
 * Literal secrets in headers, arguments, environment variables, provider settings, URLs and messages become
 * `[redacted]`, as does every other occurrence of these secrets in the object. References to Secrets (`secretKeyRef`)
 * and placeholders (`{{args.token}}`) stay. The input is not changed.
 */
export function redactObject(object: unknown): unknown {
  return redactWithSecrets(object).value;
}

/** A redacted object, and the literal secrets found in it: its other texts, and related objects, may contain them too. */
export type Redaction = { value: unknown; secrets: readonly string[] };

/** Does the same as `redactObject` and also returns the secrets that it found. */
export function redactWithSecrets(object: unknown): Redaction {
  const found = new Set<string>();
  const value = redactValue(object, "", "", found);
  const secrets = [...found].flatMap(spellingsOf).toSorted((one, other) => other.length - one.length);
  return { value: secrets.length === 0 ? value : hideDeep(value, secrets), secrets };
}

/** An object with more text than this is not searched just for one message: that would take too long. */
const largestSearched = 512 * 1024;

/**
 * Redacts a text that an object reports about itself: secrets with a known format and secrets found in the object. A
 * text of an object that is too large to search is not shown.
 */
export function redactTextOf(object: unknown, text: string): string {
  if (text === "") return "";
  const { characters } = measureObject(object, { ...objectLimits, characters: largestSearched });
  if (characters > largestSearched) return `(not shown: its object has more than ${largestSearched} characters)`;
  return hideSecrets(redactText(text), redactWithSecrets(object).secrets);
}

/** A shorter word or number would match everywhere, so it is hidden only at its own position. */
const shortestSecret = 6;

function spellingsOf(text: string): string[] {
  const value = text.trim().replace(/^(Bearer|Basic|Token|ApiKey|Digest)\s+/i, "");
  if (value.length < shortestSecret || /^[-+.\d]+$/.test(value) || value.includes("{{")) return [];
  const encoded = value.isWellFormed() ? encodeURIComponent(value) : value;
  return encoded === value ? [value] : [value, encoded];
}

function redactValue(value: unknown, key: string, parent: string, found: Set<string>): unknown {
  if (typeof value === "string") {
    if (isSecretName(key) && !isPlaceholder(value)) return hide(value, found);
    return parent === "annotations" || key === "body" ? redactDocument(value, found) : redactText(value);
  }
  if (typeof value === "number" || typeof value === "bigint") return isSecretName(key) ? redacted : value;
  if (Array.isArray(value)) return redactList(value, key, found);
  if (value === null || typeof value !== "object") return value;
  return redactFields(value, key, found);
}

function hide(value: string, found: Set<string>): string {
  if (value !== redacted) found.add(value);
  return redacted;
}

/** Redacts a text that may be JSON, as annotations and bodies can be. Too large a document is redacted as a text. */
function redactDocument(text: string, found: Set<string>): string {
  if (/^\s*[[{]/.test(text)) {
    try {
      const document: unknown = JSON.parse(text);
      if (isWithin(measureObject(document))) return JSON.stringify(redactValue(document, "", "", found));
    } catch {
      return redactText(text);
    }
  }
  return redactText(text);
}

/** Redacts a list. In a command line, the secret is the word after its flag. */
function redactList(list: readonly unknown[], key: string, found: Set<string>): unknown[] {
  return list.map((item, index) => {
    const before = list[index - 1];
    if (typeof item !== "string" || typeof before !== "string") return redactValue(item, key, "", found);
    const name = flag.exec(before)?.[1];
    const isHidden = name !== undefined && isSecretName(name) && !item.startsWith("-") && !isPlaceholder(item);
    return isHidden ? hide(item, found) : redactValue(item, key, "", found);
  });
}

function redactFields(fields: object, key: string, found: Set<string>): object {
  const result: Record<string, unknown> = {};
  const label = labelOf(fields);
  const isFromReference = isFromSecret(fields);
  // Headers may also be one object, with their names as keys.
  const isHeaderMap = label === undefined && kindOf(key) === "header";
  for (const [name, value] of Object.entries(fields)) {
    if (key === "metadata" && name === "managedFields") continue;
    if (key === "annotations" && copies.test(name)) continue;
    if (isHeaderMap && typeof value === "string" && isSecretLabel(name, "header") && !isPlaceholder(value)) {
      put(result, name, hide(value, found));
      continue;
    }
    if (name !== "value") {
      put(result, name, redactValue(value, name, key, found));
      continue;
    }
    if (isFromReference) {
      // A value from a Secret is never stored, not even as a placeholder of its length.
      if (typeof value === "string") hide(value, found);
      continue;
    }
    const hidden = label !== undefined && typeof value === "string" && isSecretLabel(label, kindOf(key));
    put(result, name, hidden && !isPlaceholder(value) ? hide(value, found) : redactValue(value, name, key, found));
  }
  return result;
}

/** Sets a member safely: in foreign JSON, `__proto__` is an ordinary name. */
function put(target: Record<string, unknown>, name: string, value: unknown): void {
  if (name === "__proto__")
    Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
  else target[name] = value;
}

function kindOf(key: string): LabelKind {
  if (/headers$/i.test(key)) return "header";
  return key === "env" ? "variable" : "argument";
}

/** Returns an entry's name: headers are `{key, value}`; arguments and environment variables `{name, value}`. */
function labelOf(fields: object): string | undefined {
  if ("key" in fields && typeof fields.key === "string") return fields.key;
  return "name" in fields && typeof fields.name === "string" ? fields.name : undefined;
}

function isFromSecret(fields: object): boolean {
  if (!("valueFrom" in fields) || typeof fields.valueFrom !== "object" || fields.valueFrom === null) return false;
  return "secretKeyRef" in fields.valueFrom && fields.valueFrom.secretKeyRef != null;
}

/** Returns whether the value needs no hiding: a template such as `Bearer {{args.token}}`, or an empty text. */
function isPlaceholder(value: string): boolean {
  return value === "" || /^\s*((Bearer|Basic|Token|ApiKey)\s+)?\{\{[^{}]*\}\}\s*$/i.test(value);
}

function hideDeep(value: unknown, secrets: readonly string[]): unknown {
  if (typeof value === "string") return hideSecrets(value, secrets);
  if (Array.isArray(value)) return value.map((item) => hideDeep(item, secrets));
  if (value === null || typeof value !== "object") return value;
  const result: Record<string, unknown> = {};
  for (const [name, inner] of Object.entries(value)) put(result, name, hideDeep(inner, secrets));
  return result;
}

const words =
  "authorization|cookie|token|secret|password|passwd|passphrase|pwd|credentials?|api[-_]?key|app[-_]?key|" +
  "application[-_]?key|access[-_]?key|access[-_]?key[-_]?id|private[-_]?key|auth";
const secretName = new RegExp(`(^|[-_. /])(${words})$`, "i");
const secretCamelName =
  /(token|secret|password|passphrase|apikey|appkey|applicationkey|accesskey|accesskeyid|privatekey|authorization)$/i;
const shortNames = /^(sig|jwt|pass|dsn)$/i;
const keyName = /(^|[-_. /])(key|keys|tokens|secrets|passwords|pass|dsn)$/i;
const variableName = /password|passwd|passphrase|secret|token|credential|(^|_)(key|keys|pass|pwd|auth|dsn|jwt)(_|$)/i;
const harmlessHeaders =
  /^(accept|accept-encoding|accept-language|cache-control|connection|content-encoding|content-language|content-length|content-type|host|origin|pragma|referer|user-agent|x-request-id|x-scope-orgid)$/i;

/** Returns whether a header, argument, variable, annotation or field with this name holds a secret. */
export function isSecretName(name: string): boolean {
  return secretName.test(name) || shortNames.test(name) || (/[a-z][A-Z]/.test(name) && secretCamelName.test(name));
}

/** What a name labels, which decides how much counts as a secret: every value of an unknown header does. */
type LabelKind = "header" | "variable" | "argument";

/** Returns whether the value next to such a label is a secret. */
export function isSecretLabel(name: string, kind: LabelKind): boolean {
  if (kind === "header") return !harmlessHeaders.test(name);
  if (isSecretName(name) || keyName.test(name)) return true;
  return kind === "variable" && variableName.test(name);
}
