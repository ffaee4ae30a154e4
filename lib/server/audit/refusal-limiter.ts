import { type Admission, createAdmission } from "#lib/util/rate-limiter.ts";

type Limiter = Admission<"byPlace" | "byActor" | "overAll">;

// Next bundles each route apart, so the counters hang on the one runtime of the process and not on this module.
const handle = Symbol.for("gatehouse.refusal-limiter");

/** Entries within a minute. Places are made up as easily as requests, hence the limit per actor. */
const limits = { byPlace: 10, byActor: 60, overAll: 600 };

/**
 * Returns whether one more refusal of this actor at this place goes into the audit log, so that a loop of refused
 * requests cannot fill it. `suppressed` counts the actor's refusals left out since the last one that went in.
 */
export function admitRefusal({
  runtime,
  actor,
  place,
}: {
  runtime: { now(): Date };
  actor: string;
  /** The target of the request: a rollout, an endpoint. */
  place: string;
}): { admitted: boolean; suppressed: number } {
  const holder = runtime as typeof runtime & { [handle]?: Limiter };
  holder[handle] ??= createAdmission({ limits, windowSeconds: 60, suppressedBy: "byActor" });
  return holder[handle].admit({ byPlace: `${actor}\n${place}`, byActor: actor, overAll: "" }, runtime.now());
}
