import type { RunMetric } from "#lib/contract/analysis-run.ts";

/** Returns what the metric's explanation adds to the verdict at the top of the page; undefined if that says it. */
export function findAddedExplanation(
  { explanation }: Pick<RunMetric, "explanation">,
  verdict: string,
): string | undefined {
  const words = explanation.trim().replace(/\.$/, "");
  return words === "" || verdict.toLowerCase().includes(words.toLowerCase()) ? undefined : explanation;
}
