import type { AuditActor } from "#lib/contract/audit.ts";
import type { Actor } from "#lib/server/platform/actor/actor.ts";

/** Names the actor for the audit log: a token together with its owner. */
export function auditActorOf(actor: Actor): AuditActor {
  return {
    type: actor.type,
    issuer: actor.issuer,
    subject: actor.subject,
    name: actor.name,
    ...(actor.token === undefined ? {} : { token: { ...actor.token } }),
  };
}
