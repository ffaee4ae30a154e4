import { sql } from "kysely";
import { type Connection, readRows } from "#lib/server/platform/db/run-query.ts";
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
            sql<boolean>`n.entry ~ '"problem":"(frozen|reauthentication_required|reason_required|second_person_required)"'`,
          ]),
          eb.and([eb("n.outcome", "=", "intent"), sql<boolean>`position('"brokenFreeze":' in n.entry) > 0`]),
        ]),
      )
      .select([
        sql<string>`CASE WHEN n.outcome = 'refused' THEN ${named("problem")} ELSE '"broken"' END`.as("use"),
        sql<string | null>`COALESCE(${named("policy")}, ${named("brokenFreeze")})`.as("policy"),
        sql<string>`count(*)`.as("count"),
      ])
      .groupBy([sql`1`, sql`2`]),
  );
  const [edge] = await readRows(
    connection,
    tables.selectFrom("audit_entry as a").select("a.time").orderBy("a.seq", "desc").offset(mostEntries).limit(1),
  );
  return {
    uses: rows.map(({ use, policy, count }) => ({
      use: unquote(use) ?? "",
      policy: unquote(policy),
      count: Number(count),
    })),
    complete: edge === undefined || edge.time < since,
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
  const rows = await readRows(
    connection,
    tables
      .selectFrom("approval as p")
      .where("p.requested_at", ">=", since)
      .select(["p.rule", sql<string>`count(*)`.as("requested")])
      .select(sql<string>`count(*) FILTER (WHERE p.decision = 'approved')`.as("approved"))
      .groupBy("p.rule"),
  );
  return new Map(
    rows.map(({ rule, requested, approved }) => [rule, { requested: Number(requested), approved: Number(approved) }]),
  );
}
