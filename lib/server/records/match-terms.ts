import { type Expression, expressionBuilder, sql } from "kysely";
import { allOf, type Condition } from "#lib/server/platform/db/conditions.ts";
import type { SearchTerm } from "./parse-search.ts";

type Matching = {
  /** The condition that a row's own text has the term: by an index, if the term is long. */
  own: (term: SearchTerm) => Condition;
  /** The condition that the row's owner has the term, for example in the rollout's name. */
  around?: (term: SearchTerm) => Condition;
  /** Which terms own text is searched for first; without it, the long ones. */
  leads?: (term: SearchTerm) => boolean;
};

/**
 * Returns the condition that a row has all terms, and at least one of them in its own text; undefined if none of the
 * terms can be found by an index.
 */
export function matchTerms(
  terms: readonly SearchTerm[],
  { own, around, leads = ({ isLong }) => isLong }: Matching,
): Condition | undefined {
  const { or } = expressionBuilder();
  const leading = terms.filter(leads);
  if (leading.length === 0) return undefined;
  const isLed = or(leading.map(own));
  if (terms.length === 1) return isLed;
  return allOf([isLed, ...terms.map((term) => (around === undefined ? own(term) : or([own(term), around(term)])))]);
}

/** Returns the condition that the text contains the term, in either case. */
export function hasPart(text: Expression<string | null>, { anywhere }: SearchTerm): Condition {
  return expressionBuilder()(text, "ilike", anywhere);
}

/** Returns the condition that the text, which has no capitals, starts with the term. */
export function startsWith(text: Expression<string | null>, { atStart }: SearchTerm): Condition {
  return expressionBuilder()(text, "like", atStart);
}

/** Returns the condition that these words, of `search_words` or alike, include those of the term. */
export function hasWords(vector: Expression<unknown>, { words }: SearchTerm): Condition {
  const eb = expressionBuilder();
  return words === undefined
    ? eb.lit(false)
    : eb(vector, "@@", eb.fn("to_tsquery", [sql.lit("simple"), eb.val(words)]));
}

/** The words of a text, as the indexes have them. */
export function wordsOf(text: Expression<unknown>): Expression<unknown> {
  return expressionBuilder().fn("search_words", [text]);
}

/** Returns the condition that a message has the term. Rows without a message are not in the indexes of words. */
export function messageMatches(message: Expression<string>, term: SearchTerm): Condition {
  const eb = expressionBuilder();
  return eb.and([eb(message, "<>", sql.lit("")), hasWords(wordsOf(message), term)]);
}
