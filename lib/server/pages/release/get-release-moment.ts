import { sql } from "kysely";
import type { MomentMetric, MomentQuery, ReleaseMoment } from "#lib/contract/release-course.ts";
import { describeOffer } from "#lib/domain/acting/judge-actions.ts";
import type { RevisionSet } from "#lib/domain/delivery/attribute-revision.ts";
import { deriveCourse } from "#lib/domain/delivery/derive-course.ts";
import { nothingRelated, type RelatedState } from "#lib/domain/delivery/related-state.ts";
import type { RunPhase } from "#lib/domain/delivery/run-phase.ts";
import { providerOfKind, readObservation } from "#lib/domain/providers.ts";
import type { ConfiguredUnits } from "#lib/domain/units/find-unit.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { isOfRun, type RunKey } from "#lib/server/platform/db/conditions.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { type Connection, readRows } from "#lib/server/platform/db/run-query.ts";
import { countRows, timeOf } from "#lib/server/platform/db/sql-functions.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import type { Runtime } from "#lib/server/process/runtime-types.ts";
import type { Call } from "#lib/server/process/service-context.ts";
import { unitOf } from "#lib/server/records/describe-metric.ts";
import { decodePhase, phaseCodes, valueText } from "#lib/server/records/measurement-codes.ts";
import { ofMetric } from "#lib/server/records/measurement-row.ts";
import { isRunOfRelease, type ReleaseRow } from "#lib/server/records/release-row.ts";
import { asPhase } from "#lib/server/records/run-row.ts";
import { findRelease } from "./get-release.ts";
import { serializeMoment } from "./get-release-course.ts";
import { type RecordedMoment, readRecordedMoment } from "./read-recorded-object.ts";

const shownRuns = 20;

/** Returns a release as it stood at a moment of its time. Throws `not_found`. */
export async function getReleaseMoment({ ctx, input }: Call<{ id: string } & MomentQuery>): Promise<ReleaseMoment> {
  const { runtime } = ctx;
  const row = await findRelease(ctx, input.id);
  const to = row.ended_at ?? runtime.now();
  const at = input.at === undefined ? to : clampTime(new Date(input.at), { from: row.started_at, to });
  const recorded = await readRecordedMoment(runtime.pool, row, at);
  if (recorded === undefined)
    throw new ServiceError("not_found", `Nothing was observed of release ${input.id} that can still be read.`);
  const [runs, replicaSets] = await Promise.all([readRuns(runtime, row, at), readReplicaSets(runtime.pool, row, at)]);
  const [moment] = deriveCourse([readObservation(recorded.observation)]).map(serializeMoment);
  if (moment === undefined) throw new Error("an observation has no moment");
  return {
    at: at.toISOString(),
    observedAt: recorded.observation.observedAt,
    moment,
    runs,
    ...describeObject(recorded, { row, at, replicaSets }),
  };
}

function clampTime(at: Date, { from, to }: { from: Date; to: Date }): Date {
  return at < from ? from : at > to ? to : at;
}

type Described = Pick<ReleaseMoment, "replicas" | "steps" | "follows" | "actions" | "notes">;

function describeObject(
  { object, observation, hasWorkloadTemplate }: RecordedMoment,
  { row, at, replicaSets }: { row: ReleaseRow; at: Date; replicaSets: RevisionSet[] },
): Described {
  if (object === undefined)
    return {
      replicas: null,
      steps: [],
      follows: null,
      actions: null,
      notes: ["The rollout was not recorded at this moment: its steps, pods and buttons are unknown."],
    };
  const related: RelatedState = {
    ...nothingRelated,
    cluster: row.cluster,
    now: at.toISOString(),
    memory: observation.projection,
    replicaSets,
  };
  const { steps, follows, replicas } = object.describe(related);
  const { images } = object.summarize(related);
  const offers = object.acting.offer({ now: at, related, images });
  return {
    replicas,
    steps,
    follows,
    actions: offers.map((offer) => {
      const { action, label, protective, allowed, reason, effect } = describeOffer(offer);
      return { action, label, protective, allowed, reason, effect };
    }),
    notes: providerOfKind(row.kind).readsRelatedState ? [describeWorkloads(hasWorkloadTemplate)] : [],
  };
}

function describeWorkloads(hasTemplate: boolean): string {
  return hasTemplate
    ? "Of the workloads, only the pod template of the new version is recorded: their pods at this moment are unknown."
    : "The workloads were not recorded at this moment: whatever depends on them is unknown.";
}

