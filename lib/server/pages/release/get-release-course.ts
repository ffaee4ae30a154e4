import type { ReleaseCourse } from "#lib/contract/release-course.ts";
import type { ReleaseRun } from "#lib/contract/rollout.ts";
import { type CourseMoment, spansOf, sumActivities } from "#lib/domain/delivery/derive-course.ts";
import { findDecidingRun } from "#lib/domain/delivery/find-deciding-run.ts";
import { nothingRelated } from "#lib/domain/delivery/related-state.ts";
import { findFailedPlugin } from "#lib/domain/delivery/step-words.ts";
import { createFrozenCounter } from "#lib/domain/insights/sum-frozen-times.ts";
import type { FreezePeriod } from "#lib/domain/policy/freeze.ts";
import { providerOfKind } from "#lib/domain/providers.ts";
import { selectReleaseRuns, serializeRun } from "#lib/server/pages/rollout/read-release-runs.ts";
import { policiesOf } from "#lib/server/people/auth/policies-of.ts";
import { type PolicySpan, readPolicyHistory } from "#lib/server/people/auth/read-policy-history.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { type Connection, readRows } from "#lib/server/platform/db/run-query.ts";
import type { Runtime } from "#lib/server/process/runtime-types.ts";
import type { Call, ServiceContext } from "#lib/server/process/service-context.ts";
import {
  readCopyOf,
  readPodTemplates,
  readStableTemplate,
  readTemplatesSince,
} from "#lib/server/recording/history/read-pod-templates.ts";
import { readFreezesBetween, toFreezePeriod } from "#lib/server/records/freeze-row.ts";
import { isRunOfRelease, type ReleaseRow } from "#lib/server/records/release-row.ts";
import { isRecord } from "#lib/util/json.ts";
import { describeRelease, findRelease } from "./get-release.ts";
import { type ReadExperiment, readBase, readCourse, readReleaseExperiments } from "./read-course.ts";
import { readRecordedMoment } from "./read-recorded-object.ts";

const shownActs = 100;
const shownRuns = 200;
const shownWarnings = 100;

/** Returns the course of a release. Throws `not_found`. */
export async function getReleaseCourse({ ctx, input }: Call<{ id: string }>): Promise<ReleaseCourse> {
  const { runtime } = ctx;
  const { pool } = runtime;
  const row = await findRelease(ctx, input.id);
  const end = row.ended_at ?? runtime.now();
  const reading = readCourse(pool, row);
  const [course, { base, templates }, release, last, runs, experiments, findings, warnings, attempts, rules] =
    await Promise.all([
      reading,
      reading.then(({ baseKey }) => readChange(pool, row, baseKey)),
      describeRelease(ctx, row, { shownActs }),
      readRecordedMoment(pool, row, end),
      readRuns(ctx.runtime, row),
      readReleaseExperiments(pool, row),
      readFindings(runtime, row),
      readWarnings(runtime, row, end),
      readAttempts(runtime, row),
      readFreezeRules(pool, { from: row.started_at, to: end }),
    ]);
  const { moments } = course;
  const steps = last?.object?.describe({ ...nothingRelated, memory: last.observation.projection }).steps ?? [];
  return {
    release,
    base,
    templates,
    from: row.started_at.toISOString(),
    to: row.ended_at?.toISOString() ?? null,
    moments: moments.map(serializeMoment),
    isCut: course.isCut,
    steps,
    time: sumTime(ctx, row, { moments, end, rules }),
    policiesKnownFrom: findKnownFrom(rules.history),
    ...markDeciding(
      { runs: runs.map(serializeRun).toReversed(), experiments },
      {
        aborted: row.state === "aborted",
        isPluginFailed: findFailedPlugin(steps) !== undefined,
        phase: moments.at(-1)?.phase ?? "",
        attention: row.waits_for,
      },
    ),
    acts: release.acts.latest.toReversed(),
    findings,
    warnings,
    attempts,
  };
}

