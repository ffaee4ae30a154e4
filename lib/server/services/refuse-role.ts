import type { Role } from "#lib/contract/common.ts";
import type { AuditTarget } from "#lib/domain/audit/audit-entry.ts";
import { admitRefusal } from "#lib/server/acting/refusal-limiter.ts";
import { appendAudit } from "#lib/server/audit/append-audit.ts";
import { actorKey } from "#lib/server/auth/actor.ts";
import { hasRole } from "#lib/server/auth/derive-role.ts";
import { auditActorOf } from "#lib/server/services/audit-actor.ts";
import type { ServiceContext } from "#lib/server/services/service-context.ts";
import { ServiceError } from "#lib/server/services/service-error.ts";

export type AskedFor = { code: string; reason?: string; target?: AuditTarget; detail?: Record<string, unknown> };

/**
 * Throws `forbidden` where the actor's role is too weak, and writes that into the audit log, as often as its limits
 * allow. For routes with `auditsRefusals`.
 */
export async function requireRole(ctx: ServiceContext, role: Role, asked: AskedFor): Promise<void> {
  const { actor, runtime, requestId } = ctx;
  if (hasRole(actor.role, role)) return;
  const message = `This needs the role ${role}; yours is ${actor.role}.`;
  const { code, target, reason, detail } = asked;
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
