import { type SqlBool, sql } from "kysely";
import type { PoolClient } from "pg";
import type { ReportedRun } from "#lib/domain/delivery/reporting.ts";
import { stableUuid } from "#lib/domain/delivery/rollout-id.ts";
import { measuringProviderOf } from "#lib/domain/providers.ts";
import { digestOf } from "#lib/domain/storable/digest-of.ts";
import { prepareInsert } from "#lib/server/platform/db/prepare-insert.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { readRow, write } from "#lib/server/platform/db/run-query.ts";
import { fragment, tables } from "#lib/server/platform/db/tables.ts";
import { unpackRuns } from "#lib/server/recording/kinds/packed-measurements.ts";
import {
  insertMeasurements,
  type MeasurementRow,
  placeMeasurements,
  storeMetrics,
  toMeasurementRow,
  toMetricRows,
  type UnplacedMeasurement,
} from "#lib/server/recording/kinds/run-rows.ts";
import { storableName, storableObject, storableText } from "#lib/server/recording/store/text-fields.ts";

/** The rollout and the release that a derived run belongs to. */
export type ReportedPlace = {
  rollout: { id: string; cluster: string; namespace: string; kind: string; name: string; uid: string };
  release: { id: string; runKey: string; attempt: number; revision: number | null; startedAt: string };
};

const insertRuns = prepareInsert({
  table: "analysis_run",
  columns: {
    uid: "text",
    rollout_id: "uuid",
    cluster: "text",
    namespace: "text",
    kind: "text",
    name: "text",
    owner_kind: "text",
    owner_name: "text",
    owner_uid: "text",
    type: "text",
    revision: "int4",
    pod_hash: "text",
    phase: "text",
    message: "text",
    spec: "jsonb",
    resource_version: "text",
    presence: "text",
    created_at: "timestamptz",
    started_at: "timestamptz",
    completed_at: "timestamptz",
    updated_at: "timestamptz",
  },
  conflict: { key: ["rollout_id", "uid"], keep: ["created_at"] },
});

const insertGaps = prepareInsert({
  table: "measurement_gap",
  columns: { metric_id: "int8", after_seq: "int4", count: "int4", open: "bool" },
  conflict: { key: ["metric_id", "after_seq"] },
});

/** The same for the same release, however often its run is derived. */
export function reportedRunUid(releaseId: string): string {
  return stableUuid("told-run", releaseId);
}

/**
 * Stores a derived run in place of its stored state. A message that comes late may change the numbers of later rounds,
 * so the run's measurements are replaced together. Returns its uid if anything differs.
 */
export async function replaceReportedRun(
  tx: PoolClient,
  { run, place: { rollout, release }, now }: { run: ReportedRun; place: ReportedPlace; now: string },
): Promise<string | undefined> {
  const uid = reportedRunUid(release.id);
  const version = digestOf(run);
  const stored = await readRow(
    tx,
    // Locked, as before any insert of a run (lockRuns).
    tables
      .selectFrom("analysis_run")
      .select(["resource_version", "measurements_expired", "measurements_packed"])
      .where("rollout_id", "=", rollout.id)
      .where("uid", "=", uid)
      .forNoKeyUpdate(),
  );
  if (stored?.resource_version === version || stored?.measurements_expired === true) return undefined;
  if (stored?.measurements_packed === true) await unpackRuns(tx, [{ rollout_id: rollout.id, uid }]);
  const { cluster, namespace, kind, name } = rollout;
  await insertRuns(tx, [
    {
      ...{ uid, cluster, namespace, kind },
      rollout_id: rollout.id,
      name: nameOf(name, release),
      ...{ owner_kind: kind, owner_name: name, owner_uid: rollout.uid },
      type: "Release",
      revision: release.revision,
      pod_hash: release.runKey,
      phase: run.phase,
      message: storableText(run.message),
      spec: storableObject(run.rules),
      resource_version: version,
      presence: "derived",
      created_at: release.startedAt,
      started_at: run.startedAt,
      completed_at: run.completedAt ?? null,
      updated_at: now,
    },
  ]);
  await replaceParts(tx, { uid, run, rollout });
  return uid;
}

