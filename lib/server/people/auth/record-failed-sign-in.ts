import { appendAudit } from "#lib/server/audit/append-audit.ts";
import { admitFailedSignIn } from "#lib/server/people/auth/failed-sign-in-limiter.ts";
import { actorKey } from "#lib/server/platform/actor/actor.ts";
import type { WebRuntime } from "#lib/server/process/web-runtime.ts";

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