/** Marks the run that caused the release's state: its own, or one of an Experiment. */
function markDeciding(
  { runs, experiments }: { runs: Omit<ReleaseRun, "decided">[]; experiments: ReadExperiment[] },
  state: Parameters<typeof findDecidingRun>[1],
): Pick<ReleaseCourse, "runs" | "experiments"> {
  const all = [...runs, ...experiments.flatMap((experiment) => experiment.runs)].toSorted((one, other) =>
    (other.startedAt ?? "~").localeCompare(one.startedAt ?? "~"),
  );
  const deciding = all[findDecidingRun(all, state)]?.uid;
  const mark = (run: Omit<ReleaseRun, "decided">): ReleaseRun => ({ ...run, decided: run.uid === deciding });
  return {
    runs: runs.map(mark),
    experiments: experiments.map((experiment) => ({ ...experiment, runs: experiment.runs.map(mark) })),
  };
}

/** Reads the base that the release replaced, and the pod templates of both. */
async function readChange(
  pool: Connection,
  row: ReleaseRow,
  baseKey: string | undefined,
): Promise<Pick<ReleaseCourse, "base" | "templates">> {
  const [base, templates] = await Promise.all([
    baseKey === undefined ? null : readBase(pool, row, baseKey),
    readTemplates(pool, row, baseKey),
  ]);
  return { base, templates };
}

async function readTemplates(
  pool: Connection,
  row: ReleaseRow,
  baseKey: string | undefined,
): Promise<ReleaseCourse["templates"]> {
  const keys = baseKey === undefined ? [row.run_key] : [row.run_key, baseKey];
  const found = await readPodTemplates(pool, row.rollout_id, keys);
  const [ownTemplate, baseTemplate] = [row.run_key, baseKey].map((key) => (key === undefined ? null : found.get(key)));
  if (ownTemplate !== undefined && baseTemplate !== undefined)
    return { base: baseTemplate, release: ownTemplate, since: null };
  const [copy, stable, since] = await Promise.all([
    ownTemplate === undefined ? readCopyOf(pool, row) : undefined,
    baseTemplate === undefined ? readStableTemplate(pool, row) : undefined,
    readTemplatesSince(pool, row.rollout_id),
  ]);
  const release = ownTemplate ?? cleanTemplate(row, copy);
  const base = baseTemplate === undefined ? cleanTemplate(row, { stable, released: release }) : baseTemplate;
  const isMissing = release === null || (baseKey !== undefined && base === null);
  return { base, release, since: isMissing ? (since?.toISOString() ?? null) : null };
}

/** Returns a pod template of the stable workload without its controller's additions to a copy; null without one. */
function cleanTemplate(
  { kind }: ReleaseRow,
  { stable, released }: { stable?: unknown; released?: unknown } = {},
): Record<string, unknown> | null {
  const cleaned = stable === undefined ? undefined : providerOfKind(kind).cleanStableTemplate?.(stable, released);
  return isRecord(cleaned) ? cleaned : null;
}

export function serializeMoment({ phase, ...moment }: CourseMoment): ReleaseCourse["moments"][number] {
  const known = ["Healthy", "Progressing", "Paused", "Degraded"] as const;
  return { ...moment, phase: known.find((each) => each === phase) ?? "Unknown" };
}

type FreezeRules = { made: readonly FreezePeriod[]; history: readonly PolicySpan[] };

/** Reads the freezes that people made, and the policies of the config at each moment. */
async function readFreezeRules(pool: Connection, between: { from: Date; to: Date }): Promise<FreezeRules> {
  const [made, history] = await Promise.all([readFreezesBetween(pool, between), readPolicyHistory(pool, between)]);
  return { made: made.map(toFreezePeriod), history };
}

/** Returns from when on the policies of the config are known, to the end; null if they are not. */
function findKnownFrom(history: readonly PolicySpan[]): string | null {
  const unknown = history.findLastIndex(({ policies }) => policies === undefined);
  const known = history[unknown + 1];
  return known === undefined ? null : new Date(known.fromMs).toISOString();
}

