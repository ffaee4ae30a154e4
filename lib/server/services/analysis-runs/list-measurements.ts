import type { Measurement, MeasurementQuery } from "#lib/contract/analysis-run.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";
import { decimateMeasurements } from "#lib/server/services/analysis-runs/decimate-measurements.ts";
import { explainMeasurements } from "#lib/server/services/analysis-runs/explain-measurements.ts";
import { findMeasuredRun } from "#lib/server/services/analysis-runs/measurement-row.ts";
import { readMeasurementPage } from "#lib/server/services/analysis-runs/read-measurement-page.ts";

/** A longer run is paged; drawing it would need fewer points anyway. */
const maxDecimated = 200_000;

/**
 * Lists measurements of a run by metric and seq, or in reverse. With `points`, returns at most that many per metric in
 * one page, in ascending order, keeping minima, maxima and failures, and leaving out those that were retaken. Throws
 * `not_found`.
 */
export async function listMeasurements({
  ctx,
  input,
}: {
  ctx: ServiceContext;
  input: MeasurementQuery & { uid: string };
}): Promise<{ items: Measurement[]; nextCursor: string | null }> {
  const { pool } = ctx.runtime;
  const run = await findMeasuredRun(ctx, input.uid);
  const { points, limit, cursor, metric, order, only } = input;
  if (points === undefined) {
    const page = await readMeasurementPage(pool, run, { limit, cursor, metric, order, only });
    return { items: await explainMeasurements(ctx, page.items, run), nextCursor: page.nextCursor };
  }
  const { items: measurements } = await readMeasurementPage(pool, run, {
    limit: maxDecimated,
    metric,
    only,
    onlyCounted: true,
  });
  const items = decimateMeasurements({ measurements, points });
  return { items: await explainMeasurements(ctx, items, run), nextCursor: null };
}
