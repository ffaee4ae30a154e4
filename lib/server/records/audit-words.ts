import { type SqlBool, sql } from "kysely";
import type { Condition } from "#lib/server/platform/db/conditions.ts";
import { fragment } from "#lib/server/platform/db/tables.ts";
import { hasWords, matchTerms } from "./match-terms.ts";
import { parseSearch, type SearchTerm } from "./parse-search.ts";

const eb = fragment<{ a: "audit_entry" }>();

/** The searchable words of entry `a`, as in its index; the reason is only in the text of the entry. */
const words = sql`audit_words(${eb.ref("a.actor_name")}, ${eb.ref("a.actor_subject")}, ${eb.ref("a.code")},
  ${eb.ref("a.cluster")}, ${eb.ref("a.namespace")}, ${eb.ref("a.name")}, ${eb.ref("a.entry")})`;

/** Returns the condition that entry `a` has all terms, or has one as its number. */
export function hasAuditTerms(terms: readonly SearchTerm[]): Condition | undefined {
  return matchTerms(terms, {
    own: hasTerm,
    leads: ({ isLong, number }) => isLong || number !== undefined,
  });
}

/** Returns the condition that entry `a` has all terms of the text; undefined if there is none to look for. */
export function hasAuditText(text: string | undefined): Condition | undefined {
  const terms = parseSearch(text ?? "");
  return terms.length === 0 ? undefined : eb.and(terms.map(hasTerm));
}

function hasTerm(term: SearchTerm): Condition {
  if (term.number === undefined) return hasWords(words, term);
  return eb.or([hasWords(words, term), sql<SqlBool>`${eb.ref("a.seq")} = ${term.number}::bigint`]);
}
