import type { RunMetric } from "#lib/contract/analysis-run.ts";

/** Returns the metric's explanation; undefined if it is empty or part of the verdict at the top of the page. */
export function findAddedExplanation(
  { explanation }: Pick<RunMetric, "explanation">,
  verdict: string,
): string | undefined {
  const words = explanation.trim().replace(/\.$/, "");
  return words === "" || verdict.toLowerCase().includes(words.toLowerCase()) ? undefined : explanation;
}
