import type { DeliveryState } from "./observation.ts";

/** What a ReplicaSet says of the pod template that it was made from. */
export type RevisionFacts = { revisions: readonly number[]; images: readonly string[] };

/** The ReplicaSets of a rollout that are known, by pod hash. One that is missing has not been seen, or not yet. */
export type KnownRevisions = ReadonlyMap<string, RevisionFacts>;

export const nothingKnown: KnownRevisions = new Map();

/**
 * Which revision a pod hash was when the rollout carried the number `revision`. The number belongs to the newest pod
 * template, the hash perhaps to the one before it: after a change of the template the controller writes the rollout
 * with the new number, template and observedGeneration while `currentPodHash` is still the old one (seen with Argo
 * Rollouts 1.10.2 and 1.9.3). Null where it is certain that the number is another's, and nothing tells the right one.
 */
export function resolveRevision(
  podHash: string,
  { revision, known }: { revision: number | null; known: KnownRevisions },
): number | null {
  const own = known.get(podHash)?.revisions ?? [];
  if (revision === null || own.includes(revision)) return revision;
  const isAnothers = [...known].some(([hash, facts]) => hash !== podHash && facts.revisions.includes(revision));
  // Where no ReplicaSet has the number, the one that has it was not seen yet: later knowledge decides.
  if (!isAnothers) return revision;
  const before = own.filter((each) => each < revision);
  return before.length === 0 ? null : Math.max(...before);
}

/** The images of a pod hash. They are the template's that it was computed from, so they never change. */
export function imagesOfHash(podHash: string, known: KnownRevisions): readonly string[] {
  return known.get(podHash)?.images ?? [];
}

/** The state with the revision and the images of its own `runKey`; empty where they are not known. */
export function attributeRevision(state: DeliveryState, known: KnownRevisions): DeliveryState {
  const { runKey } = state;
  if (runKey === "") return state;
  const revision = resolveRevision(runKey, { revision: state.revision, known });
  const own = imagesOfHash(runKey, known);
  // The rollout's template is that of its newest revision, once the controller has seen it.
  const template = state.isSpecObserved && revision === state.revision ? state.images : [];
  return { ...state, revision, images: own.length > 0 ? [...own] : template };
}
