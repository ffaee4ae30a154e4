import type { AnalysisRunDetail } from "#lib/contract/analysis-run.ts";

type Summaries = Pick<AnalysisRunDetail, "runSummary" | "dryRunSummary">;

const words = { successful: "successful", failed: "failed", inconclusive: "inconclusive", error: "in error" } as const;

/** Describes how the metrics of a run ended as the controller counted them, such as "4 metrics: 3 successful, 1 failed". */
export function describeSummary({ runSummary, dryRunSummary }: Summaries): string[] {
  return [countEnds(runSummary, "metric"), countEnds(dryRunSummary, "dry run")].filter((text) => text !== undefined);
}

function countEnds(summary: Summaries["runSummary"], what: string): string | undefined {
  const count = summary?.count ?? 0;
  if (summary === null || count === 0) return undefined;
  const parts = Object.entries(words).flatMap(([key, word]) => {
    const number = summary[key] ?? 0;
    return number === 0 ? [] : [`${number} ${word}`];
  });
  return [`${count} ${what}${count === 1 ? "" : "s"}`, ...(parts.length === 0 ? [] : [parts.join(", ")])].join(": ");
}
