import type { Pool } from "pg";
import {
  commitTimeAnnotation,
  deriveWaits,
  type ReleaseWait,
  readCommitTime,
} from "#lib/domain/insights/release-times.ts";
import { readObservation } from "#lib/domain/providers.ts";
import { inTransaction } from "#lib/server/platform/db/in-transaction.ts";
import { prepareInsert } from "#lib/server/platform/db/prepare-insert.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { type RowOf, readRows, write } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import { isTracing, type PastSpan, sendPastSpans } from "#lib/server/platform/telemetry/tracing.ts";
import { readAnnotations } from "#lib/server/recording/history/read-annotations.ts";
import { mostObservations, selectReleaseObservations } from "#lib/server/recording/history/release-observations.ts";
import { storableName } from "#lib/server/recording/store/text-fields.ts";
import { asTime } from "#lib/server/records/list-cursor.ts";
import { makeReleaseTrace } from "./trace-release.ts";

const maxPerPass = 100;

/** Ended releases whose figures are missing or outdated. Repeats the condition of the index `release_figures_due`. */
const selectDue = tables
  .selectFrom("release as l")
  .select(["l.id", "l.rollout_id", "l.run_key", "l.started_at", "l.ended_at"])
  // A Date would lose microseconds, and the row would never match.
  .select(({ cast }) => cast<string>("l.updated_at", "text").as("updated_at"))
  .where("l.ended_at", "is not", null)
  .whereRef("l.figured_at", "is distinct from", "l.updated_at")
  .orderBy("l.updated_at", "desc")
  .limit(maxPerPass);
type DueRelease = RowOf<typeof selectDue>;

const insertWaits = prepareInsert({
  table: "release_wait",
  columns: {
    release_id: "uuid",
    ord: "int4",
    from_at: "timestamptz",
    to_at: "timestamptz",
    activity: "text",
    run_name: "text",
  },
});

/** A release that ended longer ago is not traced: its figures may be derived again at any time. */
const tracedForMs = 24 * 3_600_000;

/**
 * Makes one pass over the releases that have ended and whose figures are due: when it waited for people, and when its
 * commit was made. Known figures stay if the observations are no longer stored. Several recorders may run this at once.
 * A release that ended lately is traced, before its figures are stored: after a kill it is due again, and sent again.
 * Resolves with the number of releases that were stored.
 */
export async function computeDueReleaseFigures(pool: Pool, { signal }: { signal?: AbortSignal } = {}): Promise<number> {
  const figured: Figured[] = [];
  let stored = 0;
  try {
    for (const due of await readRows(pool, selectDue)) {
      if (signal?.aborted) break;
      figured.push({ due, ...(await computeFigures(pool, due)) });
    }
  } finally {
    // One release that cannot be read does not hold up those before it.
    await sendPastSpans(figured.flatMap(({ trace }) => trace));
    for (const each of figured) {
      if (signal?.aborted) break;
      if (await storeFigures(pool, each)) stored++;
    }
  }
  return stored;
}

type Figures = { waits: ReleaseWait[] | undefined; committed: Date | undefined; trace: PastSpan[] };
type Figured = Figures & { due: DueRelease };

async function computeFigures(pool: Pool, due: DueRelease): Promise<Figures> {
  const { ended_at: endedAt } = due;
  const rows = await readRows(pool, selectReleaseObservations(due).orderBy("o.id").limit(mostObservations));
  const annotationsOf = await readAnnotations(pool, due);
  const committed = readCommitTime(annotationsOf(commitTimeAnnotation), due.started_at);
  if (endedAt === null || rows.length === 0) return { waits: undefined, committed, trace: [] };
  const observations = rows.map((row) => readObservation({ ...toStored(row), provider: row.provider }));
  const isTraced = isTracing() && Date.now() - endedAt.getTime() < tracedForMs;
  return {
    waits: deriveWaits(observations, endedAt.getTime()),
    committed,
    trace: isTraced ? await makeReleaseTrace(pool, { ...due, ended_at: endedAt }, observations) : [],
  };
}

async function storeFigures(pool: Pool, { due, waits, committed }: Figured): Promise<boolean> {
  return inTransaction(pool, async (tx) => {
    // Locks the row: two recorders must not write the same waits.
    const done = await write(
      tx,
      tables
        .updateTable("release")
        .set(({ ref }) => ({
          figured_at: ref("updated_at"),
          ...(waits === undefined ? {} : { waiting_seconds: sumSeconds(waits) }),
          ...(committed === undefined ? {} : { committed_at: committed }),
        }))
        .where("rollout_id", "=", due.rollout_id)
        .where("id", "=", due.id)
        .where("updated_at", "=", asTime(due.updated_at))
        .whereRef("figured_at", "is distinct from", "updated_at"),
    );
    if (done === 0) return false;
    if (waits === undefined) return true;
    await prismaOn(tx).releaseWait.deleteMany({ where: { releaseId: due.id } });
    await insertWaits(
      tx,
      waits.map(({ fromMs, toMs, activity, run }, ord) => ({
        release_id: due.id,
        ord,
        from_at: new Date(fromMs).toISOString(),
        to_at: new Date(toMs).toISOString(),
        activity,
        run_name: run === null ? null : storableName(run),
      })),
    );
    return true;
  });
}

function toStored(row: RowOf<ReturnType<typeof selectReleaseObservations>>) {
  return {
    observedAt: row.observed_at.toISOString(),
    resourceVersion: row.resource_version,
    writer: row.writer,
    projection: row.projection,
  };
}

function sumSeconds(waits: readonly ReleaseWait[]): number {
  return waits.reduce((sum, { fromMs, toMs }) => sum + (toMs - fromMs), 0) / 1000;
}
