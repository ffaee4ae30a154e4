import { appendAudit } from "#lib/server/audit/append-audit.ts";
import { type Actor, actorKey } from "#lib/server/auth/actor.ts";
import { takeRefusalEntry } from "#lib/server/http/request-limits.ts";
import type { WebRuntime } from "#lib/server/runtime/web-runtime.ts";
import { auditActorOf } from "#lib/server/services/audit-actor.ts";
import { ServiceError } from "#lib/server/services/service-error.ts";

/**
 * Puts it into the audit log that somebody who is known was refused for lack of rights, or by a page that is not ours;
 * up to a bound, for a loop must not fill the chain. An audit log that is down changes nothing: nothing was done.
 */
export async function auditRefusal({
  runtime,
  actor,
  endpoint,
  thrown,
  requestId,
}: {
  runtime: WebRuntime;
  actor: Actor;
  /** Its name in the endpoint table. */
  endpoint: string;
  thrown: unknown;
  requestId: string;
}): Promise<void> {
  if (!(thrown instanceof ServiceError) || thrown.code !== "forbidden") return;
  if (!takeRefusalEntry(runtime, actorKey(actor))) return;
  try {
    await appendAudit({
      pool: runtime.pool,
      entry: {
        actor: auditActorOf(actor),
        source: "gatehouse",
        code: "access.refused",
        outcome: "refused",
        detail: { endpoint, problem: thrown.code, message: thrown.message.slice(0, 300) },
        requestId,
      },
    });
  } catch (error) {
    runtime.log.error({ err: error, requestId }, "a refusal could not be audited");
  }
}
