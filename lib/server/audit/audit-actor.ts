import type { AuditActor } from "#lib/domain/audit/audit-entry.ts";

/** Gatehouse itself, for what it finds out without being asked. */
export const systemActor: AuditActor = { type: "system", name: "Gatehouse" };
