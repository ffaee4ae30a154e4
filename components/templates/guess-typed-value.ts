import type { EvaluateRequest } from "#lib/contract/analysis-engine.ts";

const number = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
const special = /^(?:NaN|[+-]Inf)$/;

/** Returns the result that a condition would see for a recorded or typed text, as far as the text tells. */
export function guessTypedValue(text: string, provider: string | null): EvaluateRequest["result"] {
  const trimmed = text.trim();
  if (provider !== "web") {
    const single = readNumber(trimmed);
    if (single !== undefined) return { type: "float64", value: single };
    const list = readList(trimmed);
    if (list !== undefined) return { type: "[]float64", value: list };
  }
  try {
    return { type: "json", value: JSON.parse(trimmed) as unknown };
  } catch {
    return { type: "string", value: trimmed };
  }
}

function readNumber(text: string): number | string | undefined {
  if (special.test(text)) return text;
  return number.test(text) ? Number(text) : undefined;
}

function readList(text: string): (number | string)[] | undefined {
  const inner = /^\[([^[\]{}"]*)\]$/.exec(text)?.[1];
  if (inner === undefined) return undefined;
  const values = inner.split(/[\s,]+/).filter((part) => part !== "");
  const numbers = values.map(readNumber);
  return numbers.every((value) => value !== undefined) ? numbers : undefined;
}
