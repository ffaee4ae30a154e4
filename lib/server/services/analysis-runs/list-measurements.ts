import type { MeasurementList, MeasurementQuery } from "#lib/contract/analysis-run.ts";
import { ServiceError } from "#lib/server/actor/service-error.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";
import { decimateMeasurements } from "#lib/server/services/analysis-runs/decimate-measurements.ts";
import { explainMeasurements } from "#lib/server/services/analysis-runs/explain-measurements.ts";
import { formatLatest, parseLatest } from "#lib/server/services/analysis-runs/latest-seqs.ts";
import { findMeasuredRun } from "#lib/server/services/analysis-runs/measurement-row.ts";
import { readMeasurementPage } from "#lib/server/services/analysis-runs/read-measurement-page.ts";

/** A longer run is paged; drawing it would need fewer points anyway. */
const maxDecimated = 200_000;

/**
 * Lists measurements of a run by metric and seq, or in reverse. With `points`, returns at most that many per metric in
 * one page, in ascending order, keeping minima, maxima and failures, and leaving out those that were retaken; with
 * `since`, only what is new. Throws `not_found`, and `invalid_request` for a position that was never issued.
 */
export async function listMeasurements({
  ctx,
  input,
}: {
  ctx: ServiceContext;
  input: MeasurementQuery & { uid: string };
}): Promise<MeasurementList> {
  const { pool, db } = ctx.runtime;
  const run = await findMeasuredRun(ctx, input.uid);
  const { points, limit, cursor, metric, order, only, since } = input;
  if (points === undefined) {
    if (since !== undefined) throw sinceWithoutPoints();
    const page = await readMeasurementPage(pool, run, { limit, cursor, metric, order, only });
    return { items: await explainMeasurements(ctx, page.items, run), nextCursor: page.nextCursor };
  }
  const known = parseLatest(since);
  const names = await db.metric.findMany({ where: { runUid: run.uid }, select: { name: true } });
  const after = known === undefined ? undefined : new Map(names.map(({ name }) => [name, known.get(name) ?? 0]));
  const { items: measurements } = await readMeasurementPage(pool, run, {
    limit: maxDecimated,
    metric,
    only,
    onlyCounted: true,
    after,
  });
  const items = decimateMeasurements({ measurements, points });
  return {
    items: await explainMeasurements(ctx, items, run),
    nextCursor: null,
    latest: formatLatest(measurements, known),
  };
}

function sinceWithoutPoints(): ServiceError {
  const reason = "only with points";
  return new ServiceError("invalid_request", `since: ${reason}`, { invalidParams: [{ name: "since", reason }] });
}