function sumTime(
  { runtime }: ServiceContext,
  row: ReleaseRow,
  { moments, end, rules }: { moments: readonly CourseMoment[]; end: Date; rules: FreezeRules },
): ReleaseCourse["time"] {
  const { cluster, namespace, kind, name } = row;
  const endMs = end.getTime();
  const sums = sumActivities(moments, endMs);
  const waits = spansOf(moments, endMs).filter(({ activity }) => activity === "waiting" || activity === "held");
  const target = { cluster, namespace, kind, name };
  const current = policiesOf(runtime.config().config.policies);
  const counters = rules.history.map(({ policies = current, ...span }) =>
    createFrozenCounter([...policies.freezes, ...rules.made], span),
  );
  const frozenMs = waits.reduce(
    (sum, { fromMs, toMs }) => counters.reduce((total, count) => total + count({ target, fromMs, toMs }), sum),
    0,
  );
  const seconds = (ms: number) => ms / 1000;
  return {
    total: seconds(Object.values(sums).reduce((sum, ms) => sum + ms, 0)),
    activities: {
      progressing: seconds(sums.progressing),
      analysing: seconds(sums.analysing),
      pausing: seconds(sums.pausing),
      waiting: seconds(sums.waiting),
      held: seconds(sums.held),
    },
    frozen: seconds(frozenMs),
  };
}

/** Newest first. */
async function readRuns({ pool }: Runtime, row: ReleaseRow) {
  const query = selectReleaseRuns
    .innerJoin("release as l", (join) => join.on(isRunOfRelease()))
    .where("l.rollout_id", "=", row.rollout_id)
    .where("l.id", "=", row.id)
    .where("a.type", "<>", "Experiment")
    .orderBy("a.created_at", "desc")
    .orderBy("a.uid")
    .limit(shownRuns);
  return readRows(pool, query);
}

async function readFindings({ pool }: Runtime, row: ReleaseRow): Promise<ReleaseCourse["findings"]> {
  const found = await prismaOn(pool).finding.findMany({
    where: { rolloutId: row.rollout_id, runKey: row.run_key },
    orderBy: [{ since: "asc" }, { id: "asc" }],
    take: 100,
    select: { id: true, severity: true, title: true, since: true, closedAt: true },
  });
  return found.map(({ closedAt, since, ...finding }) => ({
    ...finding,
    since: since.toISOString(),
    closedAt: closedAt?.toISOString() ?? null,
  }));
}

async function readWarnings({ pool }: Runtime, row: ReleaseRow, end: Date): Promise<ReleaseCourse["warnings"]> {
  const { rollout_id: rolloutId, started_at: begin } = row;
  const found = await prismaOn(pool).kubeEvent.findMany({
    where: { rolloutId, type: "Warning", lastAt: { gte: begin }, firstAt: { lte: end } },
    orderBy: [{ firstAt: "asc" }, { uid: "asc" }],
    take: shownWarnings,
    select: {
      ...{ uid: true, involvedKind: true, involvedName: true, reason: true, message: true },
      ...{ count: true, firstAt: true, lastAt: true },
    },
  });
  return found.map(({ involvedKind, involvedName, firstAt, lastAt, ...event }) => ({
    ...event,
    involved: { kind: involvedKind, name: involvedName },
    firstAt: firstAt.toISOString(),
    lastAt: lastAt.toISOString(),
  }));
}

async function readAttempts({ pool }: Runtime, row: ReleaseRow): Promise<ReleaseCourse["attempts"]> {
  const found = await prismaOn(pool).release.findMany({
    where: { rolloutId: row.rollout_id, runKey: row.run_key },
    orderBy: { attempt: "asc" },
    take: 100,
    select: { id: true, attempt: true, state: true, startedAt: true, endedAt: true },
  });
  return found.map(({ startedAt, endedAt, ...attempt }) => ({
    ...attempt,
    startedAt: startedAt.toISOString(),
    endedAt: endedAt?.toISOString() ?? null,
  }));
}
