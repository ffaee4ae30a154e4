import type { AuditActor } from "#lib/domain/audit/audit-entry.ts";
import type { Actor } from "#lib/server/auth/actor.ts";

/** How the audit log names who asked: issuer and subject, and the token beside its owner. */
export function toAuditActor(actor: Actor): AuditActor {
  return {
    type: actor.type,
    issuer: actor.issuer,
    subject: actor.subject,
    name: actor.name,
    token: actor.token === undefined ? undefined : { id: actor.token.id, name: actor.token.name },
  };
}

/** Gatehouse itself, for what it finds out without being asked. */
export const systemActor: AuditActor = { type: "system", name: "Gatehouse" };
