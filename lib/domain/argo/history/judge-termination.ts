import { ownManager } from "#lib/domain/acting/own-manager.ts";
import { controllerManager } from "#lib/domain/argo/known-managers.ts";
import type { FieldHolder } from "#lib/domain/kube/find-field-holders.ts";
import { wasAskedBy } from "#lib/domain/oversight/explain-changes.ts";

/** A run or an Experiment that was seen with `spec.terminate`. Times in milliseconds since 1970. */
export type TerminationSight = {
  /** Of `spec.terminate`. */
  holders: readonly FieldHolder[];
  /** It was never seen without: it may have been terminated long ago, or created so. */
  isFirstSight: boolean;
  observedAt: number;
  createdAt: number;
  /** Since when the rollout that it belongs to is recorded; null where it belongs to none. */
  watchedSince: number | null;
  /** Whether it has an owner: the controller ends what a Rollout or an Experiment owns, and nothing else. */
  isOwned: boolean;
  /** When Gatehouse was asked to terminate it, as far as that was sent, or may have been. */
  askedAt: readonly number[];
};

/** `somebody`: neither the controller nor Gatehouse; `client` is null where the evidence names none. */
export type TerminationVerdict =
  | { by: "controller" | "gatehouse" | "unclear" }
  | { by: "somebody"; client: string | null };

/**
 * Who ended it. The controller does so by the hundred, with the same patch (rollout/analysis.go `cancelAnalysisRuns`,
 * rollout/experiment.go, experiments/experiment.go): what it could have done is nobody else's doing unless managedFields
 * say so. They keep who set the field for as long as it stands, whatever is written afterwards.
 */
export function judgeTermination(sight: TerminationSight): TerminationVerdict {
  const { holders, isFirstSight, isOwned } = sight;
  const managers = [...new Set(holders.map(({ manager }) => manager))];
  if (managers.includes(controllerManager)) return { by: "controller" };
  const isOurs = managers.length === 0 || managers.includes(ownManager);
  // However late it is seen: a run is terminated once, and who set the field stands beside it.
  if (isOurs && sight.askedAt.some((at) => wasAskedBy(at, sight.observedAt))) return { by: "gatehouse" };
  const [client = null] = managers.length === 1 ? managers : [];
  if (managers.length === 0 && (isOwned || isFirstSight)) return { by: "unclear" };
  if (isFirstSight && !isWithinWatch(sight)) return { by: "unclear" };
  return { by: "somebody", client };
}

/** Whether it was terminated after it was created, and while its rollout was watched. */
function isWithinWatch({ holders, createdAt, watchedSince }: TerminationSight): boolean {
  const times = holders.flatMap(({ at }) => (at === null ? [] : [Date.parse(at)]));
  const earliest = times.length === holders.length ? Math.min(...times) : Number.NaN;
  return watchedSince !== null && earliest > createdAt && earliest >= watchedSince;
}
