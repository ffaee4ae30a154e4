import { sql } from "kysely";
import type { AuditItem } from "#lib/contract/audit.ts";
import {
  type SearchAnswer,
  type SearchHit,
  type SearchKind,
  type SearchQuery,
  searchKinds,
} from "#lib/contract/search.ts";
import { isOneOf } from "#lib/server/platform/db/conditions.ts";
import { type Connection, readRows } from "#lib/server/platform/db/run-query.ts";
import type { Call } from "#lib/server/process/service-context.ts";
import { selectAuditItems, serializeAuditItem } from "#lib/server/records/audit-item.ts";
import { parseSearch } from "#lib/server/records/parse-search.ts";
import { searchedExperiments, searchedRuns, searchedTemplates } from "./search-analysis.ts";
import { searchedAudit } from "./search-audit.ts";
import { searchedFindings, searchedMessages } from "./search-findings.ts";
import { searchedPeople } from "./search-people.ts";
import { searchedReleases, searchedRollouts } from "./search-rollouts.ts";
import type { Asked, Searched } from "./searched.ts";

type Found = { kind: SearchKind; place: number; at: Date; hit: unknown };

const searchedKinds: { [Kind in SearchKind]: Searched<Kind extends "audit" ? string : SearchHit<Kind>> } = {
  rollouts: searchedRollouts,
  releases: searchedReleases,
  runs: searchedRuns,
  experiments: searchedExperiments,
  templates: searchedTemplates,
  findings: searchedFindings,
  people: searchedPeople,
  messages: searchedMessages,
  audit: searchedAudit,
};

/** Kinds whose hits are whole: those of the audit log are numbers, whose entries are read next. */
const wholeKinds = searchKinds.filter((kind) => kind !== "audit");

/** Finds these words: in the audit log, and at the same time in all other kinds by one statement. */
export async function search({ ctx, input }: Call<SearchQuery>): Promise<SearchAnswer> {
  const { pool } = ctx.runtime;
  const terms = parseSearch(input.q);
  const asked = { actor: ctx.actor, terms, limit: input.limit + 1 };
  const groupOf = <Kind extends SearchKind>(rows: readonly Found[], kind: Kind) => {
    const found = rows.filter((row) => row.kind === kind).sort((one, other) => one.place - other.place);
    return {
      items: found.slice(0, input.limit).map(({ hit, at }) => searchedKinds[kind].toHit(hit, at.toISOString())),
      more: found.length > input.limit,
    };
  };
  const findEntries = async () => {
    const numbers = groupOf(await readFound(pool, asked, ["audit"]), "audit");
    return { ...numbers, items: await readEntries(pool, numbers.items) };
  };
  const [rows, audit] = await Promise.all([readFound(pool, asked, wholeKinds), findEntries()]);
  return {
    rollouts: groupOf(rows, "rollouts"),
    releases: groupOf(rows, "releases"),
    runs: groupOf(rows, "runs"),
    experiments: groupOf(rows, "experiments"),
    templates: groupOf(rows, "templates"),
    findings: groupOf(rows, "findings"),
    people: groupOf(rows, "people"),
    messages: groupOf(rows, "messages"),
    audit,
    tooShort: !terms.some(({ isLong }) => isLong),
  };
}

async function readFound(pool: Connection, asked: Asked, kinds: readonly SearchKind[]): Promise<Found[]> {
  const queries = kinds.flatMap((kind) => {
    const query = searchedKinds[kind].find(asked);
    if (query === undefined) return [];
    return sql`(SELECT ${kind}::text AS kind, row_number() OVER ()::int AS place, found.at, found.hit FROM (${query}) found)`;
  });
  if (queries.length === 0) return [];
  return readRows(pool, sql<Found>`${sql.join(queries, sql` UNION ALL `)}`);
}

async function readEntries(pool: Connection, numbers: readonly string[]): Promise<AuditItem[]> {
  if (numbers.length === 0) return [];
  const query = selectAuditItems.where(({ ref }) => isOneOf(ref("a.seq"), numbers, "int8")).orderBy("a.seq", "desc");
  return (await readRows(pool, query)).map(serializeAuditItem);
}
