import type { Pool } from "pg";
import type { Logger } from "pino";
import type { Finding, RecordedRun, VerdictCheck } from "#lib/domain/delivery/verdict-check.ts";
import { toStorableJson } from "#lib/domain/storable/escape-text.ts";
import { clockTime } from "#lib/server/platform/db/database-time.ts";
import { inTransaction } from "#lib/server/platform/db/in-transaction.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { readRow, write } from "#lib/server/platform/db/run-query.ts";
import { type Columns, tables } from "#lib/server/platform/db/tables.ts";
import type { EvaluationPool, Refusal } from "#lib/server/platform/evaluation/evaluation-pool.ts";
import type { MeasurementPart } from "#lib/server/platform/evaluation/evaluation-tasks.ts";
import { topOwnerKind, topOwnerName } from "#lib/server/recording/kinds/resolve-top-owner.ts";
import { writeChanges } from "#lib/server/recording/store/change-rows.ts";
import { storableText } from "#lib/server/recording/store/text-fields.ts";
import { type DueRun, loadDueRuns, loadRecordedRun } from "./load-recorded-run.ts";

const maxPerPass = 50;
const maxFindings = 50;
/** After this long a replay is stopped, with its thread. */
const replayLimitMs = 10_000;

type VerdictChecks = {
  pool: Pool;
  /** Rules are untrusted input: they are replayed in a thread that can be killed. */
  evaluations: Pick<EvaluationPool, "run">;
  log: Pick<Logger, "error">;
  signal?: AbortSignal;
  /** Kept between passes: checks that one pass could not store are stored by the next. */
  unstored?: UnstoredChecks;
};

/** Checks whose replay is done and that could not be stored, by run. */
export type UnstoredChecks = Map<string, { due: DueRun; check: VerdictCheck }>;

/**
 * Makes one pass over the runs that have ended and were not checked since. Each is replayed under its own rules, and
 * the outcome is stored with it. Runs stored before the check existed are found in the same way. Late measurements come
 * with another version of the run, which makes it due again. Several recorders may run this at once. Resolves with the
 * number of checks that were stored.
 */
export async function checkDueVerdicts(checks: VerdictChecks): Promise<{ stored: number }> {
  const { pool, signal, unstored = new Map() } = checks;
  let stored = 0;
  const store = async (due: DueRun, check: VerdictCheck): Promise<void> => {
    // An error of the database ends the pass.
    unstored.set(due.uid, { due, check });
    if (await storeCheck(pool, due, check)) stored++;
    unstored.delete(due.uid);
  };
  for (const { due, check } of [...unstored.values()]) await store(due, check);
  for (const due of await loadDueRuns(pool, maxPerPass)) {
    if (signal?.aborted) break;
    const check = await findCheck(checks, due);
    if (check !== undefined) await store(due, check);
  }
  return { stored };
}

/** Returns undefined if the run should not be judged now. */
async function findCheck(checks: VerdictChecks, due: DueRun): Promise<VerdictCheck | undefined> {
  const { pool } = checks;
  if (due.was_started) {
    const why = "the recorder was stopped meanwhile";
    return undecided(`Judging it again was started before and did not end: ${why}. It is not tried again.`);
  }
  const run = await loadRecordedRun(pool, due);
  if (typeof run === "string") return undecided(run);
  // Even if the replay kills this process, the mark is already stored.
  if (!(await markStarted(pool, due))) return undefined;
  const check = await replay(checks, due, run);
  if (!("refused" in check)) return check;
  await unmark(pool, due);
  // The run is not to blame: this pass ends, and the next one tries again.
  if (check.error !== undefined) throw new Error(`no thread for replays starts: ${check.error}`);
  return undefined;
}

/** Replays the run. Returns a refusal if it got no thread: the recorder is stopping, or no thread starts. */
async function replay(
  { evaluations, log }: VerdictChecks,
  due: DueRun,
  run: RecordedRun,
): Promise<VerdictCheck | Refusal> {
  const { head, parts } = cutRun(run);
  const request = { owner: "verdict-checks", most: 1, limitMs: replayLimitMs, waitMs: 60_000, parts };
  const outcome = await evaluations.run("replay", head, request);
  if ("value" in outcome) return outcome.value;
  switch (outcome.refused) {
    case "too-long":
      return undecided("Judging it again took too long and was stopped. It is not tried again.");
    case "failed":
      log.error({ uid: due.uid, error: outcome.error }, "a run could not be judged again");
      return undecided("Judging it again failed; the recorder's log says why.");
    default:
      return outcome;
  }
}

function undecided(text: string): VerdictCheck {
  return { state: "undecided", findings: [{ kind: "undecided", rule: "size", text }] };
}

const perPart = 500;

/** Separates the run from its measurements and cuts these into pieces: sending all at once would block the recorder. */
function cutRun(run: RecordedRun): { head: RecordedRun; parts: readonly MeasurementPart[] } {
  const head = { ...run, metrics: run.metrics.map((metric) => ({ ...metric, measurements: [] })) };
  const parts = run.metrics.flatMap(({ name: metric, measurements }) =>
    Array.from({ length: Math.ceil(measurements.length / perPart) }, (_, index) => {
      return { metric, measurements: measurements.slice(index * perPart, (index + 1) * perPart) };
    }),
  );
  return { head, parts };
}

/** Returns false if the run has changed, or another recorder was first. */
async function markStarted(pool: Pool, due: DueRun): Promise<boolean> {
  const marked = await write(
    pool,
    tables
      .updateTable("analysis_run")
      .set(
        ({ ref }) =>
          ({
            verdict_check_started_version: ref("resource_version"),
            verdict_check_started_at: clockTime,
          }) satisfies Columns<"analysis_run">,
      )
      .where("rollout_id", "=", due.rollout_id)
      .where("uid", "=", due.uid)
      .where("resource_version", "=", due.resource_version)
      .whereRef("verdict_check_started_version", "is distinct from", "resource_version"),
  );
  return marked === 1;
}

async function unmark(pool: Pool, due: DueRun): Promise<void> {
  await prismaOn(pool).analysisRun.updateMany({
    where: { rolloutId: due.rollout_id, uid: due.uid, verdictCheckStartedVersion: due.resource_version },
    data: { verdictCheckStartedVersion: null, verdictCheckStartedAt: null },
  });
}

/** Returns false if the run has changed meanwhile: it is then due again. */
async function storeCheck(pool: Pool, due: DueRun, check: VerdictCheck): Promise<boolean> {
  const findings = check.findings.slice(0, maxFindings).map((finding): Finding => {
    return { ...finding, text: storableText(finding.text) };
  });
  return inTransaction(pool, async (tx) => {
    const { rollout_id: rolloutId, uid: ref, cluster, namespace, resource_version: version } = due;
    const stored = await readRow(
      tx,
      tables
        .updateTable("analysis_run")
        .set({
          verdict_check_started_version: null,
          verdict_check_started_at: null,
          verdict_check: toStorableJson({ state: check.state, findings }),
          verdict_check_version: version,
          verdict_checked_at: clockTime,
        })
        .where("rollout_id", "=", rolloutId)
        .where("uid", "=", ref)
        .where("resource_version", "=", version)
        .where("verdict_check_version", "is distinct from", version)
        .returning([topOwnerKind.as("object_kind"), topOwnerName.as("name")]),
    );
    if (stored === undefined) return false;
    await writeChanges(tx, [{ kind: "analysis-run", ref, op: "upsert", cluster, namespace, ...stored }]);
    return true;
  });
}
