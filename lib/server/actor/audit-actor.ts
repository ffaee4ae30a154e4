import type { AuditActor } from "#lib/contract/audit.ts";
import type { Actor } from "#lib/server/actor/actor.ts";

/** The actor as the audit log names it: a token stands beside its owner. */
export function auditActorOf(actor: Actor): AuditActor {
  return {
    type: actor.type,
    issuer: actor.issuer,
    subject: actor.subject,
    name: actor.name,
    ...(actor.token === undefined ? {} : { token: { ...actor.token } }),
  };
}
