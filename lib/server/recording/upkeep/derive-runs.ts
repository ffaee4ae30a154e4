import type { Pool, PoolClient } from "pg";
import type { ReportedMessage, ReportedRelease, ReportedRun } from "#lib/domain/delivery/reporting.ts";
import type { RolloutSample } from "#lib/domain/delivery/sampling.ts";
import { findProvider } from "#lib/domain/providers.ts";
import { inTransaction } from "#lib/server/platform/db/in-transaction.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { readRow, readRows } from "#lib/server/platform/db/run-query.ts";
import { countRows, sumOf } from "#lib/server/platform/db/sql-functions.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import type { EvaluationPool } from "#lib/server/platform/evaluation/evaluation-pool.ts";
import { type ChangeRow, writeChanges } from "#lib/server/recording/store/change-rows.ts";
import { deleteReportedRun, replaceReportedRun, reportedRunUid } from "./reported-rows.ts";

/** The current release, and one that ended just before: late messages may belong to it. */
const releasesLookedAt = 2;
/** A run of more messages, or of longer ones, stays as it was derived last. */
const mostMessages = { count: 100_000, bytes: 32 * 1024 * 1024 };
/** So many are derived here; more, or longer ones, in a thread, which is stopped after `derivedWithinMs`. */
const inlineMessages = { count: 1000, characters: 64 * 1024 };
const derivedWithinMs = 5000;
const messagesPerPart = 500;
/** How long after its end a run may still change: late messages come within an hour, and later they go by age. */
const settledMs = 24 * 3_600_000;
/** Of the time, at most this part goes into deriving the same rollout. */
const share = 1 / 20;
const maxObservations = 5_000;
const maxSamples = 100_000;

async function readReleases(tx: PoolClient, rolloutId: string) {
  return prismaOn(tx).release.findMany({
    where: { rolloutId },
    select: { id: true, runKey: true, attempt: true, revision: true, state: true, startedAt: true, endedAt: true },
    orderBy: [{ startedAt: "desc" }, { id: "asc" }],
    take: releasesLookedAt,
  });
}
type ReleaseRow = Awaited<ReturnType<typeof readReleases>>[number];

/** When a rollout may be derived again, in milliseconds of `performance.now()`. Kept only in the process. */
export type DerivingPace = Map<string, number>;

/**
 * Derives the runs of due rollouts, for about `budgetMs`: those whose controllers report runs only by messages.
 * Resolves with the number of rollouts. Several recorders may run this at once.
 */
export async function deriveDueRuns({
  pool,
  evaluations,
  pace,
  onError,
  budgetMs = 700,
}: {
  pool: Pool;
  evaluations: Pick<EvaluationPool, "run">;
  pace: DerivingPace;
  onError: (error: unknown, rolloutId: string) => void;
  budgetMs?: number;
}): Promise<number> {
  const begin = performance.now();
  const due = await readRows(
    pool,
    tables
      .selectFrom("rollout")
      .select("id")
      .where(({ ref }) => ref("runs_due"))
      .orderBy("updated_at", "desc")
      .limit(500),
  );
  for (const [id, until] of pace) if (until <= begin) pace.delete(id);
  let done = 0;
  for (const { id } of due) {
    const from = performance.now();
    if (from - begin > budgetMs) break;
    if (pace.has(id)) continue;
    await deriveRuns({ pool, evaluations, onError }, id).then(
      () => done++,
      (error: unknown) => onError(error, id),
    );
    const tookMs = performance.now() - from;
    // A short one need not wait.
    if (tookMs > 50) pace.set(id, performance.now() + tookMs / share);
  }
  return done;
}

type Deriving = Omit<Parameters<typeof deriveDueRuns>[0], "pace" | "budgetMs">;

/** Whatever comes while it derives makes the rollout due again: it waits for the row that this locks first. */
async function deriveRuns(deriving: Deriving, rolloutId: string): Promise<void> {
  await inTransaction(deriving.pool, async (tx) => {
    const [rollout] = await prismaOn(tx).rollout.updateManyAndReturn({
      where: { id: rolloutId, runsDue: true },
      data: { runsDue: false },
      select: { id: true, cluster: true, namespace: true, kind: true, name: true, uid: true, object: true },
    });
    if (rollout === undefined || findProvider(rollout.kind)?.reporting === undefined) return;
    const { cluster, namespace, kind, name } = rollout;
    const now = new Date().toISOString();
    const changes: ChangeRow[] = [];
    for (const row of await readReleases(tx, rolloutId)) {
      const reported = await readReported(tx, { rollout, row });
      if (reported === undefined) continue;
      const derived = await deriveRun(deriving, { rollout, reported });
      if (derived === "too-long") continue;
      const { run } = derived;
      const place = { rollout, release: { ...reported.release, id: row.id, revision: row.revision } };
      const uid =
        run === undefined
          ? await deleteReportedRun(tx, { releaseId: row.id, rolloutId })
          : await replaceReportedRun(tx, { run, place, now });
      if (uid === undefined) continue;
      const op = run === undefined ? "delete" : "upsert";
      changes.push({ kind: "analysis-run", ref: uid, op, cluster, namespace, object_kind: kind, name });
    }
    await writeChanges(tx, changes);
  });
}

