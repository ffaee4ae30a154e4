import type { Condition } from "#lib/server/platform/db/conditions.ts";
import { fragment } from "#lib/server/platform/db/tables.ts";
import { hasWords, matchTerms } from "./match-terms.ts";
import { parseSearch, type SearchTerm } from "./parse-search.ts";

const eb = fragment<{ a: "audit_entry" }>();

/** The searchable words of entry `a`, as in its index; the reason is only in the text of the entry. */
const words = eb.fn("audit_words", [
  "a.actor_name",
  "a.actor_subject",
  "a.code",
  "a.cluster",
  "a.namespace",
  "a.name",
  "a.entry",
]);

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
  return eb.or([hasWords(words, term), eb("a.seq", "=", term.number)]);
}
