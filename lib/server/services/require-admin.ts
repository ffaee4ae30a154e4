import type { AuditTarget } from "#lib/domain/audit/audit-entry.ts";
import { isAdmin, isClusterAdmin } from "#lib/domain/policy/rights.ts";
import { admitRefusal } from "#lib/server/acting/refusal-limiter.ts";
import { appendAudit } from "#lib/server/audit/append-audit.ts";
import { actorKey } from "#lib/server/auth/actor.ts";
import { auditActorOf } from "#lib/server/services/audit-actor.ts";
import type { ServiceContext } from "#lib/server/services/service-context.ts";
import { ServiceError } from "#lib/server/services/service-error.ts";

export type AskedFor = {
  code: string;
  /** What is asked for concerns this cluster alone: who administers it is enough. */
  cluster?: string;
  reason?: string;
  target?: AuditTarget;
  detail?: Record<string, unknown>;
};

/**
 * Throws `forbidden` for who is no admin, and writes that into the audit log, as often as its limits allow. For routes
 * with `auditsRefusals`.
 */
export async function requireAdmin(ctx: ServiceContext, asked: AskedFor): Promise<void> {
  const { actor, runtime, requestId } = ctx;
  const { code, cluster, target, reason, detail } = asked;
  if (cluster === undefined ? isAdmin(actor.rights) : isClusterAdmin(actor.rights, cluster)) return;
  const what = cluster === undefined ? "for everything" : `for cluster ${cluster}`;
  const message = `This needs the role admin ${what}; yours is ${actor.role}.`;
  const limited = admitRefusal({ runtime, actor: actorKey(actor), target: `${code} ${target?.id ?? ""}` });
  if (limited.admitted)
    await appendAudit({
      pool: runtime.pool,
      entry: {
        actor: auditActorOf(actor),
        source: "gatehouse",
        code,
        ...(target === undefined ? {} : { target }),
        ...(reason === undefined ? {} : { reason }),
        outcome: "refused",
        detail: {
          ...detail,
          problem: "forbidden",
          message,
          ...(limited.suppressed === 0 ? {} : { refusalsNotWritten: limited.suppressed }),
        },
        requestId,
      },
    });
  throw new ServiceError("forbidden", message);
}
