import { sql } from "kysely";
import type { AuditEntry } from "#lib/domain/audit/audit-entry.ts";
import { mayRead, readsEverything } from "#lib/domain/policy/rights.ts";
import type { Actor } from "#lib/server/actor/actor.ts";
import { allOf, type Condition } from "#lib/server/db/conditions.ts";
import { fragment } from "#lib/server/db/tables.ts";
import { isReadable } from "#lib/server/services/read-scope.ts";

const { or, and, ref } = fragment<{ a: "audit_entry" }>();
const entryPlace = {
  cluster: ref("a.cluster"),
  namespace: ref("a.namespace"),
  kind: ref("a.kind"),
  name: ref("a.name"),
};

/**
 * Returns the condition that the actor may read audit entry `a`: entries about rollouts within reach, and the actor's
 * own. Entries about other things (sign-ins, tokens, config loads) require the right to read everything. Undefined if
 * everything may be read.
 */
export function isReadableAudit({ rights, subject, issuer }: Actor): Condition | undefined {
  if (readsEverything(rights)) return undefined;
  // The canonical text has the actor's issuer first. PostgreSQL before 16 cannot detect text that is not JSON any more.
  const ofIssuer = `"actor":{"issuer":${JSON.stringify(issuer)},`;
  return or([
    allOf([sql<boolean>`${ref("a.cluster")} IS NOT NULL`, isReadable(rights, entryPlace)]),
    and([
      sql<boolean>`${ref("a.actor_subject")} = ${subject}`,
      sql<boolean>`position(${ofIssuer} in ${ref("a.entry")}) > 0`,
    ]),
  ]);
}

/** Applies the same rule to one entry. An unreadable entry requires the right to read everything. */
export function mayReadEntry({ rights, subject, issuer }: Actor, entry: AuditEntry | undefined): boolean {
  if (readsEverything(rights)) return true;
  if (entry === undefined) return false;
  const { cluster, namespace = "", kind = null, name = "" } = entry.target ?? {};
  if (cluster !== undefined && mayRead(rights, { cluster, namespace, kind, name })) return true;
  return entry.actor.subject === subject && entry.actor.issuer === issuer;
}