/** Reads the ReplicaSets that existed at the moment. How many pods they had then is not recorded. */
async function readReplicaSets(pool: Connection, row: ReleaseRow, at: Date): Promise<RevisionSet[]> {
  const sets = await prismaOn(pool).replicaSet.findMany({
    where: { rolloutId: row.rollout_id, createdAt: { lte: at }, OR: [{ goneAt: null }, { goneAt: { gt: at } }] },
    select: { name: true, podHash: true, revision: true, images: true },
  });
  const counts = { replicas: 0, ready: 0, available: 0, desired: 0 };
  return sets.map((set) => ({
    ...set,
    ...counts,
    podHash: set.podHash ?? undefined,
    revision: set.revision ?? undefined,
  }));
}

async function readRuns({ pool, config }: Runtime, row: ReleaseRow, at: Date): Promise<ReleaseMoment["runs"]> {
  const runs = await readRows(
    pool,
    tables
      .selectFrom("analysis_run as a")
      .innerJoin("release as l", (join) => join.on(isRunOfRelease()))
      .select(["a.rollout_id", "a.uid", "a.name", "a.type", "a.step_index", "a.phase", "a.completed_at"])
      .where("l.rollout_id", "=", row.rollout_id)
      .where("l.id", "=", row.id)
      .where(({ eb, fn }) => eb(fn.coalesce("a.started_at", "a.created_at"), "<=", at))
      .orderBy("a.created_at", "desc")
      .orderBy("a.uid")
      .limit(shownRuns),
  );
  const metrics = await readMetrics(pool, runs, { at, units: config().config.units });
  return runs.map(({ uid, name, type, step_index: stepIndex, phase, completed_at: completedAt }) => ({
    ...{ uid, name, type, stepIndex },
    phase: completedAt !== null && completedAt <= at ? asPhase(phase) : "Running",
    metrics: metrics.get(uid) ?? [],
  }));
}

/** Counts what each metric of these runs had measured by the moment. */
async function readMetrics(
  pool: Connection,
  runs: readonly RunKey[],
  { at, units }: { at: Date; units: ConfiguredUnits },
): Promise<Map<string, MomentMetric[]>> {
  if (runs.length === 0) return new Map();
  const measured = tables
    .selectFrom("metric as t")
    .innerJoinLateral(ofMetric, (join) => join.onTrue())
    .select("t.id")
    .select((eb) => {
      const { ref, fn } = eb;
      const ofPhase = (phase: RunPhase) => countRows(eb("m.phase", "=", phaseCodes[phase]));
      return [
        fn.countAll<string>().as("measurements"),
        ofPhase("Successful").as("successful"),
        ofPhase("Failed").as("failed"),
        ofPhase("Inconclusive").as("inconclusive"),
        ofPhase("Error").as("error"),
        sql<{ value: string | null; phase: Column.PhaseCode; at: string }>`(array_agg(jsonb_build_object(
          'value', ${valueText}, 'phase', ${ref("m.phase")},
          'at', ${timeOf(ref("m.finished_at"))})
          ORDER BY ${ref("m.seq")} DESC))[1]`.as("last"),
      ];
    })
    .where(({ ref }) => isOfRun([ref("t.rollout_id"), ref("t.run_uid")], runs))
    .where("m.superseded", "=", false)
    .where("m.finished_at", "<=", at)
    .groupBy("t.id")
    .as("c");
  const rows = await readRows(
    pool,
    tables
      .selectFrom("metric as n")
      .leftJoin(measured, "c.id", "n.id")
      .select(["n.run_uid", "n.name", "n.provider", "n.query"])
      .select(["c.measurements", "c.successful", "c.failed", "c.inconclusive", "c.error", "c.last"])
      .where(({ ref }) => isOfRun([ref("n.rollout_id"), ref("n.run_uid")], runs))
      .orderBy("n.ord"),
  );
  const byRun = new Map<string, MomentMetric[]>();
  for (const { run_uid: uid, name, provider, query, last, measurements, ...counts } of rows) {
    const list = byRun.get(uid) ?? [];
    list.push({
      name,
      measurements: Number(measurements ?? 0),
      successful: counts.successful ?? 0,
      failed: counts.failed ?? 0,
      inconclusive: counts.inconclusive ?? 0,
      error: counts.error ?? 0,
      last: last === null ? null : { value: last.value, phase: asPhase(decodePhase(last.phase)), at: last.at },
      unit: unitOf({ name, provider, query }, undefined, units),
    });
    byRun.set(uid, list);
  }
  return byRun;
}
