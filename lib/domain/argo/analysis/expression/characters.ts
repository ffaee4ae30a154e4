const letter = /\p{L}/u;
const digit = /\p{Nd}/u;
const space = /[\t\n\v\f\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;

/** Character classes of expr's lexer (parser/utils/utils.go); undefined stands for the end of the text. */
export function isSpace(char: string | undefined): boolean {
  return char !== undefined && space.test(char);
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
