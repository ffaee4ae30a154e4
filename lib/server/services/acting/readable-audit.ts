import type { AuditEntry } from "#lib/domain/audit/audit-entry.ts";
import { mayRead, readsEverything } from "#lib/domain/policy/rights.ts";
import type { Actor } from "#lib/server/actor/actor.ts";
import { readableSql } from "#lib/server/services/read-scope.ts";
import type { SqlConditions } from "#lib/server/services/sql-conditions.ts";

/**
 * Builds the condition that the actor may read an `audit_entry a`: entries about rollouts within reach, and the actor's
 * own. Entries about other things (sign-ins, tokens, config loads) require the right to read everything.
 */
export function readableAuditSql(sql: SqlConditions, { rights, subject, issuer }: Actor): string {
  if (readsEverything(rights)) return "true";
  const inReach = readableSql(sql, rights, { cluster: "a.cluster", namespace: "a.namespace", name: "a.name" });
  // The canonical text has the actor's issuer first. PostgreSQL before 16 cannot detect text that is not JSON any more.
  const ofIssuer = `position(${sql.bind(`"actor":{"issuer":${JSON.stringify(issuer)},`)} in a.entry) > 0`;
  return `((a.cluster IS NOT NULL AND ${inReach}) OR (a.actor_subject = ${sql.bind(subject)} AND ${ofIssuer}))`;
}

/** Applies the same rule to one entry. An unreadable entry requires the right to read everything. */
export function mayReadEntry({ rights, subject, issuer }: Actor, entry: AuditEntry | undefined): boolean {
  if (readsEverything(rights)) return true;
  if (entry === undefined) return false;
  const { cluster, namespace = "", name = "" } = entry.target ?? {};
  if (cluster !== undefined && mayRead(rights, { cluster, namespace, name })) return true;
  return entry.actor.subject === subject && entry.actor.issuer === issuer;
}
