import type { Measurement } from "#lib/contract/analysis-run.ts";

/** Returns a word for a measurement that is not on the scale. */
export function nameValue({ parsed, finishedAt, phase, value }: Measurement): string {
  if (finishedAt === null) return "measuring";
  switch (parsed.kind) {
    case "nan":
      return "NaN";
    case "+inf":
      return "+Inf";
    case "-inf":
      return "-Inf";
    case "array":
      return nameList(value);
    case "object":
      return "object";
    case "string":
      return "text";
    case "empty":
      if (value === null && phase === "Successful") return "no value";
      return value === null && phase === "Error" ? "error" : "empty";
    default:
      return phase === "Error" ? "error" : "not a number";
  }
}

/** Returns a list's word. A list is plotted by its first element; if that is not a number, its word is used. */
function nameList(value: string | null): string {
  if (/^[[\]\s]*$/.test(value ?? "")) return "empty";
  const first = /^\[+\s*([^\s,\]]+)/.exec(value ?? "")?.[1];
  if (first === "NaN" || first === "+Inf" || first === "-Inf") return first;
  return first === "Inf" ? "+Inf" : "list";
}
