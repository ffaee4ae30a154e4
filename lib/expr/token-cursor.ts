import { ExpressionError, positionOf } from "./errors.ts";
import { maxInt64, type Parsed, parseGoFloat, parseGoInt } from "./go-number.ts";
import { goQuote } from "./go-quote.ts";
import type { Language } from "./language.ts";
import { describeToken, type Token, type TokenKind, tokenize } from "./lexer.ts";

/** Walks over the tokens of an expression and reports errors at a token. */
export class TokenCursor {
  protected readonly characters: readonly string[];
  protected readonly tokens: readonly Token[];
  protected readonly language: Language;
  protected readonly isOlder: boolean;
  protected index = 0;
  readonly #error: ExpressionError | undefined;

  constructor(characters: readonly string[], language: Language) {
    this.characters = characters;
    this.language = language;
    this.isOlder = language === "1.15.5";
    const { tokens, error } = tokenize(characters, language);
    // Version 1.15.5 finds every token before it parses.
    if (error !== undefined && this.isOlder) throw error;
    this.tokens = tokens;
    this.#error = error;
  }

  protected get current(): Token {
    const token = this.tokens[this.index];
    if (token === undefined) throw this.#error ?? this.fail("unexpected end of expression");
    return token;
  }

  protected next(): Token {
    const token = this.current;
    this.index++;
    return token;
  }

  protected is(kind: TokenKind, value?: string): boolean {
    const token = this.current;
    return token.kind === kind && (value === undefined || token.value === value);
  }

  protected accept(kind: TokenKind, value: string): boolean {
    const matches = this.is(kind, value);
    if (matches) this.index++;
    return matches;
  }

  protected expect(kind: TokenKind, value?: string): Token {
    if (!this.is(kind, value)) this.unexpected(this.current);
    return this.next();
  }

  protected unexpected(token: Token): never {
    this.fail(`unexpected token ${describeToken(token)}`, token);
  }

  protected fail(message: string, token?: Token): never {
    const at = (token ?? this.tokens.at(-1))?.at ?? 0;
    throw new ExpressionError("syntax", message, positionOf(this.characters, at));
  }
}

/**
 * Parses a number token: whole numbers are bigint (Go int), others are number (Go float64). Error texts are those of
 * expr's parser (parser/parser.go `parseSecondary`). Version 1.15.5 has neither 0b and 0o nor a capital 0X.
 */
export function parseNumber(token: string, language: Language): Parsed<bigint | number> {
  const isOlder = language === "1.15.5";
  const text = token.replaceAll("_", "");
  const lower = text.toLowerCase();
  if ((isOlder ? text : lower).startsWith("0x")) return prefixed(text, /^0x[0-9a-f]+$/i, "hex");
  if (/[.e]/.test(lower)) {
    const parsed = parseGoFloat(text);
    return "error" in parsed ? { error: `invalid float literal: ${parsed.error}` } : parsed;
  }
  if (lower.startsWith("0b") && !isOlder) return prefixed(text, /^0b[01]+$/i, "binary");
  if (lower.startsWith("0o") && !isOlder) return prefixed(text, /^0o[0-7]+$/i, "octal");
  const parsed = parseGoInt(text);
  return "error" in parsed ? { error: `invalid integer literal: ${parsed.error}` } : parsed;
}

function prefixed(text: string, valid: RegExp, name: string): Parsed<bigint> {
  const failure = (reason: string): Parsed<bigint> => ({
    error: `invalid ${name} literal: strconv.ParseInt: parsing ${goQuote(text)}: ${reason}`,
  });
  if (!valid.test(text)) return failure("invalid syntax");
  if (text.length > 70) return failure("value out of range");
  const value = BigInt(text);
  return value > maxInt64 ? failure("value out of range") : { value };
}
