import { sql } from "kysely";
import { type ReleaseFigure, undoneWithinHours } from "#lib/domain/insights/figures.ts";
import type { Condition } from "#lib/server/platform/db/conditions.ts";
import { secondsAfter } from "#lib/server/platform/db/database-time.ts";
import { endOfTime, hourOf, secondsBetween } from "#lib/server/platform/db/sql-functions.ts";
import { fragment } from "#lib/server/platform/db/tables.ts";
import { atClusterClock, clusterTimeSeconds, isRunSince } from "#lib/server/records/release-row.ts";

const eb = fragment<{ l: "release" }>();
const { ref, and, or, not, exists } = eb;

/** The first release that was promoted after release `l`. */
function selectNextPromoted() {
  return eb
    .selectFrom("release as n")
    .whereRef("n.rollout_id", "=", "l.rollout_id")
    .where("n.state", "=", "promoted")
    .whereRef("n.ended_at", ">", "l.ended_at")
    .whereRef("n.id", "<>", "l.id")
    .orderBy("n.ended_at")
    .limit(1);
}

/** Whether a version was promoted before release `l` began. */
function selectEarlier(runKey: ReturnType<typeof sql.ref<string>>) {
  return eb
    .selectFrom("release as p")
    .select("p.id")
    .whereRef("p.rollout_id", "=", "l.rollout_id")
    .where("p.state", "=", "promoted")
    .where("p.run_key", "=", runKey)
    .whereRef("p.ended_at", "<=", "l.started_at");
}

/** The release that undid release `l`: the next promoted one, begun in time, of a version that was promoted before. */
const undo = eb
  .selectFrom(selectNextPromoted().select(["n.run_key", "n.started_at", "n.ended_at"]).as("next"))
  .whereRef("next.run_key", "<>", "l.run_key")
  .whereRef("next.started_at", ">=", "l.ended_at")
  .where("next.started_at", "<=", secondsAfter(ref("l.ended_at"), undoneWithinHours * 3600))
  .where(exists(selectEarlier(sql.ref<string>("next.run_key"))));

/** Release `l` was fully promoted, and undone within a day. */
export const isUndone = and([eb("l.state", "=", "promoted"), exists(undo.select("next.run_key"))]);

const isDecided = or([eb("l.state", "=", "promoted"), eb("l.state", "=", "aborted")]);
const isOpen = or([eb("l.state", "=", "progressing"), eb("l.state", "=", "paused")]);
const isFailed = or([eb("l.state", "=", "aborted"), isUndone]);

/**
 * When what followed a failure of release `l` was fully promoted, in seconds from its beginning; null if nothing was, or
 * if it did not fail. A failure begins with the abort; that of a release which was undone, with the first degradation
 * after its promotion, or else with the undo.
 */
export const recoverySeconds = eb
  .case()
  .when("l.state", "=", "aborted")
  .then(selectNextPromoted().select(({ ref: of }) => secondsBetween(ref("l.ended_at"), of("n.ended_at")).as("seconds")))
  .when("l.state", "=", "promoted")
  .then(
    undo.select(({ ref: of, selectFrom, fn }) => {
      const degraded = selectFrom("timeline_event as e")
        .select(({ fn: of }) => of.min("e.at").as("at"))
        .whereRef("e.rollout_id", "=", "l.rollout_id")
        .where("e.phase", "=", "Degraded")
        .whereRef("e.at", ">", "l.ended_at")
        .whereRef("e.at", "<", "next.started_at");
      return secondsBetween(fn.coalesce(degraded, "next.started_at"), of("next.ended_at")).as("seconds");
    }),
  )
  .end()
  .$castTo<number | null>();

/** Release `l` had an Inconclusive analysis in its time. */
export const isInconclusive = exists(
  eb
    .selectFrom("analysis_run as a")
    .select("a.uid")
    .where("a.phase", "=", "Inconclusive")
    .whereRef("a.rollout_id", "=", "l.rollout_id")
    .whereRef("a.pod_hash", "=", "l.run_key")
    .where(isRunSince(ref("l.started_at")))
    .where((a) => {
      const end = atClusterClock(a.fn.coalesce("l.ended_at", endOfTime), a.ref("a.clock_skew_ms"));
      return a("a.created_at", "<=", secondsAfter(end, clusterTimeSeconds));
    }),
);

/** Seconds from the commit to the full promotion of release `l`; null if either is not known. */
export const leadSeconds = eb
  .case()
  .when("l.state", "=", "promoted")
  .then(secondsBetween(ref("l.committed_at"), ref("l.ended_at")))
  .end();

/** The condition that release `l` is counted by a figure. */
export const releaseFigureConditions: Readonly<Record<ReleaseFigure, Condition>> = {
  decided: isDecided,
  open: isOpen,
  inconclusive: and([isDecided, isInconclusive]),
  undone: isUndone,
  failed: isFailed,
  recovered: and([isFailed, eb(recoverySeconds, "is not", null)]),
  unrecovered: and([isFailed, eb(recoverySeconds, "is", null)]),
  ended: not(isOpen),
  waited: and([not(isOpen), eb("l.waiting_seconds", ">", 0)]),
  waitUnknown: and([not(isOpen), eb("l.waiting_seconds", "is", null)]),
  committed: eb(leadSeconds, "is not", null),
  uncommitted: and([eb("l.state", "=", "promoted"), eb(leadSeconds, "is", null)]),
};

/** The condition that release `l` began to wait for a person at some time in this hour of a day. */
export function waitedFromHour(hour: number, timeZone: string): Condition {
  return and([
    not(isOpen),
    exists(
      eb
        .selectFrom("release_wait as w")
        .select("w.ord")
        .whereRef("w.release_id", "=", "l.id")
        .where((w) => w(hourOf(w.ref("w.from_at"), timeZone), "=", hour)),
    ),
  ]);
}
