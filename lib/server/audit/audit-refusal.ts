import type { PoolClient } from "pg";
import type { AuditDraft } from "#lib/domain/audit/audit-entry.ts";
import { appendAudit } from "#lib/server/audit/append-audit.ts";
import type { StoreContext } from "#lib/server/platform/actor/actor.ts";
import { actorKey, auditActorOf } from "#lib/server/platform/actor/actor.ts";
import type { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { type Admission, createAdmission } from "#lib/util/rate-limiter.ts";

const audited = new WeakSet<ServiceError>();

/** The request that was refused. The rest of the entry follows from the actor and the error. */
export type RefusedRequest = Pick<AuditDraft, "code" | "action" | "actionId" | "target" | "reason" | "detail">;

/**
 * Records in the audit log that a known actor is refused, as often as the limits per actor and place allow. Adds the
 * number of refusals left out before it, and records each error once. Never throws: nothing was done, and the refusal
 * is the response even if it cannot be recorded. Resolves with whether it was recorded.
 */
export async function auditRefusal({
  ctx: { runtime, actor, requestId },
  error,
  asked,
  place,
  within,
}: {
  ctx: StoreContext;
  error: ServiceError;
  asked: RefusedRequest;
  /** The key of the limit, besides the actor. Undefined for the outcome of an intent, which is always written. */
  place: string | undefined;
  within?: ((client: PoolClient, appended: { seq: number }) => Promise<void>) | undefined;
}): Promise<boolean> {
  if (audited.has(error)) return false;
  audited.add(error);
  const { admitted, suppressed } =
    place === undefined ? { admitted: true, suppressed: 0 } : admitRefusal({ runtime, actor: actorKey(actor), place });
  if (!admitted) return false;
  const detail = {
    ...asked.detail,
    problem: error.code,
    message: error.message.slice(0, 2000),
    ...(suppressed === 0 ? {} : { refusalsNotWritten: suppressed }),
  };
  try {
    const entry: AuditDraft = {
      ...asked,
      actor: auditActorOf(actor),
      source: "gatehouse",
      outcome: "refused",
      detail,
      requestId,
    };
    await appendAudit({ pool: runtime.pool, entry, within });
    return true;
  } catch (cause) {
    runtime.log.error({ err: cause, requestId, code: asked.code }, "a refusal could not be audited");
    return false;
  }
}

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
