import { sql } from "kysely";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { type Connection, readRows } from "#lib/server/platform/db/run-query.ts";
import { countRows } from "#lib/server/platform/db/sql-functions.ts";
import { tables } from "#lib/server/platform/db/tables.ts";

/** More entries are not looked at: the log has no index by time, and the page must not wait. */
const mostEntries = 50_000;

/** Uses of one policy since a time, counted in the newest entries of the log. */
export type PolicyUse = {
  /** `problem` of the refusal, or `broken` for an action despite a freeze. */
  use: string;
  /** Name of the freeze or rule; null if the entry names none. */
  policy: string | null;
  count: number;
};

/** Counts refusals by policies, and actions despite a freeze. `complete` is false if there are too many entries. */
export async function countPolicyUses(
  connection: Connection,
  since: Date,
): Promise<{ uses: PolicyUse[]; complete: boolean }> {
  const newest = tables
    .selectFrom("audit_entry as a")
    .select(["a.seq", "a.time", "a.outcome", "a.action", "a.entry"])
    .orderBy("a.seq", "desc")
    .limit(mostEntries);
  // By pattern, not as JSON: one text that was tampered with must not fail the whole read.
  const named = (key: string) => sql<string | null>`substring(n.entry FROM ${`"${key}":("(?:[^"\\\\]|\\\\.)*")`})`;
  const rows = await readRows(
    connection,
    tables
      .with("newest", () => newest)
      .selectFrom("newest as n")
      .where("n.time", ">=", since)
      .where("n.action", "is not", null)
      .where((eb) =>
        eb.or([
          eb.and([
            eb("n.outcome", "=", "refused"),
            eb("n.entry", "~", '"problem":"(frozen|reauthentication_required|reason_required|second_person_required)"'),
          ]),
          eb.and([eb("n.outcome", "=", "intent"), eb("n.entry", "like", '%"brokenFreeze":%')]),
        ]),
      )
      .select((eb) => [
        eb.case().when("n.outcome", "=", "refused").then(named("problem")).else('"broken"').end().as("use"),
        eb.fn.coalesce(named("policy"), named("brokenFreeze")).as("policy"),
        countRows().as("count"),
      ])
      .groupBy(["use", "policy"]),
  );
  const edge = await prismaOn(connection).auditEntry.findFirst({
    select: { time: true },
    orderBy: { seq: "desc" },
    skip: mostEntries,
  });
  return {
    uses: rows.map(({ use, policy, count }) => ({ use: unquote(use) ?? "", policy: unquote(policy), count })),
    complete: edge === null || edge.time < since,
  };
}

/** Parses a text as the canonical form quotes it; null if it cannot be parsed. */
function unquote(quoted: string | null): string | null {
  try {
    return quoted === null ? null : String(JSON.parse(quoted));
  } catch {
    return null;
  }
}

/** How many approvals were requested and given since a time, by the rule's name. */
export async function countApprovals(
  connection: Connection,
  since: Date,
): Promise<Map<string, { requested: number; approved: number }>> {
  const groups = await prismaOn(connection).approval.groupBy({
    by: ["rule", "decision"],
    where: { requestedAt: { gte: since } },
    _count: true,
  });
  const sum = (counted: readonly { _count: number }[]) => counted.reduce((total, { _count }) => total + _count, 0);
  return new Map(
    [...Map.groupBy(groups, ({ rule }) => rule)].map(([rule, own]) => [
      rule,
      { requested: sum(own), approved: sum(own.filter(({ decision }) => decision === "approved")) },
    ]),
  );
}
