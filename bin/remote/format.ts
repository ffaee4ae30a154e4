import stringWidth from "string-width";
import { stringify } from "yaml";
import { formatCoarsely } from "#lib/client/format-duration.ts";
import { cleanText } from "../clean-text.ts";
import { UsageError } from "../command-line.ts";

export const outputs = ["table", "json", "yaml"] as const;
export type Output = (typeof outputs)[number];

export function parseOutput(text: string | undefined): Output {
  const found = outputs.find((output) => output === (text ?? "table"));
  if (found === undefined) throw new UsageError(`--output must be ${outputs.join(", ")}, not ${JSON.stringify(text)}`);
  return found;
}

/** Formats rows below their heads, each column as wide as its longest cell. The last column may be as long as it is. */
export function formatTable(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [heads, ...rows.map((row) => row.map((cell) => cleanText(cell)))];
  const widths = heads.map((_, column) => Math.max(...lines.map((line) => stringWidth(line[column] ?? ""))));
  const pad = (cell: string, width: number) => cell + " ".repeat(Math.max(0, width - stringWidth(cell)));
  return lines
    .map((line) =>
      line
        .map((cell, column) => pad(cell, widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .map((line) => `${line}\n`)
    .join("");
}

/** Formats an answer of the API as it is. */
export function formatAnswer(answer: unknown, output: Exclude<Output, "table">): string {
  return output === "json" ? `${JSON.stringify(answer, null, 2)}\n` : stringify(answer);
}

/**
 * Formats one of a stream of answers, so that a reader can tell where each begins and has it as soon as it is printed: a
 * line of JSON, or a YAML document behind a line `---`.
 */
export function formatStreamed(answer: unknown, output: Exclude<Output, "table">): string {
  return output === "json" ? `${JSON.stringify(answer)}\n` : `---\n${stringify(answer)}`;
}

const bars = [..."▁▂▃▄▅▆▇█"];

/** Draws values as bars from the smallest to the largest; `·` is a value that is no number. */
export function drawSparkline(values: readonly (number | null)[]): string {
  const numbers = values.filter((value) => value !== null && Number.isFinite(value)) as number[];
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)];
  return values
    .map((value) => {
      if (value === null || !Number.isFinite(value)) return "·";
      if (most === least) return bars[3];
      return bars[Math.round(((value - least) / (most - least)) * (bars.length - 1))];
    })
    .join("");
}

/** Formats how long before `nowMs` it was, in one unit, rounded down: "14 min". */
export function formatAge(at: string, nowMs: number): string {
  return formatCoarsely(nowMs - Date.parse(at));
}
