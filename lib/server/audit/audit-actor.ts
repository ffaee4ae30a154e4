import type { AuditActor } from "#lib/domain/audit/audit-entry.ts";

/** Gatehouse itself, for events that it discovers on its own. */
export const systemActor: AuditActor = { type: "system", name: "Gatehouse" };
