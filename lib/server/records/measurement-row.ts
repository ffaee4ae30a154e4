import type { Measurement } from "#lib/contract/analysis-run.ts";
import { computeDurationSeconds } from "#lib/domain/delivery/compute-duration.ts";
import type { RowOf } from "#lib/server/platform/db/run-query.ts";
import { fragment, tables } from "#lib/server/platform/db/tables.ts";
import { asPhase } from "#lib/server/records/run-row.ts";

export const selectMeasurements = tables
  .selectFrom("measurement as m")
  .select([
    "m.metric",
    "m.seq",
    "m.started_at",
    "m.finished_at",
    "m.phase",
    "m.value",
    "m.parsed_kind",
    "m.parsed",
    "m.message",
    "m.superseded",
    "m.metadata",
  ])
  .select(({ cast }) => cast<string>("m.started_at", "text").as("started_key"));

export type MeasurementRow = RowOf<typeof selectMeasurements>;

/** Orders by the primary key of a run's measurements, or in its reverse, so that either way is an index scan. */
export function orderMeasurements(query: typeof selectMeasurements, order: "asc" | "desc" = "asc") {
  return query.orderBy("m.metric", order).orderBy("m.seq", order).orderBy("m.started_at", order);
}

const eb = fragment<{ m: "measurement" }>();

/** What charts have a place for on their axis: the number of measurement `m`, or null. */
export const finiteNumber = eb
  .case()
  .when(eb.and([eb("m.parsed_kind", "in", ["number", "array"]), eb.between("m.parsed", -1.7e308, 1.7e308)]))
  .then(eb.ref("m.parsed"))
  .end();

/** A row of a thinned series is read without its metadata. */
type Serializable = Omit<MeasurementRow, "started_key" | "metadata"> & Partial<Pick<MeasurementRow, "metadata">>;

export function serializeMeasurement(row: Serializable): Measurement {
  const hasNumber = (row.parsed_kind === "number" || row.parsed_kind === "array") && row.parsed !== null;
  return {
    metric: row.metric,
    seq: row.seq,
    startedAt: row.started_at.toISOString(),
    finishedAt: row.finished_at?.toISOString() ?? null,
    durationSeconds: computeDurationSeconds(row.started_at, row.finished_at),
    phase: asPhase(row.phase),
    value: row.value,
    parsed: { kind: row.parsed_kind, ...(hasNumber ? { number: row.parsed ?? undefined } : {}) },
    message: row.message,
    superseded: row.superseded,
    ...(row.metadata == null ? {} : { metadata: row.metadata }),
  };
}
