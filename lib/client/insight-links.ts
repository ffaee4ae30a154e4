import type { MetricFigures, ReleaseFigures, TemplateFigures } from "#lib/contract/insight.ts";
import type { ReleaseFigure, RunFigure } from "#lib/domain/insights/figures.ts";

/** The scope of figures, as filters of the lists. */
export type InsightScope = {
  cluster?: string;
  namespace?: string;
  kind?: string;
  rollout?: string;
  /** ISO 8601. */
  from: string;
  to: string;
};

/** A figure and the page that lists exactly the counted items. */
export type CountLink = { count: number; href: string };

type ReleaseFilter = { state?: string; figure?: ReleaseFigure; waitHour?: string; timeZone?: string };
type RunFilter = { phase?: string; figure?: RunFigure; metric?: string; ofTemplate?: string };

/** Returns the page of releases that began within the scope. */
export function insightReleasesHref({ rollout, ...scope }: InsightScope, filter: ReleaseFilter = {}): string {
  return pageHref("/releases", { ...scope, name: rollout, ...filter });
}

/** Returns the page of runs that were created within the scope. */
export function insightRunsHref(scope: InsightScope, filter: RunFilter): string {
  return pageHref("/analysis-runs", { ...scope, ...filter });
}

/** Returns the page of insights; without a period, of the last 30 days. */
export function insightsHref(
  scope: Partial<InsightScope> & { days?: string; metric?: string; template?: string },
): string {
  return pageHref("/insights", scope);
}

/** Links the figures of releases to their rows. */
export function linkReleases(figures: ReleaseFigures, scope: InsightScope) {
  const to = (count: number, filter?: ReleaseFilter): CountLink => ({
    count,
    href: insightReleasesHref(scope, filter),
  });
  return {
    releases: to(figures.releases),
    promoted: to(figures.promoted, { state: "promoted" }),
    aborted: to(figures.aborted, { state: "aborted" }),
    superseded: to(figures.superseded, { state: "superseded" }),
    unknown: to(figures.unknown, { state: "unknown" }),
    open: to(figures.open, { figure: "open" }),
    decided: to(figures.aborts.of, { figure: "decided" }),
    undone: to(figures.undone, { figure: "undone" }),
    inconclusive: to(figures.inconclusive.count, { figure: "inconclusive" }),
    failed: to(figures.changeFailure.count, { figure: "failed" }),
    recovered: to(figures.recovery.count, { figure: "recovered" }),
    unrecovered: to(figures.recovery.open, { figure: "unrecovered" }),
    ended: to(figures.waiting.ended, { figure: "ended" }),
    waited: to(figures.waiting.count, { figure: "waited" }),
    waitUnknown: to(figures.waiting.unknown, { figure: "waitUnknown" }),
    uncommitted: to(figures.leadTime.unknown, { figure: "uncommitted" }),
    committed: to(figures.leadTime.count, { figure: "committed" }),
  } satisfies Record<string, CountLink>;
}

/** Links the figures of a metric to its runs. */
export function linkMetric(row: MetricFigures, scope: InsightScope) {
  const own = { metric: row.metric, ofTemplate: row.template?.id ?? "none" };
  const to = (count: number, figure: RunFigure): CountLink => ({
    count,
    href: insightRunsHref({ ...scope, cluster: row.cluster }, { ...own, figure }),
  });
  return {
    runs: to(row.runs, "measured"),
    successful: to(row.successful, "successful"),
    failed: to(row.failed, "failed"),
    inconclusive: to(row.inconclusive, "inconclusive"),
    error: to(row.error, "error"),
    nan: to(row.nans.runs, "nan"),
    nanUnknown: to(row.nans.unknownRuns, "nanUnknown"),
    margin: to(row.margin?.runs ?? 0, "margin"),
    waited: to(row.waits.runs, "waited"),
    overridden: to(row.overrides.runs, "overridden"),
    stayed: to(row.overrides.stayed, "overrideStayed"),
    undone: to(row.overrides.undone, "overrideUndone"),
    aborted: to(row.overrides.aborted, "overrideAborted"),
    other: to(row.overrides.other, "overrideOther"),
  } satisfies Record<string, CountLink>;
}

/** Links the figures of a template to its runs. */
export function linkTemplate(row: TemplateFigures, scope: InsightScope) {
  const ofTemplate = row.template?.id ?? "none";
  const to = (count: number, filter: RunFilter): CountLink => ({
    count,
    href: insightRunsHref({ ...scope, cluster: row.cluster }, { ofTemplate, ...filter }),
  });
  return {
    runs: to(row.runs, { figure: "measured" }),
    successful: to(row.successful, { phase: "Successful" }),
    failed: to(row.failed, { phase: "Failed" }),
    inconclusive: to(row.inconclusive, { phase: "Inconclusive" }),
    error: to(row.error, { phase: "Error" }),
    waited: to(row.waits.runs, { figure: "waited" }),
    overridden: to(row.overrides.runs, { figure: "overridden" }),
    stayed: to(row.overrides.stayed, { figure: "overrideStayed" }),
    undone: to(row.overrides.undone, { figure: "overrideUndone" }),
    aborted: to(row.overrides.aborted, { figure: "overrideAborted" }),
    other: to(row.overrides.other, { figure: "overrideOther" }),
  } satisfies Record<string, CountLink>;
}

/** Links the runs that have ended and are not counted yet. */
export function linkPending(count: number, scope: InsightScope): CountLink {
  return { count, href: insightRunsHref(scope, { figure: "pending" }) };
}

function pageHref(path: string, query: Record<string, string | undefined>): string {
  const params = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) => (value === undefined || value === "" ? [] : [[name, value]])),
  );
  return params.size === 0 ? path : `${path}?${params}`;
}
