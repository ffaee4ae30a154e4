const shortEscapes: Readonly<Record<string, string>> = {
  "\u0007": "\\a",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\v": "\\v",
  "\\": "\\\\",
  '"': '\\"',
};
const printable = /[\p{L}\p{M}\p{N}\p{P}\p{S} ]/u;

/** Quotes text as Go's strconv.Quote and the `%q` verb do. A lone surrogate counts as U+FFFD. */
export function goQuote(text: string): string {
  const quoted = text
    .toWellFormed()
    .replace(unusual, (chars) => Array.from(chars, (char) => shortEscapes[char] ?? escapeUnprintable(char)).join(""));
  return `"${quoted}"`;
}

/** Characters that may need an escape, in runs short enough to split. */
const unusual = /[^ !#-[\]-~]{1,1000}/gu;

function escapeUnprintable(char: string): string {
  if (printable.test(char)) return char;
  const code = char.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  if (code < 0x80) return `\\x${hex.padStart(2, "0")}`;
  return code < 0x10000 ? `\\u${hex.padStart(4, "0")}` : `\\U${hex.padStart(8, "0")}`;
}
