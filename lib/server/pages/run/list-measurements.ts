import type { Measurement, MeasurementList, MeasurementQuery } from "#lib/contract/analysis-run.ts";
import { runPhases } from "#lib/domain/delivery/run-phase.ts";
import { findMeasuredRun } from "#lib/server/pages/run/find-measured-run.ts";
import { readMeasurementPage } from "#lib/server/pages/run/read-measurement-page.ts";
import { formatLatest, parseLatest, readThinnedMeasurements } from "#lib/server/pages/run/read-thinned-measurements.ts";
import { evaluateForPage } from "#lib/server/pages/template/evaluate.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import type { RunKey } from "#lib/server/platform/db/conditions.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import type { Call, ServiceContext } from "#lib/server/process/service-context.ts";
import { unitOf } from "#lib/server/records/describe-metric.ts";

type Query = MeasurementQuery & { uid: string };

/**
 * Lists measurements of a run by metric and seq, or in reverse. With `points`, returns a thinned series of each metric
 * in one page, in ascending order and without those that were retaken, and counts those left out; with `since`, only
 * new ones, and with `from` and `to`, only those that ended then. Throws `not_found`, and `invalid_request` for a
 * position that was never issued.
 */
export async function listMeasurements({ ctx, input }: Call<Query>): Promise<MeasurementList> {
  const run = await findMeasuredRun(ctx, input.uid);
  const { points, limit, cursor, metric, order, only, since, from, to } = input;
  if (points === undefined) {
    assertNone({ since, from, to }, "only with points");
    const page = await readMeasurementPage(ctx.runtime.pool, run, { limit, cursor, metric, order, only });
    return { items: await explainMeasurements(ctx, page.items, run), nextCursor: page.nextCursor };
  }
  const known = parseLatest(since);
  if (known !== undefined) assertNone({ from, to }, "not with since");
  const after = known === undefined ? undefined : await completeSeqs(ctx, run, known);
  const { items, leftOut } = await readThinnedMeasurements(ctx.runtime.pool, run, {
    ...{ points, metric, only, after, from, to },
  });
  return {
    items: await explainMeasurements(ctx, items, run),
    nextCursor: null,
    leftOut,
    // A range in between gives no position to read on from.
    ...(from === undefined && to === undefined ? { latest: formatLatest(items, known) } : {}),
  };
}

/** Adds the metrics that had no measurement then. */
async function completeSeqs(
  { runtime }: ServiceContext,
  run: RunKey,
  known: ReadonlyMap<string, number>,
): Promise<ReadonlyMap<string, number>> {
  const names = await prismaOn(runtime.pool).metric.findMany({
    where: { rolloutId: run.rollout_id, runUid: run.uid },
    select: { name: true },
  });
  return new Map(names.map(({ name }) => [name, known.get(name) ?? 0]));
}

function assertNone(params: Record<string, string | undefined>, reason: string): void {
  const name = Object.keys(params).find((each) => params[each] !== undefined);
  if (name === undefined) return;
  throw new ServiceError("invalid_request", `${name}: ${reason}`, { invalidParams: [{ name, reason }] });
}

async function readUnits({ runtime }: ServiceContext, run: RunKey): Promise<ReadonlyMap<string, string | null>> {
  const metrics = await prismaOn(runtime.pool).metric.findMany({
    where: { rolloutId: run.rollout_id, runUid: run.uid },
    select: { name: true, provider: true, query: true },
  });
  const { units } = runtime.config().config;
  return new Map(metrics.map((metric) => [metric.name, unitOf(metric, undefined, units)]));
}

/** Adds why each measurement has its phase, by the rules of its run as stored. */
async function explainMeasurements(
  ctx: ServiceContext,
  measurements: readonly Measurement[],
  run: RunKey & { kind: string; spec: unknown },
): Promise<Measurement[]> {
  const known = measurements.flatMap((measurement) => {
    const phase = runPhases.find((each) => each === measurement.phase);
    if (phase === undefined) return [];
    const { metric, value, message, finishedAt } = measurement;
    const recorded = {
      metric,
      phase,
      message,
      ...(value === null ? {} : { value }),
      finishedAt: finishedAt ?? undefined,
    };
    return [{ measurement, recorded }];
  });
  if (known.length === 0) return [...measurements];
  const explained = await evaluateForPage(ctx, "explain", {
    kind: run.kind,
    rules: run.spec,
    units: await readUnits(ctx, run),
    measurements: known.map(({ recorded }) => recorded),
  });
  const explanations = new Map(known.map(({ measurement }, index) => [measurement, explained?.[index]]));
  return measurements.map((measurement) => {
    const explanation = explanations.get(measurement);
    return explanation === undefined ? measurement : { ...measurement, explanation };
  });
}
