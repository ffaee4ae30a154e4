/** A word of a search, ready for each way in which it is looked for. */
export type SearchTerm = {
  text: string;
  /** Patterns of LIKE: the text anywhere, and at the beginning. */
  anywhere: string;
  atStart: string;
  /** A tsquery for `search_words`: its words in this order, the last one perhaps a prefix; undefined without words. */
  words: string | undefined;
  /** Whether an index can find it: shorter ones match too much. */
  isLong: boolean;
  /** Number of an audit entry, with or without `#`; with `#`, the term has no words. */
  number: string | undefined;
};

const mostTerms = 8;
const inThisOrder = " <-> ";
/** As in `search_words` (prisma/migrations). */
const punctuation = /[!-/:-@[-`{-~\s]+/;

/** Returns the term with its words in any order and place: a word index alone can answer that, and finds no less. */
export function loosen(term: SearchTerm): SearchTerm {
  return { ...term, words: term.words?.replaceAll(inThisOrder, " & ") };
}

/** Splits the text of a search into its terms. Terms after the eighth are left out. */
export function parseSearch(q: string): SearchTerm[] {
  return [...new Set(q.split(/\s+/).filter((text) => text !== ""))].slice(0, mostTerms).map(toTerm);
}

function toTerm(text: string): SearchTerm {
  const literal = text.replace(/[\\%_]/g, "\\$&");
  const number = /^#?([1-9]\d{0,14})$/.exec(text)?.[1];
  const isOnlyNumber = number !== undefined && text.startsWith("#");
  const words = isOnlyNumber ? [] : text.split(punctuation).filter((word) => word !== "");
  return {
    text,
    anywhere: `%${literal}%`,
    atStart: `${literal.toLowerCase()}%`,
    words: words.length === 0 ? undefined : `${words.map((word) => `'${word}'`).join(inThisOrder)}:*`,
    // Punctuation counts, since a trigram may begin or end with it: `v5.3` has "v5 " and "  3".
    isLong: text.length >= 3 && words.join("").length >= 2,
    number,
  };
}
