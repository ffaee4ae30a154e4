import { isAlphaNumeric, isSpace } from "./characters.ts";
import { ExpressionError, isExpressionError, positionOf } from "./errors.ts";
import { goQuote, unescapeBytes, unescapeString } from "./go-quote.ts";
import type { Language } from "./language.ts";

export type TokenKind = "Identifier" | "Number" | "String" | "Bytes" | "Operator" | "Bracket" | "EOF";

export type Token = {
  readonly kind: TokenKind;
  readonly value: string;
  /** Offset in characters (not UTF-16 units). */
  readonly at: number;
  readonly bytes?: Uint8Array;
};

const wordOperators = new Set(["in", "or", "and", "matches", "contains", "startsWith", "endsWith", "let"]);
const branchWords = new Set(["if", "else"]);
const negatedWords = new Set(["in", "matches", "contains", "startsWith", "endsWith"]);

/**
 * Splits an expression into tokens as expr v1.17.8 does (parser/lexer: `root` and its states). Ends with one EOF token
 * or, if the text cannot be split further, with an error that the parser throws once it gets there. Version 1.15.5 has
 * neither texts in backticks nor bytes, `if`, `::` and `\\u{...}`.
 */
export function tokenize(
  characters: readonly string[],
  language: Language,
): {
  readonly tokens: readonly Token[];
  readonly error?: ExpressionError;
} {
  const lexer = new Lexer(characters, language);
  try {
    return { tokens: lexer.run() };
  } catch (error) {
    if (isExpressionError(error)) return { tokens: lexer.tokens, error };
    throw error;
  }
}

/** Describes a token as error texts do: `Operator("=")`, `EOF`. */
export function describeToken(token: Token): string {
  const value = token.kind === "Bytes" ? String.fromCharCode(...(token.bytes ?? [])) : token.value;
  return value === "" ? token.kind : `${token.kind}(${goQuote(value)})`;
}

class Lexer {
  readonly #chars: readonly string[];
  readonly #isOlder: boolean;
  readonly tokens: Token[] = [];
  #start = 0;
  #end = 0;

  constructor(characters: readonly string[], language: Language) {
    this.#chars = characters;
    this.#isOlder = language === "1.15.5";
  }

