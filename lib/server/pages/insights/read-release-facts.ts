import { type Expression, sql } from "kysely";
import type { Period } from "#lib/domain/insights/period.ts";
import type { ReleaseFacts } from "#lib/domain/insights/summarise-releases.ts";
import type { Rights } from "#lib/domain/policy/rights.ts";
import { isReadable } from "#lib/server/people/permission/read-scope.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { allOf } from "#lib/server/platform/db/conditions.ts";
import { type Connection, type RowOf, readRows } from "#lib/server/platform/db/run-query.ts";
import { hourOf } from "#lib/server/platform/db/sql-functions.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import { rolloutPlace } from "#lib/server/records/rollout-row.ts";
import { type InsightFilter, isAskedFor, isWithin } from "./insight-filter.ts";
import { isInconclusive, isUndone, leadSeconds, recoverySeconds } from "./release-conditions.ts";

/** More releases in a period, or in the one before, are refused: figures of a part would be wrong. */
const mostReleases = 50_000;

const selectFacts = tables
  .selectFrom("release as l")
  .innerJoin("rollout as r", "r.id", "l.rollout_id")
  .select([
    "l.id",
    "r.cluster",
    "r.namespace",
    "r.kind",
    "r.name",
    "l.state",
    "l.waiting_seconds",
    isUndone.$castTo<boolean>().as("is_undone"),
    recoverySeconds.as("recovery_seconds"),
    leadSeconds.as("lead_seconds"),
  ])
  .select((eb) =>
    eb
      .case()
      .when("l.state", "in", ["promoted", "aborted"])
      .then(isInconclusive.$castTo<boolean>())
      .else(false)
      .end()
      .as("is_inconclusive"),
  );

export type FactRow = RowOf<ReturnType<typeof selectDays>>;

function selectDays(timeZone: string) {
  return selectFacts.select(({ ref }) =>
    sql<string>`to_char(${ref("l.started_at")} AT TIME ZONE ${timeZone}, 'YYYY-MM-DD')`.as("day"),
  );
}

type Asked = { filter: Omit<InsightFilter, "period">; rights: Rights };

/** Reads what is counted of every release that began within the period. Throws `invalid_request` if they are too many. */
export async function readReleaseFacts(
  pool: Connection,
  { filter, rights, period, timeZone }: Asked & { period: Period; timeZone: string },
): Promise<FactRow[]> {
  const rows = await readRows(
    pool,
    selectDays(timeZone)
      .where(({ ref }) =>
        allOf([isWithin(ref("l.started_at"), period), isAskedFor(filter), isReadable(rights, rolloutPlace)]),
      )
      .limit(mostReleases + 1),
  );
  if (rows.length <= mostReleases) return rows;
  const reason = `more than ${mostReleases} releases began in the period: choose a shorter one, a cluster or a namespace`;
  throw new ServiceError("invalid_request", `from: ${reason}`, { invalidParams: [{ name: "from", reason }] });
}

export function toFacts(row: FactRow, frozenMs = 0): ReleaseFacts {
  return {
    state: row.state,
    isUndone: row.is_undone,
    isInconclusive: row.is_inconclusive,
    recoverySeconds: row.recovery_seconds,
    leadSeconds: row.lead_seconds,
    waitingSeconds: row.waiting_seconds,
    frozenSeconds: frozenMs / 1000,
  };
}

/** Reads the waits of ended releases that began within the period, with the hour of the day at which each began. */
export async function readWaits(
  pool: Connection,
  { filter, rights, period, timeZone }: Asked & { period: Period; timeZone: string },
) {
  return readRows(
    pool,
    tables
      .selectFrom("release as l")
      .innerJoin("rollout as r", "r.id", "l.rollout_id")
      .innerJoin("release_wait as w", "w.release_id", "l.id")
      .select(({ ref }) => [
        "l.id",
        millisecondsOf(ref("w.from_at")).as("from_ms"),
        millisecondsOf(ref("w.to_at")).as("to_ms"),
        hourOf(ref("w.from_at"), timeZone).as("hour"),
      ])
      .where(({ ref }) =>
        allOf([isWithin(ref("l.started_at"), period), isAskedFor(filter), isReadable(rights, rolloutPlace)]),
      )
      .where("l.state", "not in", ["progressing", "paused"]),
  );
}

function millisecondsOf(time: Expression<Date>) {
  return sql<number>`extract(epoch FROM ${time})::float8 * 1000`;
}

/** Returns since when a rollout that is asked for is known. */
export async function readRecordedSince(pool: Connection, { filter, rights }: Asked): Promise<Date | undefined> {
  const [row] = await readRows(
    pool,
    tables
      .selectFrom("rollout as r")
      .select(({ fn }) => fn.min("r.first_seen_at").as("since"))
      .where(() => allOf([isAskedFor(filter), isReadable(rights, rolloutPlace)])),
  );
  return row?.since ?? undefined;
}

/** Lists the days of a period in the time zone, each with its begin and end, cut to the period. */
export async function readDays(pool: Connection, { from, to }: Period, timeZone: string) {
  return readRows(
    pool,
    sql<{ day: string; from_at: Date; to_at: Date }>`
      SELECT to_char(day, 'YYYY-MM-DD') AS day,
        GREATEST(day AT TIME ZONE ${timeZone}, ${from}::timestamptz) AS from_at,
        LEAST((day + interval '1 day') AT TIME ZONE ${timeZone}, ${to}::timestamptz) AS to_at
      FROM generate_series(
        date_trunc('day', ${from}::timestamptz AT TIME ZONE ${timeZone}),
        (${to}::timestamptz - interval '1 microsecond') AT TIME ZONE ${timeZone}, interval '1 day') AS day`,
  );
}
