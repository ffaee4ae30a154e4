import { appendAudit } from "#lib/server/audit/append-audit.ts";
import { actorKey } from "#lib/server/platform/actor/actor.ts";
import type { WebRuntime } from "#lib/server/process/web-runtime.ts";
import { type Admission, createAdmission } from "#lib/util/rate-limiter.ts";

/**
 * Records a failed sign-in in the audit log, with limits per address, per person and overall, and the number of those
 * left out before it. A stream of guesses must not fill the chain. An unavailable audit log changes nothing here, since
 * no one was admitted.
 */
export async function recordFailedSignIn({
  runtime,
  address,
  name,
  issuer,
  subject,
  reason,
  requestId,
}: {
  runtime: WebRuntime;
  /** Address of the client. */
  address: string;
  /** Only a known name: the typed text may be a password in the wrong field. */
  name: string | undefined;
  issuer?: string;
  subject?: string;
  reason: string;
  requestId: string;
}): Promise<void> {
  runtime.metrics.signIns.inc({ outcome: "failed" });
  // People choose their display names: counting by them, one person could use up another's limit.
  const person = subject === undefined ? name : actorKey({ issuer: issuer ?? "", subject });
  const { admitted, suppressed } = admitFailedSignIn({ runtime, address, person });
  if (!admitted) return;
  try {
    await appendAudit({
      pool: runtime.pool,
      entry: {
        actor: { type: "unknown", name: name ?? "unknown", issuer, subject },
        source: "gatehouse",
        code: "session.signin_failed",
        outcome: "refused",
        detail: { reason, ...(suppressed === 0 ? {} : { failuresNotWritten: suppressed }) },
        requestId,
      },
    });
  } catch (error) {
    runtime.log.error({ err: error, requestId }, "failed sign-in could not be audited");
  }
}

type Limits = { byAddress: number; byPerson: number; overAll: number };
type Limiter = { named: Admission<keyof Limits>; unnamed: Admission<keyof Limits> };

// Next bundles each route separately, so the counters are stored on the one runtime of the process, not in this module.
const handle = Symbol.for("gatehouse.failed-sign-in-limiter");

/** Entries within five minutes. */
const limits = {
  named: { byAddress: 30, byPerson: 10, overAll: 200 },
  unnamed: { byAddress: 10, byPerson: 50, overAll: 50 },
};

/**
 * Returns whether one more failed sign-in goes into the audit log. Failures of known people have a separate budget:
 * unauthenticated callbacks must not hide them. `suppressed` is the number of the same kind that were left out since
 * the last one admitted.
 */
export function admitFailedSignIn({
  runtime,
  address,
  person,
}: {
  runtime: { now(): Date };
  address: string;
  /** Key of the person, if known. People cannot choose it, so it is never another person's. */
  person: string | undefined;
}): { admitted: boolean; suppressed: number } {
  const holder = runtime as typeof runtime & { [handle]?: Limiter };
  holder[handle] ??= { named: createBudget(limits.named), unnamed: createBudget(limits.unnamed) };
  const keys = { byAddress: address.slice(0, 100), byPerson: (person ?? "").slice(0, 500), overAll: "" };
  return holder[handle][person === undefined ? "unnamed" : "named"].admit(keys, runtime.now());
}

function createBudget(within: Limits): Admission<keyof Limits> {
  return createAdmission({ limits: within, windowSeconds: 300, suppressedBy: "overAll" });
}
