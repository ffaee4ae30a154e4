import { ownManager } from "#lib/domain/acting/own-identity.ts";
import { controllerManager } from "#lib/domain/argo/recognise-controller.ts";
import { wasAskedBy } from "#lib/domain/oversight/explain-changes.ts";
import type { SeenTermination, TerminationVerdict } from "#lib/domain/oversight/provider-reports.ts";

/**
 * Judges who terminated the run or Experiment. The controller terminates hundreds, with the same patch
 * (rollout/analysis.go `cancelAnalysisRuns`, rollout/experiment.go, experiments/experiment.go). A termination that may
 * be the controller's is attributed to another client only if managedFields name it. They keep the setter of the field
 * for as long as the field exists, regardless of later writes.
 */
export function judgeTermination(seenObject: SeenTermination): TerminationVerdict {
  const { holders, isFirstSight, isOwned } = seenObject;
  const managers = [...new Set(holders.map(({ manager }) => manager))];
  if (managers.includes(controllerManager)) return { by: "controller" };
  const isOurs = managers.length === 0 || managers.includes(ownManager);
  // It does not matter how late it is seen: a run is terminated once, and the field's entry names who set it.
  if (isOurs && seenObject.askedAt.some((at) => wasAskedBy(at, seenObject.observedAt))) return { by: "gatehouse" };
  const [client = null] = managers.length === 1 ? managers : [];
  if (managers.length === 0 && (isOwned || isFirstSight)) return { by: "unclear" };
  if (isFirstSight && !isWithinWatch(seenObject)) return { by: "unclear" };
  return { by: "somebody", client };
}

/** Returns whether it was terminated after it was created, and while its rollout was watched. */
function isWithinWatch({ holders, createdAt, watchedSince }: SeenTermination): boolean {
  const times = holders.flatMap(({ at }) => (at === null ? [] : [Date.parse(at)]));
  const earliest = times.length === holders.length ? Math.min(...times) : Number.NaN;
  return watchedSince !== null && earliest > createdAt && earliest >= watchedSince;
}
