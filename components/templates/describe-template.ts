import type { TemplateKind, TemplateMetric, TemplateSummary } from "#lib/contract/template.ts";

export function describeTemplateKind(kind: TemplateKind): string {
  if (kind === "MetricTemplate") return "Flagger metric";
  return kind === "ClusterAnalysisTemplate" ? "whole cluster" : "namespace";
}

/** Describes a template that the cluster no longer has. */
export function describeTemplateState({ presence }: Pick<TemplateSummary, "presence">): string | undefined {
  switch (presence) {
    case "live":
      return undefined;
    case "deleted":
      return "deleted from the cluster";
    case "absent":
      return "no longer in the cluster; its deletion was not observed";
  }
}

/** Describes how often a metric measures; mentions unset values, since they have a meaning too. */
export function describeMeasuring({ interval, count }: Pick<TemplateMetric, "interval" | "count">): string {
  const isEndless = count === null || count === "0";
  if (count === "1") return "once";
  if (interval === null) return isEndless ? "once" : `${count} times, no interval set`;
  return isEndless ? `every ${interval}, until the run ends` : `every ${interval}, ${count} times`;
}

/** Formats a limit as written; the controller treats an unset one as 0. */
export function describeLimit(limit: string | null): string {
  if (limit === null) return "0 (not set)";
  return /^-\d+$/.test(limit) ? `${limit}: no limit` : limit;
}
