import type { DeliveryState } from "./observation.ts";

/** The pods of one revision. */
export type RevisionSet = {
  name: string;
  podHash: string | undefined;
  revision: number | undefined;
  images: string[];
  replicas: number;
  ready: number;
  available: number;
  desired: number;
};

/** Which revision a ReplicaSet is, according to its controller's mark. */
export type RevisionMark = {
  podHash: string | undefined;
  revision: number | undefined;
  /** Every revision that it has been, including `revision`, ascending. */
  revisions: number[];
};

/** A ReplicaSet's facts about the pod template that it was made from. */
export type RevisionFacts = { revisions: readonly number[]; images: readonly string[] };

/** The known ReplicaSets of a rollout, by pod hash. A missing one has not been seen (yet). */
export type KnownRevisions = ReadonlyMap<string, RevisionFacts>;

export const nothingKnown: KnownRevisions = new Map();

/**
 * Resolves which revision a pod hash was when the rollout had the number `revision`. The number belongs to the newest
 * pod template, but the hash may belong to the previous one. After a change of the template the controller writes the
 * rollout with the new number, template and observedGeneration while `currentPodHash` is still the old one (seen with
 * Argo Rollouts 1.10.2 and 1.9.3). Returns null if the number is certainly another's and the right one is unknown.
 */
export function resolveRevision(
  podHash: string,
  { revision, known }: { revision: number | null; known: KnownRevisions },
): number | null {
  const own = known.get(podHash)?.revisions ?? [];
  if (revision === null || own.includes(revision)) return revision;
  const isAnothers = [...known].some(([hash, facts]) => hash !== podHash && facts.revisions.includes(revision));
  // If no known ReplicaSet has the number, its owner was not seen yet: later knowledge decides.
  if (!isAnothers) return revision;
  const before = own.filter((each) => each < revision);
  return before.length === 0 ? null : Math.max(...before);
}

/**
 * Returns the images of a pod hash. Invariant: they never change, as the hash is computed from the template with them.
 */
export function imagesOfHash(podHash: string, known: KnownRevisions): readonly string[] {
  return known.get(podHash)?.images ?? [];
}

/** Returns the state with the revision and the images of its own `runKey`; empty if they are unknown. */
export function attributeRevision(state: DeliveryState, known: KnownRevisions): DeliveryState {
  const { runKey } = state;
  if (runKey === "") return state;
  const revision = resolveRevision(runKey, { revision: state.revision, known });
  const own = imagesOfHash(runKey, known);
  // The rollout's template is that of its newest revision, once the controller has seen it.
  const template = state.isSpecObserved && revision === state.revision ? state.images : [];
  return { ...state, revision, images: own.length > 0 ? [...own] : template };
}
