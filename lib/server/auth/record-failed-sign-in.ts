import { actorKey } from "#lib/server/actor/actor.ts";
import { appendAudit } from "#lib/server/audit/append-audit.ts";
import { admitFailedSignIn } from "#lib/server/auth/failed-sign-in-limiter.ts";
import type { WebRuntime } from "#lib/server/process/web-runtime.ts";

/**
 * Puts a failed sign-in into the audit log, within bounds by address, person and over all, with the number of those that
 * were left out before it: a stream of guesses must not fill the chain. An audit log that is down changes nothing here, since nobody was let in.
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
  /** Of the client. */
  address: string;
  /** Only a name that is known to us: what was typed may be a password in the wrong field. */
  name: string | undefined;
  issuer?: string;
  subject?: string;
  reason: string;
  requestId: string;
}): Promise<void> {
  runtime.metrics.signIns.inc({ outcome: "failed" });
  // Display names are chosen by people: by them, one could use up what another's failures are written by.
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