/** Derives a run. Refuses one that takes too long: the run stays as it was derived last, until there is news. */
async function deriveRun(
  { evaluations, onError }: Deriving,
  {
    rollout: { id, kind, cluster },
    reported,
  }: { rollout: { id: string; kind: string; cluster: string }; reported: ReportedRelease },
): Promise<{ run: ReportedRun | undefined } | "too-long"> {
  const { messages, ...rest } = reported;
  const characters = messages.reduce((sum, { text }) => sum + text.length, 0);
  if (messages.length <= inlineMessages.count && characters <= inlineMessages.characters)
    return { run: findProvider(kind)?.reporting?.deriveRun(reported) };
  const parts = Array.from({ length: Math.ceil(messages.length / messagesPerPart) }, (_, index) =>
    messages.slice(index * messagesPerPart, (index + 1) * messagesPerPart),
  );
  const request = { owner: `runs of ${cluster}`, most: 1, limitMs: derivedWithinMs, waitMs: 60_000, parts };
  const outcome = await evaluations.run("deriveRun", { ...rest, kind }, request);
  if ("value" in outcome) return { run: outcome.value };
  if (outcome.refused !== "too-long") throw new Error(`no run was derived: ${outcome.error ?? outcome.refused}`);
  onError(new Error(`it took longer than ${derivedWithinMs} ms for ${messages.length} messages`), id);
  return "too-long";
}

type Reported = { rollout: { id: string; object: unknown }; row: ReleaseRow };

/** Returns undefined if its run stays as it is: it has long ended, or there is too much. */
async function readReported(tx: PoolClient, { rollout, row }: Reported): Promise<ReportedRelease | undefined> {
  const stored = await prismaOn(tx).analysisRun.findFirst({
    where: { rolloutId: rollout.id, uid: reportedRunUid(row.id) },
    select: { spec: true, completedAt: true },
  });
  const endedAt = stored?.completedAt?.getTime();
  if (endedAt !== undefined && endedAt < Date.now() - settledMs) return undefined;
  const messages = await readMessages(tx, { rollout, row });
  if (messages === undefined) return undefined;
  return {
    release: {
      runKey: row.runKey,
      attempt: row.attempt,
      state: row.state,
      startedAt: row.startedAt.toISOString(),
      endedAt: row.endedAt?.toISOString() ?? null,
    },
    observations: await readObservations(tx, { rollout, row }),
    object: rollout.object,
    // After the end, the object's own rules are those of later runs.
    rules: endedAt === undefined ? undefined : stored?.spec,
    messages,
    samples: await readSamples(tx, { rollout, row }),
  };
}

/** Reads the observations of a release, and the one before it. */
async function readObservations(tx: PoolClient, { rollout, row }: Reported): Promise<ReportedRelease["observations"]> {
  const select = tables
    .selectFrom("observation")
    .select(["observed_at", "projection"])
    .where("rollout_id", "=", rollout.id)
    .where("provider", "<>", "");
  const before = await readRow(tx, select.where("observed_at", "<", row.startedAt).orderBy("id", "desc").limit(1));
  const own = await readRows(
    tx,
    select
      .where("observed_at", ">=", row.startedAt)
      .where(({ eb, lit }) => (row.endedAt === null ? lit(true) : eb("observed_at", "<=", row.endedAt)))
      .orderBy("id")
      .limit(maxObservations),
  );
  return [...(before === undefined ? [] : [before]), ...own].map(({ observed_at, projection }) => ({
    observedAt: observed_at.toISOString(),
    projection,
  }));
}

/**
 * Reads the messages around a release: its controller's clock may differ from ours, and events come an hour late.
 * Undefined if there are too many.
 */
async function readMessages(tx: PoolClient, { rollout, row }: Reported): Promise<ReportedMessage[] | undefined> {
  const around = tables
    .selectFrom("controller_message")
    .where("rollout_id", "=", rollout.id)
    .where("controller_time", ">=", addMinutes(row.startedAt, -60))
    .where(({ eb, lit }) =>
      row.endedAt === null ? lit(true) : eb("controller_time", "<=", addMinutes(row.endedAt, 5)),
    );
  const size = await readRow(
    tx,
    around.select(({ fn }) => [countRows().as("count"), sumOf(fn("octet_length", ["message"])).as("bytes")]),
  );
  if (size !== undefined && (size.count > mostMessages.count || size.bytes > mostMessages.bytes)) return undefined;
  const rows = await readRows(
    tx,
    around.select(["controller_time", "source", "message", "count"]).orderBy("controller_time").orderBy("id"),
  );
  return rows.map(({ controller_time, source, message: text, count }) => {
    return { at: controller_time.toISOString(), source, text, count };
  });
}

function addMinutes(time: Date, minutes: number): Date {
  return new Date(time.getTime() + minutes * 60_000);
}

/** Reads the newest samples of its time, oldest first. */
async function readSamples(tx: PoolClient, { rollout, row }: Reported): Promise<RolloutSample[]> {
  const rows = await readRows(
    tx,
    tables
      .selectFrom("rollout_sample")
      .select(["metric", "at", "value"])
      .where("rollout_id", "=", rollout.id)
      .where("what", "=", "value")
      .where("at", ">=", row.startedAt)
      .where(({ eb, lit }) => (row.endedAt === null ? lit(true) : eb("at", "<=", addMinutes(row.endedAt, 1))))
      .orderBy("at", "desc")
      .limit(maxSamples),
  );
  return rows.toReversed().map(({ metric, at, value }) => ({ metric, at: at.toISOString(), value }));
}
