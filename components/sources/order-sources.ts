import { classifySource } from "#components/ui/classify-state.ts";
import type { Source, SourceState } from "#lib/contract/system.ts";
import { deliveryKinds } from "#lib/domain/delivery/delivery-kind.ts";

const worstFirst: readonly SourceState[] = ["error", "denied", "suspect", "stale", "syncing", "absent", "live"];

/** The kinds that decisions depend on come before those that only add detail. */
const decidingFirst: readonly string[] = [
  ...deliveryKinds,
  "AnalysisRun",
  "Experiment",
  "AnalysisTemplate",
  "ClusterAnalysisTemplate",
  "MetricTemplate",
];

/** Sorts sources that need attention first, then by kind. Unwatched ones come last. */
export function orderSources(sources: readonly Source[]): Source[] {
  return sources.toSorted(
    (left, right) =>
      rankOf(left) - rankOf(right) ||
      rankOfKind(left) - rankOfKind(right) ||
      left.kind.localeCompare(right.kind) ||
      (left.namespace ?? "").localeCompare(right.namespace ?? ""),
  );
}

/** Groups the sources by cluster, the cluster with the worst source first. */
export function groupByCluster(sources: readonly Source[]): [cluster: string, sources: Source[]][] {
  const groups = [...Map.groupBy(orderSources(sources), ({ cluster }) => cluster)];
  const best = (group: readonly Source[]) => (group[0] === undefined ? Number.POSITIVE_INFINITY : rankOf(group[0]));
  return groups.toSorted(([a, left], [b, right]) => best(left) - best(right) || a.localeCompare(b));
}

/** Summarises sources: "9 sources: 1 denied, 8 live; 214 objects, 3 held". */
export function sumSources(sources: readonly Source[]): string {
  const watched = sources.filter(({ configured }) => configured);
  const parts = worstFirst.flatMap((state) => {
    const count = watched.filter((source) => source.state === state).length;
    return count === 0 ? [] : [`${count} ${classifySource(state).word.toLowerCase()}`];
  });
  const gone = sources.length - watched.length;
  if (gone > 0) parts.push(`${gone} no longer configured`);
  const limits = [...new Set(watched.map(({ staleAfterSeconds }) => staleAfterSeconds))].toSorted((a, b) => a - b);
  const isCounted = sources.some((source) => source.objects !== null);
  const objects = sources.reduce((sum, source) => sum + (source.objects ?? 0), 0);
  const held = sources.reduce((sum, { hold }) => sum + (hold?.count ?? 0), 0);
  const counts = [...(isCounted ? [count(objects, "object")] : []), ...(held === 0 ? [] : [`${held} held`])];
  const limit = limits.length === 0 ? "" : ` · stale after ${limits.join(" or ")} s`;
  const words = [parts.join(", "), ...(counts.length === 0 ? [] : [counts.join(", ")])].join(" · ");
  return `${count(sources.length, "source")}: ${words}${limit}`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

function rankOfKind({ kind }: Source): number {
  const rank = decidingFirst.indexOf(kind);
  return rank === -1 ? decidingFirst.length : rank;
}

function rankOf({ state, configured }: Source): number {
  return configured ? worstFirst.indexOf(state) : worstFirst.length;
}
