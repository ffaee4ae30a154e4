import { maxInt64, type Parsed, parseGoFloat, parseGoInt } from "./go-number.ts";
import { goQuote } from "./go-quote.ts";
import type { Language } from "./language.ts";

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
