/** Makes text from a cluster or a server harmless for a terminal: no control characters, no change of direction, one line. */
export function cleanText(text: string): string {
  return text
    .replaceAll(/[\t\r\n\u2028\u2029]+/g, " ")
    .replaceAll(/[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, "\ufffd");
}
