/** The token that may come next. */
type Expected = "value" | "valueOrEnd" | "key" | "keyOrEnd" | "colon" | "end";

const cutShort = "unexpected end of JSON input";
const mostLevels = 10_000;
const literals: Readonly<Record<string, string>> = { t: "true", f: "false", n: "null" };

const escapes: Readonly<Record<string, string>> = {
  ...{ "'": "\\'", "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" },
  ...{ "\u0007": "\\a", "\b": "\\b", "\f": "\\f", "\v": "\\v" },
};

/** Returns the error of Go's encoding/json for text that is not JSON. Mirrors scanner.go of Go 1.26. */
export function describeJsonError(text: string): string {
  const open: ("{" | "[")[] = [];
  let expected: Expected = "value";
  let at = 0;
  for (;;) {
    while (" \t\r\n".includes(text[at] ?? "x")) at += 1;
    const char = text[at];
    if (char === undefined) return cutShort;
    const isEmpty = (expected === "keyOrEnd" && char === "}") || (expected === "valueOrEnd" && char === "]");
    if (isEmpty || (expected === "end" && closes(open.at(-1), char))) {
      open.pop();
      expected = "end";
      at += 1;
    } else if (expected === "end") {
      const inside = open.at(-1);
      if (inside === undefined || char !== ",") return invalid(text, at, afterValue(inside));
      expected = inside === "{" ? "key" : "value";
      at += 1;
    } else if (expected === "colon") {
      if (char !== ":") return invalid(text, at, "after object key");
      expected = "value";
      at += 1;
    } else if (expected === "key" || expected === "keyOrEnd") {
      if (char !== '"') return invalid(text, at, "looking for beginning of object key string");
      const end = skipString(text, at);
      if (typeof end === "string") return end;
      expected = "colon";
      at = end;
    } else if (char === "{" || char === "[") {
      open.push(char);
      if (open.length > mostLevels) return invalid(text, at, "exceeded max depth");
      expected = char === "{" ? "keyOrEnd" : "valueOrEnd";
      at += 1;
    } else {
      const end = skipScalar(text, at);
      if (typeof end === "string") return end;
      expected = "end";
      at = end;
    }
  }
}

function closes(open: "{" | "[" | undefined, char: string): boolean {
  return open === "{" ? char === "}" : open === "[" && char === "]";
}

function afterValue(open: "{" | "[" | undefined): string {
  if (open === undefined) return "after top-level value";
  return open === "{" ? "after object key:value pair" : "after array element";
}

/** Returns the end of the text, number or word that begins here, or the error in it. */
function skipScalar(text: string, start: number): number | string {
  const first = text[start] ?? "";
  if (first === '"') return skipString(text, start);
  const word = literals[first];
  if (word !== undefined) return skipWord(text, start, word);
  return isDigit(first) || first === "-"
    ? skipNumber(text, start)
    : invalid(text, start, "looking for beginning of value");
}

function skipString(text: string, start: number): number | string {
  for (let at = start + 1; at < text.length; at += 1) {
    const char = text[at] ?? "";
    if (char === '"') return at + 1;
    if (char < " ") return invalid(text, at, "in string literal");
    if (char !== "\\") continue;
    at += 1;
    const escaped = text[at] ?? "";
    if (escaped === "u") {
      const last = at + 4;
      for (at += 1; at <= last; at += 1)
        if (!/^[\da-f]$/i.test(text[at] ?? "")) return invalid(text, at, "in \\u hexadecimal character escape");
      at = last;
    } else if (escaped === "" || !'"\\/bfnrt'.includes(escaped)) return invalid(text, at, "in string escape code");
  }
  return cutShort;
}

function skipWord(text: string, start: number, word: string): number | string {
  for (let index = 1; index < word.length; index += 1) {
    const char = text[start + index];
    if (char !== word[index]) return invalid(text, start + index, `in literal ${word} (expecting '${word[index]}')`);
  }
  return start + word.length;
}

function skipNumber(text: string, start: number): number | string {
  let at = text[start] === "-" ? start + 1 : start;
  if (!isDigit(text[at])) return invalid(text, at, "in numeric literal");
  at = text[at] === "0" ? at + 1 : skipDigits(text, at);
  if (text[at] === ".") {
    at += 1;
    if (!isDigit(text[at])) return invalid(text, at, "after decimal point in numeric literal");
    at = skipDigits(text, at);
  }
  if (text[at] !== "e" && text[at] !== "E") return at;
  at += text[at + 1] === "+" || text[at + 1] === "-" ? 2 : 1;
  return isDigit(text[at]) ? skipDigits(text, at) : invalid(text, at, "in exponent of numeric literal");
}

function skipDigits(text: string, start: number): number {
  let at = start;
  while (isDigit(text[at])) at += 1;
  return at;
}

function isDigit(char: string | undefined): boolean {
  return char !== undefined && char >= "0" && char <= "9";
}

/** Go names the byte that does not fit, as if it were a character; after the last one it tries a space. */
function invalid(text: string, at: number, context: string): string {
  const char = String.fromCodePoint(text.codePointAt(at) ?? 0x20);
  const byte = String.fromCharCode(new TextEncoder().encode(char)[0] ?? 0);
  return `invalid character ${quote(byte)} ${context}`;
}

function quote(char: string): string {
  const code = char.charCodeAt(0);
  const hex = code.toString(16).padStart(2, "0");
  const isPrinted = code >= 0x20 && code !== 0x7f && (code < 0x80 || (code > 0xa0 && code !== 0xad));
  return `'${escapes[char] ?? (isPrinted ? char : code < 0x80 ? `\\x${hex}` : `\\u00${hex}`)}'`;
}