/** Deletes the runs of releases that no longer have one. Returns their uids. */
export async function deleteReportedRun(
  tx: PoolClient,
  { releaseId, rolloutId }: { releaseId: string; rolloutId: string },
): Promise<string | undefined> {
  const uid = reportedRunUid(releaseId);
  await deleteParts(tx, { uid, rolloutId });
  const { count } = await prismaOn(tx).analysisRun.deleteMany({ where: { rolloutId, uid } });
  return count === 0 ? undefined : uid;
}

function nameOf(rollout: string, { runKey, attempt }: ReportedPlace["release"]): string {
  return storableName([rollout, runKey, ...(attempt > 1 ? [attempt] : [])].join("-"));
}

async function deleteParts(tx: PoolClient, { uid, rolloutId }: { uid: string; rolloutId: string }): Promise<void> {
  const where = { rolloutId, runUid: uid };
  await deleteOtherMeasurements(tx, { where, kept: [] });
  // With their gaps.
  await prismaOn(tx).metric.deleteMany({ where });
}

type RunIds = { rolloutId: string; runUid: string };
type Parts = { uid: string; run: ReportedRun; rollout: ReportedPlace["rollout"] };

/** Writes only what differs: a run that waits for long gets one more round each time. */
async function replaceParts(tx: PoolClient, parts: Parts): Promise<void> {
  const { uid, run, rollout } = parts;
  const ids = { rolloutId: rollout.id, runUid: uid };
  const metrics = toMetricRows(run.metrics, ids, { inconsistent: new Set(), secrets: [] });
  const idOf = await storeMetrics(tx, metrics);
  const measurements = placeMeasurements(toMeasurementRows(parts), idOf);
  await deleteOtherMeasurements(tx, { where: ids, kept: measurements });
  const prisma = prismaOn(tx);
  await prisma.metric.deleteMany({ where: { ...ids, name: { notIn: metrics.map(({ name }) => name) } } });
  await insertMeasurements(tx, measurements);
  await prisma.measurementGap.deleteMany({ where: { metric: ids } });
  await insertGaps(
    tx,
    metrics.flatMap(({ name: metric }) =>
      run.gaps.map(({ afterSeq, atLeast }) => ({
        metric_id: idOf({ runUid: uid, metric }),
        ...{ after_seq: afterSeq, count: atLeast, open: true },
      })),
    ),
  );
}

function toMeasurementRows({ uid, run, rollout }: Parts): UnplacedMeasurement[] {
  const { parseValue } = measuringProviderOf(rollout.kind);
  return run.metrics.flatMap(({ name: metric, result }) =>
    (result?.measurements ?? []).map((each) => {
      // Only the end is reported.
      const measurement = { ...each, startedAt: each.startedAt ?? each.finishedAt ?? run.startedAt };
      const row = toMeasurementRow({ measurement, secrets: [], parseValue });
      return { runUid: uid, metric: storableName(metric), row };
    }),
  );
}

async function deleteOtherMeasurements(
  tx: PoolClient,
  { where: { rolloutId, runUid }, kept }: { where: RunIds; kept: readonly MeasurementRow[] },
): Promise<void> {
  const { ref } = fragment<{ measurement: "measurement" }>();
  const keys = sql`unnest(${kept.map(({ metric_id }) => metric_id)}::int8[], ${kept.map(({ seq }) => seq)}::int4[],
    ${kept.map(({ started_at }) => started_at)}::timestamptz[]) AS kept (metric_id, seq, started_at)`;
  await write(
    tx,
    tables
      .deleteFrom("measurement")
      .where(({ eb, selectFrom }) =>
        eb(
          "metric_id",
          "in",
          selectFrom("metric").select("id").where("rollout_id", "=", rolloutId).where("run_uid", "=", runUid),
        ),
      )
      .where(
        sql<SqlBool>`NOT EXISTS (SELECT FROM ${keys} WHERE kept.metric_id = ${ref("measurement.metric_id")}
          AND kept.seq = ${ref("measurement.seq")} AND kept.started_at = ${ref("measurement.started_at")})`,
      ),
  );
}
