import { isDeepStrictEqual } from "node:util";
import { type Expression, type RawBuilder, sql } from "kysely";
import { jsonBuildObject } from "kysely/helpers/postgres";
import { isReadableAudit } from "#lib/server/pages/audit/readable-audit.ts";
import { allOf, type Condition } from "#lib/server/platform/db/conditions.ts";
import { fragment, tables } from "#lib/server/platform/db/tables.ts";
import { hasAuditTerms } from "#lib/server/records/audit-item.ts";
import { loosen } from "#lib/server/records/parse-search.ts";
import { type Asked, searched } from "./searched.ts";

/** Newest entries that are searched first for the words in their order: several times the number shown. */
const lookedThrough = 50;

type Found = { at: Date; hit: { seq: string } };

const { ref, cast } = fragment<{ a: "audit_entry" }>();

/** Finds only the numbers of entries; their other columns are read by number. */
export const searchedAudit = searched({
  find: ({ actor, terms, limit }) => {
    const matches = hasAuditTerms(terms);
    if (matches === undefined) return undefined;
    const loose = terms.map(loosen);
    const mayMatch = isDeepStrictEqual(terms, loose) ? undefined : hasAuditTerms(loose);
    return selectNewest({ actor, limit, matches, mayMatch });
  },
  toHit: ({ seq }) => seq,
});

/**
 * Selects the newest entries that match. `mayMatch` is the same without the order of words, if that differs: the index
 * has the words of an entry, not their order, and to compare it PostgreSQL would extract the words of every such entry
 * again. So the order is compared among the newest ones first, and among older ones only if these are too few.
 */
function selectNewest({
  actor,
  limit,
  matches,
  mayMatch,
}: Pick<Asked, "actor" | "limit"> & { matches: Condition; mayMatch: Condition | undefined }): RawBuilder<Found> {
  const readable = isReadableAudit(actor);
  const entries = (condition: Condition, most: number) =>
    tables
      .selectFrom("audit_entry as a")
      .selectAll("a")
      .where(() => allOf([readable, condition]))
      .orderBy("a.seq", "desc")
      .limit(most);
  const shown = (found: Expression<unknown>) => sql<Found>`SELECT ${ref("a.time")} AS at,
    ${jsonBuildObject({ seq: cast<string>("a.seq", "text") })} AS hit FROM (${found}) a`;
  if (mayMatch === undefined) return shown(entries(matches, limit));
  const isOlder = sql<boolean>`${ref("a.seq")} < (SELECT min(seq) FROM near)
    AND (SELECT count(*) FROM near) = ${lookedThrough} AND (SELECT count(*) FROM exact) < ${limit}`;
  // `near` is in order: the first that match are the newest.
  return sql<Found>`WITH near AS MATERIALIZED (${entries(mayMatch, lookedThrough)}),
    exact AS MATERIALIZED (SELECT * FROM near a WHERE ${matches} LIMIT ${limit}),
    far AS (${entries(allOf([isOlder, matches]), limit)})
    ${shown(sql`SELECT * FROM exact UNION ALL SELECT * FROM far`)} ORDER BY ${ref("a.seq")} DESC LIMIT ${limit}`;
}
