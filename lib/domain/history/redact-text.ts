export const redacted = "[redacted]";

const credentials = /\b(Bearer|Basic|Token|ApiKey)(\s+|%20)(?!\{\{)([A-Za-z0-9._~+/=:-]{4,})/gi;
const userInfo = /\b([a-z][a-z0-9+.-]*:\/\/)([^\s/?#@"'<>]+)@/gi;
const secretWords =
  "access[_-]?token|refresh[_-]?token|id[_-]?token|auth[_-]?token|token|api[_-]?key|app[_-]?key|application[_-]?key|" +
  "access[_-]?key|client[_-]?secret|secret|password|passwd|pwd|signature|sig|x-amz-signature|x-amz-security-token|key|auth";
const queryParameter = new RegExp(`([?&](?:${secretWords})=)(?!\\{\\{)[^&\\s"'#<>]+`, "gi");
const candidate = /[?&@]|bearer|basic|token|apikey/i;

/**
 * Cuts credentials out of free text: `Bearer x` and `Basic x`, user and password in URLs, and query parameters whose
 * name says that they are secret. Placeholders such as `{{args.token}}` stay.
 */
export function redactText(text: string): string {
  if (!candidate.test(text)) return text;
  return text
    .replace(credentials, (whole, scheme: string, gap: string, value: string) =>
      isCredential(scheme, value) ? `${scheme}${gap}${redacted}` : whole,
    )
    .replace(userInfo, `$1${redacted}@`)
    .replace(queryParameter, `$1${redacted}`);
}

/** "basic" and "token" are also words of prose: what follows them must look like a credential. */
function isCredential(scheme: string, value: string): boolean {
  return scheme.toLowerCase() === "bearer" || /[0-9=]|.[A-Z]/.test(value);
}
