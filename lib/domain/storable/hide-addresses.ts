const hidden = "(address not shown)";

/**
 * URLs, IP addresses with or without a port, and names that a DNS lookup or a port identifies as hosts. Each begins where
 * no character of its kind is in front: texts are long, and some are hostile.
 */
const addresses = [
  /(?<![a-z0-9+.-])[a-z0-9+.-]+:\/\/[^\s"'<>)\]]+/gi,
  /\[[0-9a-f.%]*:[0-9a-f:.%]*\](?::\d{1,5})?/gi,
  /\b\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?\b/g,
  /(?<![\w:])(?:(?:[0-9a-f]{1,4}:)+:|::[0-9a-f])(?::?[0-9a-f])*(?![\w:])|(?<![\w:])(?:[0-9a-f]{1,4}:){4,8}\d{1,5}(?![\w:])/gi,
  /(?<=\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|EHOSTUNREACH) )(?!\(address)[^\s,;()]+/g,
  /\blocalhost:\d{2,5}\b|(?<![a-z0-9.-])(?=[0-9.-]*[a-z])[a-z0-9-]*\.[a-z0-9.-]+:\d{2,5}\b/gi,
];

/** Removes server addresses from a text: any user may read the error, but not where a cluster listens. */
export function hideAddresses(text: string): string {
  return addresses.reduce((rest, pattern) => rest.replace(pattern, hidden), text);
}