  run(): readonly Token[] {
    for (;;) {
      const char = this.#chars[this.#end];
      if (char === undefined) break;
      this.#end++;
      if (isSpace(char)) this.#start = this.#end;
      else this.#token(char);
    }
    this.tokens.push({ kind: "EOF", value: "", at: Math.max(0, this.#end - 1) });
    return this.tokens;
  }

  #token(char: string): void {
    if (char === "'" || char === '"') this.#string(char);
    else if (char === "`" && !this.#isOlder) this.#rawString();
    else if (this.#isBytes(char)) this.#bytes();
    else if (char >= "0" && char <= "9") this.#number();
    else if (char === "?") this.#operator(".?");
    else if (char === "/") this.#slash();
    else if (char === "#") this.#pointer();
    else if (char === "|") this.#operator("|");
    else if (char === ":") this.#operator(this.#isOlder ? "" : ":");
    else if ("([{)]}".includes(char)) this.#emit("Bracket");
    else if (",;%+-^".includes(char)) this.#emit("Operator");
    else if ("&!=*<>".includes(char)) this.#operator("&=*");
    else if (char === ".") this.#dot();
    else if (isAlphaNumeric(char)) this.#word();
    else this.#fail(`unrecognized character: ${describeCharacter(char)}`);
  }

  #isBytes(char: string): boolean {
    if (this.#isOlder || (char !== "b" && char !== "B")) return false;
    return this.#peek() === "'" || this.#peek() === '"';
  }

  #peek(): string | undefined {
    return this.#chars[this.#end];
  }

  #accept(valid: string): boolean {
    const char = this.#peek();
    if (char === undefined || !valid.includes(char)) return false;
    this.#end++;
    return true;
  }

  #acceptRun(valid: string): void {
    while (this.#accept(valid));
  }

  #text(): string {
    return this.#chars.slice(this.#start, this.#end).join("");
  }

  #emit(kind: TokenKind, value: string = this.#text(), bytes?: Uint8Array): void {
    this.tokens.push({ kind, value, at: this.#start, bytes });
    this.#start = this.#end;
  }

  #operator(second: string): void {
    this.#accept(second);
    this.#emit("Operator");
  }

  #fail(message: string): never {
    throw new ExpressionError("syntax", message, positionOf(this.#chars, this.#end - 1));
  }

  #string(quote: string): void {
    this.#scanString(quote);
    const unescaped = unescapeString(this.#chars.slice(this.#start + 1, this.#end - 1).join(""));
    if ("error" in unescaped) this.#fail(unescaped.error);
    else this.#emit("String", unescaped.value);
  }

  #bytes(): void {
    const quote = this.#peek() ?? "";
    this.#end++;
    this.#scanString(quote);
    const unescaped = unescapeBytes(this.#chars.slice(this.#start + 2, this.#end - 1).join(""));
    if ("error" in unescaped) this.#fail(unescaped.error);
    else this.#emit("Bytes", "", unescaped.value);
  }

  /** Scans to the closing quote; only the length of escapes is checked here. */
  #scanString(quote: string): void {
    for (;;) {
      const char = this.#peek();
      if (char === undefined || char === "\n") this.#fail("literal not terminated");
      this.#end++;
      if (char === quote) return;
      if (char === "\\") this.#scanEscape(quote);
    }
  }

  #scanEscape(quote: string): void {
    const char = this.#peek();
    this.#end++;
    if (char !== undefined && (char === quote || "abfnrtv\\".includes(char))) return;
    if (char !== undefined && char >= "0" && char <= "7") this.#scanDigits(/^[0-7]$/, 2);
    else if (char === "x") this.#scanDigits(/^[0-9a-fA-F]$/, 2);
    else if (char === "u" && this.#peek() === "{" && !this.#isOlder) this.#scanBraces();
    else if (char === "u") this.#scanDigits(/^[0-9a-fA-F]$/, 4);
    else if (char === "U") this.#scanDigits(/^[0-9a-fA-F]$/, 8);
    else this.#fail("invalid char escape");
  }

  #scanDigits(valid: RegExp, count: number): void {
    for (let index = 0; index < count; index++) {
      if (!valid.test(this.#peek() ?? "")) this.#fail("invalid char escape");
      this.#end++;
    }
  }

  #scanBraces(): void {
    const rest = this.#chars.slice(this.#end, this.#end + 8).join("");
    const body = /^\{[0-9a-fA-F]{1,6}\}/.exec(rest)?.[0];
    if (body === undefined) this.#fail("invalid char escape");
    this.#end += body.length;
  }

  /** Scans a text in backticks: no escapes; two backticks mean one. */
  #rawString(): void {
    let value = "";
    for (;;) {
      const char = this.#peek();
      if (char === undefined) this.#fail("literal not terminated");
      this.#end++;
      if (char === "`") {
        if (this.#peek() !== "`") break;
        this.#end++;
      }
      value += char;
    }
    this.#emit("String", value);
  }

  #number(): void {
    this.#end--;
    let digits = "0123456789_";
    if (this.#accept("0")) {
      if (this.#accept("xX")) digits = "0123456789abcdefABCDEF_";
      else if (this.#accept("oO")) digits = "01234567_";
      else if (this.#accept("bB")) digits = "01_";
    }
    this.#acceptRun(digits);
    if (this.#peek() === "." && this.#chars[this.#end + 1] === ".") {
      this.#emit("Number");
      return;
    }
    if (this.#accept(".")) this.#acceptRun(digits);
    if (this.#accept("eE")) {
      this.#accept("+-");
      this.#acceptRun(digits);
    }
    if (isAlphaNumeric(this.#peek())) {
      this.#end++;
      this.#fail(`bad number syntax: ${goQuote(this.#text())}`);
    }
    this.#emit("Number");
  }

  #dot(): void {
    const next = this.#peek();
    if (next !== undefined && next >= "0" && next <= "9") this.#number();
    else this.#operator(".");
  }

  #word(): void {
    while (isAlphaNumeric(this.#peek())) this.#end++;
    const text = this.#text();
    if (text === "not") this.#not();
    else {
      const isOperator = wordOperators.has(text) || (!this.#isOlder && branchWords.has(text));
      this.#emit(isOperator ? "Operator" : "Identifier");
    }
  }

  /** Looks past blanks after `not`, so that `not in` makes two operators even if `in` would not be one without it. */
  #not(): void {
    this.#emit("Operator");
    this.#acceptRun(" ");
    this.#start = this.#end;
    while (isAlphaNumeric(this.#peek())) this.#end++;
    if (negatedWords.has(this.#text())) this.#emit("Operator");
    else this.#end = this.#start;
  }

  #slash(): void {
    if (this.#accept("/")) {
      while (this.#peek() !== undefined && this.#peek() !== "\n") this.#end++;
      this.#start = this.#end;
    } else if (this.#accept("*")) this.#comment();
    else this.#emit("Operator");
  }

  #comment(): void {
    for (;;) {
      const char = this.#peek();
      if (char === undefined) this.#fail("unclosed comment");
      this.#end++;
      if (char === "*" && this.#accept("/")) break;
    }
    this.#start = this.#end;
  }

  #pointer(): void {
    this.#operator("#");
    while (isAlphaNumeric(this.#peek())) this.#end++;
    if (this.#end > this.#start) this.#emit("Identifier");
  }
}

/** Formats as Go's `%#U` verb: U+0040 '@'. */
function describeCharacter(char: string): string {
  const hex = (char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  return /[\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.test(char) ? `U+${hex} '${char}'` : `U+${hex}`;
}
