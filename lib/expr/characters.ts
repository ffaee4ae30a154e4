const letter = /\p{L}/u;
const digit = /\p{Nd}/u;
const wideSpaces = new Set([0x85, 0xa0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000]);

/** Character classes of expr's lexer (parser/utils/utils.go); undefined means the end of the text. */
export function isSpace(char: string | undefined): boolean {
  if (char === undefined) return false;
  const code = char.charCodeAt(0);
  if (code <= 0x20) return code === 0x20 || (code >= 0x09 && code <= 0x0d);
  return code >= 0x80 && ((code >= 0x2000 && code <= 0x200a) || wideSpaces.has(code));
}

export function isAlphabetic(char: string | undefined): boolean {
  return char !== undefined && (char === "_" || char === "$" || letter.test(char));
}

export function isAlphaNumeric(char: string | undefined): boolean {
  return isAlphabetic(char) || (char !== undefined && digit.test(char));
}

export function isValidIdentifier(text: string): boolean {
  const [first, ...rest] = Array.from(text);
  return isAlphabetic(first) && rest.every(isAlphaNumeric);
}
