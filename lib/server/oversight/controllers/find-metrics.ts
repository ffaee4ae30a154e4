import type { Component } from "#lib/domain/controllers/component.ts";
import { createSampleFolder, type FoldedTarget, mergeTargets } from "#lib/domain/controllers/fold-samples.ts";
import type { ScrapeAttempt } from "#lib/domain/controllers/scrape-state.ts";
import type { PrometheusConfig } from "#lib/server/platform/config/cluster-schema.ts";
import {
  type InstantValue,
  readAnswerError,
  withInstantQueries,
} from "#lib/server/recording/upkeep/query-prometheus.ts";
import { failed, failureOf, isDenied } from "./fetch-metrics.ts";

/**
 * Prometheus scrapes every minute by default. Older samples belong to a process that is gone: for five minutes,
 * Prometheus keeps series that vanished while it did not run, or behind a federation.
 */
const freshSeconds = 150;

type Limits = { prometheus: PrometheusConfig; timeoutMs: number; signal: AbortSignal };
type Result = ScrapeAttempt["result"];

/**
 * Reads the metrics of one component from a Prometheus that scrapes many. Never throws: a failure is returned.
 *
 * Prometheus itself decides which processes are live: an instant query leaves out those that it no longer scrapes. It
 * also adds up series that differ in other labels, but never across processes: see `mergeTargets`. Every process has
 * `process_start_time_seconds` and the like: they are queried with the job and instance of the component's own metric.
 */
export async function findMetrics(component: Component, { prometheus, timeoutMs, signal }: Limits): Promise<Result> {
  const { identity } = component;
  const missing = failed("not-found", "the Prometheus has no fresh metrics for it");
  if (identity === undefined) return missing;
  const all = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  try {
    return await withInstantQueries({ prometheus, signal: all }, async (evaluate) => {
      // By the clock of Prometheus alone.
      const age = `time() - timestamp(${identity}${selectorOf(prometheus.matchers)})`;
      const targets = groupByTarget(await evaluate(`min by (job, instance) (${age})`, identity));
      const fresh = new Set([...targets].filter(([, values]) => isFresh(values)).map(([target]) => target));
      if (fresh.size === 0) return missing;
      const own = [...prometheus.matchers, ...matchTargets([...targets.values()].flat())];
      const found: InstantValue[] = [];
      for (const query of listQueries(component, own)) found.push(...(await evaluate(query, component.name)));
      const folded = [...groupByTarget(found)].flatMap(([target, values]): FoldedTarget[] =>
        fresh.has(target) ? [{ target, folded: foldValues(component, values) }] : [],
      );
      // All targets went away between the two queries.
      return folded.length === 0 ? missing : { ok: true, folded: mergeTargets(component, folded) };
    });
  } catch (error) {
    return failureOfQuery(error, timeoutMs);
  }
}

function failureOfQuery(error: unknown, timeoutMs: number): Result {
  const answer = readAnswerError(error);
  if (answer?.status === 200) return failed("malformed", answer.message);
  if (answer !== undefined) return failed(isDenied(answer.status) ? "denied" : "refused", answer.message);
  const failure = failureOf(error, { timeoutMs });
  return failure.ok ? failure : failed(failure.code, `Prometheus: ${failure.message}`);
}

function selectorOf(matchers: readonly string[]): string {
  return matchers.length === 0 ? "" : `{${matchers.join(",")}}`;
}

/** Names a process as Prometheus does. */
function targetOf({ job = "", instance = "" }: InstantValue["labels"]): string {
  return `${job} ${instance}`.trim();
}

function groupByTarget(values: readonly InstantValue[]): Map<string, InstantValue[]> {
  return Map.groupBy(values, ({ labels }) => targetOf(labels));
}

function isFresh(ages: readonly InstantValue[]): boolean {
  return ages.some(({ value }) => value <= freshSeconds);
}

/** Returns matchers that all of the targets meet; others of the same jobs may meet them too. */
function matchTargets(targets: readonly InstantValue[]): string[] {
  return ["job", "instance"].map((name) => {
    const values = new Set(targets.map(({ labels }) => labels[name] ?? ""));
    return `${name}=~${JSON.stringify([...values].map(escapeRegex).join("|"))}`;
  });
}

/** For RE2, as Prometheus has it. */
function escapeRegex(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}

type Wanted = { fold: "sum" | "max"; labels: Set<string> };

/** Returns as few queries as possible: one for all metrics of which the same labels are kept. */
function listQueries(component: Component, matchers: readonly string[]): string[] {
  const wanted = [...listWanted(component)].map(([metric, { fold, labels }]) => {
    // Prometheus gives a label another name if the target has one of that name.
    const by = [...labels].toSorted().flatMap((label) => [label, `exported_${label}`]);
    return { metric, query: `${fold} by (${["__name__", "job", "instance", ...by].join(", ")})` };
  });
  return [...Map.groupBy(wanted, ({ query }) => query)].map(([query, metrics]) => {
    const names = `__name__=~"${metrics.map(({ metric }) => metric).join("|")}"`;
    return `${query} (${selectorOf([names, ...matchers])})`;
  });
}

/** Lists the metrics of a component with the labels that are kept. */
function listWanted({ identity = "", versionTime, versionLabel, series }: Component): Map<string, Wanted> {
  const wanted = new Map<string, Wanted>();
  const want = (metric: string, fold: Wanted["fold"], labels: readonly string[] = []): void => {
    const before = wanted.get(metric);
    wanted.set(metric, { fold: before?.fold ?? fold, labels: new Set([...(before?.labels ?? []), ...labels]) });
  };
  for (const { metrics, kind, fold, by = [], where } of series) {
    const labels = where === undefined ? by : [...by, where.label];
    for (const metric of metrics) {
      if (kind !== "histogram") want(metric, fold === undefined ? "sum" : "max", labels);
      else for (const part of ["bucket", "count", "sum"]) want(`${metric}_${part}`, "sum", partLabels(part, labels));
    }
  }
  for (const { appearsWith } of series) if (appearsWith !== undefined) want(appearsWith, "max");
  if (versionTime !== undefined) want(versionTime, "max");
  want(identity, "max", versionLabel === undefined ? [] : [versionLabel]);
  return wanted;
}

function partLabels(part: string, labels: readonly string[]): readonly string[] {
  return part === "bucket" ? [...labels, "le"] : labels;
}

function foldValues(component: Component, values: readonly InstantValue[]): FoldedTarget["folded"] {
  const folder = createSampleFolder(component);
  for (const { labels, value } of values) folder.add({ name: labels.__name__ ?? "", labels: ownLabels(labels), value });
  return folder.end();
}

/** Gives labels back their names, which Prometheus changes if the target has one of the same name. */
function ownLabels(labels: Readonly<Record<string, string>>): Record<string, string> {
  const exported = Object.entries(labels).filter(([name]) => name.startsWith("exported_"));
  return {
    ...labels,
    ...Object.fromEntries(exported.map(([name, value]) => [name.slice("exported_".length), value])),
  };
}
