export type TextPart = { text: string; isMatch: boolean };

/** Splits a text at every match of the words, ignoring case. Without words it stays whole. */
export function splitMatches(text: string, wanted: string): TextPart[] {
  const parts: TextPart[] = [];
  const needle = wanted.toLowerCase();
  const lower = text.toLowerCase();
  // If lower case changes the length, the positions do not match.
  if (needle === "" || lower.length !== text.length) return [{ text, isMatch: false }];
  let from = 0;
  for (let at = lower.indexOf(needle); at >= 0; at = lower.indexOf(needle, from)) {
    if (at > from) parts.push({ text: text.slice(from, at), isMatch: false });
    parts.push({ text: text.slice(at, at + needle.length), isMatch: true });
    from = at + needle.length;
  }
  if (from < text.length || parts.length === 0) parts.push({ text: text.slice(from), isMatch: false });
  return parts;
}

export function isMatch(text: string, wanted: string): boolean {
  return text.toLowerCase().includes(wanted.toLowerCase());
}
