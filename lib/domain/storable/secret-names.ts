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
export type LabelKind = "header" | "variable" | "argument";

/** Returns whether the value next to such a label is a secret. */
export function isSecretLabel(name: string, kind: LabelKind): boolean {
  if (kind === "header") return !harmlessHeaders.test(name);
  if (isSecretName(name) || keyName.test(name)) return true;
  return kind === "variable" && variableName.test(name);
}
