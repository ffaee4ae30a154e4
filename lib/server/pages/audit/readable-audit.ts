import type { AuditEntry } from "#lib/domain/audit/audit-entry.ts";
import { mayRead, readsEverything } from "#lib/domain/policy/rights.ts";
import { isReadable } from "#lib/server/people/permission/read-scope.ts";
import type { Actor } from "#lib/server/platform/actor/actor.ts";
import { allOf, type Condition } from "#lib/server/platform/db/conditions.ts";
import { fragment } from "#lib/server/platform/db/tables.ts";

const eb = fragment<{ a: "audit_entry" }>();
const { or, and, ref } = eb;
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
export function isReadableAudit(actor: Actor): Condition | undefined {
  if (readsEverything(actor.rights)) return undefined;
  return or([allOf([eb("a.cluster", "is not", null), isReadable(actor.rights, entryPlace)]), isOwn(actor)]);
}

/**
 * A person's own entries are all that they made. A token's are those that it made itself about no place: a place has to
 * be in its scope.
 */
function isOwn({ type, subject, issuer, token }: Actor): Condition {
  // The canonical text has the actor's issuer first. PostgreSQL before 16 cannot detect text that is not JSON any more.
  const ofIssuer = `"actor":{"issuer":${JSON.stringify(issuer)},`;
  const ofPerson = [eb("a.actor_subject", "=", subject), entryContains(ofIssuer)];
  if (type !== "token") return and(ofPerson);
  if (token === undefined) return eb.lit(false);
  return and([...ofPerson, eb("a.cluster", "is", null), entryContains(`"token":{"id":${JSON.stringify(token.id)},`)]);
}

/** Returns the condition that the text of entry `a` contains this one. */
function entryContains(text: string): Condition {
  return eb(eb.fn<number>("strpos", ["a.entry", eb.val(text)]), ">", 0);
}

/** Applies the same rule to one entry. An unreadable entry requires the right to read everything. */
export function mayReadEntry(actor: Actor, entry: AuditEntry | undefined): boolean {
  if (readsEverything(actor.rights)) return true;
  if (entry === undefined) return false;
  const { cluster, namespace = "", kind = null, name = "" } = entry.target ?? {};
  if (cluster !== undefined && mayRead(actor.rights, { cluster, namespace, kind, name })) return true;
  if (entry.actor.subject !== actor.subject || entry.actor.issuer !== actor.issuer) return false;
  if (actor.type !== "token") return true;
  return cluster === undefined && actor.token !== undefined && entry.actor.token?.id === actor.token.id;
}
