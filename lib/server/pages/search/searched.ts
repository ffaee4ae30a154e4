import type { Actor } from "#lib/server/platform/actor/actor.ts";
import type { Query } from "#lib/server/platform/db/run-query.ts";
import type { SearchTerm } from "#lib/server/records/parse-search.ts";

export type Asked = { actor: Actor; terms: readonly SearchTerm[]; limit: number };
type Found<Raw> = { at: Date; hit: Raw };

/** One kind of thing that is searched. */
export type Searched<Hit> = {
  /** The query for the hits, in display order; undefined if the terms are too short for it. */
  find: (asked: Asked) => Query<Found<unknown>> | undefined;
  toHit: (raw: unknown, at: string) => Hit;
};

/** Makes a kind whose hits are built from the `hit` column of its query. */
export function searched<Raw, Hit>(kind: {
  find: (asked: Asked) => Query<Found<Raw>> | undefined;
  toHit: (raw: Raw, at: string) => Hit;
}): Searched<Hit> {
  // The raw value that comes back is that of the query beside it.
  return { find: kind.find, toHit: (raw, at) => kind.toHit(raw as Raw, at) };
}
