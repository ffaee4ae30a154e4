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

const simpleEscapes: ReadonlyMap<string, string> = new Map([
  ["a", "\u0007"],
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
  ["v", "\v"],
  ["\\", "\\"],
  ["'", "'"],
  ['"', '"'],
  ["`", "`"],
  ["?", "?"],
]);
const failure = "unable to unescape string";

type Escape = { readonly code: number; readonly length: number } | { readonly error: string };

/**
 * Returns the text between the quotes with escapes replaced, or the reason for failure (expr parser/lexer/utils.go
 * `unescape`). Line ends become \n.
 */
export function unescapeString(body: string): { readonly value: string } | { readonly error: string } {
  const text = body.replace(/\r\n?/g, "\n");
  let out = "";
  for (let index = 0; index < text.length; ) {
    const char = text[index] ?? "";
    if (char !== "\\") {
      out += char;
      index++;
      continue;
    }
    const decoded = readEscape(text.slice(index + 1, index + 12), true);
    if ("error" in decoded) return decoded;
    out += String.fromCodePoint(isSurrogate(decoded.code) ? 0xfffd : decoded.code);
    index += 1 + decoded.length;
  }
  return { value: out };
}

/** Does the same as `unescapeString` for a bytes literal: \x and octal escapes are single bytes; \u does not exist. */
export function unescapeBytes(body: string): { readonly value: Uint8Array } | { readonly error: string } {
  const text = body.replace(/\r\n?/g, "\n");
  const bytes: number[] = [];
  for (let index = 0; index < text.length; ) {
    const code = text.codePointAt(index) ?? 0;
    if (code !== 0x5c) {
      bytes.push(...new TextEncoder().encode(String.fromCodePoint(code)));
      index += code > 0xffff ? 2 : 1;
      continue;
    }
    const decoded = readEscape(text.slice(index + 1, index + 12), false);
    if ("error" in decoded) return decoded;
    if (decoded.code > 0xff) return { error: failure };
    bytes.push(decoded.code);
    index += 1 + decoded.length;
  }
  return { value: Uint8Array.from(bytes) };
}

/** Reads the escape sequence after a backslash. */
function readEscape(text: string, hasUnicode: boolean): Escape {
  const kind = text[0];
  if (kind === undefined) return { error: `${failure}, found '\\' as last character` };
  const simple = simpleEscapes.get(kind);
  if (simple !== undefined) return { code: simple.charCodeAt(0), length: 1 };
  if (kind === "x" || kind === "X") return hex(text, 2);
  if (hasUnicode && kind === "u") return text[1] === "{" ? braced(text) : hex(text, 4);
  if (hasUnicode && kind === "U") return hex(text, 8);
  if (kind >= "0" && kind <= "3") {
    const octal = /^[0-3][0-7]{2}/.exec(text)?.[0];
    if (octal === undefined) return { error: "unable to unescape octal sequence in string" };
    return { code: Number.parseInt(octal, 8), length: 3 };
  }
  return { error: failure };
}

function hex(text: string, digits: number): Escape {
  const body = text.slice(1, 1 + digits);
  if (body.length !== digits || !/^[0-9a-fA-F]+$/.test(body)) return { error: failure };
  return bounded(Number.parseInt(body, 16), 1 + digits);
}

function braced(text: string): Escape {
  const body = /^u\{([0-9a-fA-F]{1,6})\}/.exec(text);
  if (body?.[1] === undefined) return { error: failure };
  return bounded(Number.parseInt(body[1], 16), body[0].length);
}

function bounded(code: number, length: number): Escape {
  return code > 0x10ffff ? { error: failure } : { code, length };
}

function isSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdfff;
}
