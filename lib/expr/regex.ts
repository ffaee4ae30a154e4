import { RE2JS } from "re2js";
import type { Budget } from "./budget.ts";
import { budgetError, runtimeError } from "./errors.ts";

const maxPatternLength = 1_000;
const maxProgramSize = 3_000;

/** A Unicode class is a long table, and case folding makes it longer. */
const unicodeClassSize = 100;

/** A compiled pattern and the size of its unrolled repetitions, which limits the work per character. */
export type CompiledRegex = { readonly pattern: RE2JS; readonly size: number };

/** Literal patterns are compiled with the expression, so they share one limit. */
export class PatternTally {
  #size = 0;

  compile(pattern: string): CompiledRegex {
    this.#size += checkRegexSize(pattern);
    if (this.#size > maxProgramSize) throw budgetError("regular expressions are too large taken together");
    return compileRegex(pattern);
  }
}

/** Refuses a pattern whose unrolled repetitions would make a program too large to run within the budget. */
function checkRegexSize(pattern: string): number {
  if (pattern.length > maxPatternLength) throw budgetError(`regular expression is longer than ${maxPatternLength}`);
  const size = unfoldedSize(pattern);
  if (size > maxProgramSize) throw budgetError("regular expression is too large once its repetitions are unfolded");
  return size;
}

/** Compiles a Go (RE2) pattern; errors carry Go's text. */
export function compileRegex(pattern: string): CompiledRegex {
  const size = checkRegexSize(pattern);
  try {
    return { pattern: RE2JS.compile(pattern), size };
  } catch (error) {
    throw runtimeError(error instanceof Error ? error.message : String(error));
  }
}

/** Returns true if the pattern occurs anywhere in the text. */
export function matchesRegex({ pattern, size }: CompiledRegex, text: string, budget: Budget): boolean {
  budget.spend(1 + Math.ceil((text.length * (size + 10)) / 10));
  return pattern.matcher(text).find();
}

/**
 * Returns an upper bound for the instructions of a compiled pattern. It is not a parser: brackets may be unbalanced.
 */
function unfoldedSize(pattern: string): number {
  const groups: number[] = [];
  let size = 0;
  let last = 0;
  for (let index = 0; index < pattern.length; index++) {
    const char = pattern[index];
    const repeat = char === "{" ? /^\{(\d{1,4})(?:,(\d{0,4}))?\}/.exec(pattern.slice(index, index + 12)) : null;
    if (repeat !== null) {
      const times = Math.max(Number(repeat[1]), Number(repeat[2] || 0), 1) + 1;
      size += last * (times - 1);
      last *= times;
      index += repeat[0].length - 1;
    } else if (char === "(") {
      groups.push(size);
      last = 0;
    } else if (char === ")") last = size - (groups.pop() ?? 0);
    else {
      const isUnicodeClass = char === "\\" && /[pP]/.test(pattern[index + 1] ?? "");
      if (char === "\\") index++;
      last = isUnicodeClass ? unicodeClassSize : 2;
      size += last;
    }
  }
  return size;
}
