export type TextPart = { text: string; href?: string };

const address = /https?:\/\/[^\s<>"'`\\^{|}\p{Cc}\p{Cf}]+/giu;
/** Characters that end a sentence rather than an address. */
const trailing = /(?<![.,;:!?)\]])[.,;:!?)\]]+$/;

/**
 * Splits text from a cluster into plain text and http(s) addresses. An address with a user part stays text:
 * `https://bank.example@evil.example` looks like one host and leads to another.
 */
export function splitLinks(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let end = 0;
  for (const match of text.matchAll(address)) {
    const shown = match[0].replace(trailing, "");
    const href = parseHref(shown);
    if (href === undefined) continue;
    if (match.index > end) parts.push({ text: text.slice(end, match.index) });
    parts.push({ text: shown, href });
    end = match.index + shown.length;
  }
  if (end < text.length) parts.push({ text: text.slice(end) });
  return parts;
}

function parseHref(text: string): string | undefined {
  try {
    const url = new URL(text);
    const isSafe =
      (url.protocol === "http:" || url.protocol === "https:") && url.username === "" && url.password === "";
    return isSafe ? url.href : undefined;
  } catch {
    return undefined;
  }
}
