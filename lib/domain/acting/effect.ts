import { ownManager } from "#lib/domain/acting/own-identity.ts";
import { findFieldHolders } from "#lib/domain/kube/find-field-holders.ts";
import type { ObjectMeta } from "#lib/domain/kube/kube-object.ts";
import type { ActionPatch, PlanTarget } from "./plan.ts";

/**
 * How to recognise later that an action took effect. It is stored with the action as JSON, and only the provider that
 * made it reads it: it may come from an older version.
 */
export type StoredEffect = unknown;

/** The provider-independent facts of a stored effect. */
export type EffectFacts = {
  /** The patched object if it is not the rollout: it is read back itself. */
  target: PlanTarget | undefined;
  /** Whether the effect is visible on the patched run or Experiment, and not on the rollout. */
  isOnTarget: boolean;
  /** Version of the object in the cluster's answer to the last patch; undefined if no answer is known. */
  answeredVersion: string | undefined;
  /** After how long a missing effect is reported; the action is still followed after that. */
  deadlineSeconds(now: Date): number;
};

export type EffectAssessment =
  /** `message`: the event it waits for, if visible. */
  | { state: "pending"; message?: string }
  | { state: "effective"; message: string }
  /** It never will: something else replaced it. */
  | { state: "not-effective"; message: string };

/** The known facts about patches whose answer never came. */
export type ReadBackInput = {
  effect: StoredEffect;
  /** In order, in the form that may be stored: those of a pod template without its values. */
  patches: readonly ActionPatch[];
  /** Number of patches that were answered. */
  patchesDone: number;
  /** The rollout that they were made for; undefined if another object was patched. */
  before: { digest: string; resourceVersion: string } | undefined;
  /** Sent so long ago that no request can still hang. */
  isGraceOver: boolean;
  /** When the action was requested: an older mark from us cannot come from this request. */
  sentAt: Date;
};

export type ReadBack =
  | { outcome: "applied"; message: string }
  | { outcome: "refused"; message: string }
  | { outcome: "partial"; message: string }
  /** It may still be applied: a request can hang. Check again later. */
  | { outcome: "waiting" }
  /** Others changed the object since, and it neither proves nor disproves the patch. */
  | { outcome: "undecidable"; message: string };

/** A run or an Experiment, as recorded or live. */
export type RunState = { uid: string; phase: string; endedAt: string | undefined };

/**
 * Judges an object that is as requested; another client may have made the same change meanwhile. managedFields name the
 * last writer of a field: if that is another client, this request did not write it. Our own mark proves that we wrote
 * it, unless it is older than the request. A patch that only removes a field leaves neither, and a cluster's clock may
 * be behind: then the writer stays unknown.
 */
export function assessFound({ metadata, sentAt, what, bodies }: Found): ReadBack {
  const { managedFields } = metadata;
  const holders = bodies.flatMap((body) => listSetFields(body)).map((path) => findFieldHolders(managedFields, path));
  const managers = [...new Set(holders.flat().map(({ manager }) => manager))];
  if (holders.length > 0 && holders.every((each) => each.length > 0) && !managers.includes(ownManager))
    return {
      outcome: "undecidable",
      message: `Read back: the ${what} is as requested, but this request did not change it: ${managers.sort().join(" and ")} wrote it (managedFields).`,
    };
  // Times in managedFields are truncated to the second.
  const since = Math.floor(sentAt.getTime() / 1000) * 1000;
  const isOurs = findFieldHolders(managedFields, []).some(
    ({ manager, at }) => manager === ownManager && at !== null && Date.parse(at) >= since,
  );
  const message = isOurs
    ? `Read back: the ${what} shows the change, with Gatehouse's own mark (managedFields).`
    : `Read back: the ${what} shows the change, but not whether this request or another client made it.`;
  return { outcome: "applied", message };
}

type Found = { metadata: ObjectMeta; sentAt: Date; what: string; bodies: readonly unknown[] };

/**
 * Lists the fields that a merge patch sets to a value. Pod templates are left out: their lists are merged by keys, and
 * a stored plan does not contain their values.
 */
function listSetFields(body: unknown, path: readonly string[] = []): string[][] {
  if (body === null || path.at(-1) === "template") return [];
  if (typeof body !== "object" || Array.isArray(body)) return path.length === 0 ? [] : [[...path]];
  return Object.entries(body).flatMap(([name, value]) =>
    name === "metadata" && path.length === 0 ? [] : listSetFields(value, [...path, name]),
  );
}
