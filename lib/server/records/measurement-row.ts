import { type Expression, sql } from "kysely";
import type { Measurement } from "#lib/contract/analysis-run.ts";
import type { RowOf } from "#lib/server/platform/db/run-query.ts";
import { fragment, tables } from "#lib/server/platform/db/tables.ts";
import { decodeKind, decodePhase, kindCodes, notes, valueText } from "#lib/server/records/measurement-codes.ts";
import { asPhase } from "#lib/server/records/run-row.ts";
import { computeDurationSeconds } from "#lib/util/duration.ts";

/** Selects measurements `m` without the name of their metric. */
export const selectMeasurements = tables
  .selectFrom("recorded_measurement as m")
  .select([
    "m.seq",
    "m.started_at",
    "m.finished_at",
    "m.phase",
    "m.parsed_kind",
    "m.parsed",
    "m.message",
    "m.superseded",
  ])
  .select([valueText.as("value"), notes.as("metadata")]);

export type MeasurementRow = RowOf<typeof selectMeasurements> & { metric: string };

const eb = fragment<{ m: "measurement"; t: "metric" }>();

/**
 * The measurements `m` of metric `t`, for a lateral join. OFFSET 0 keeps it a query of its own: PostgreSQL finds packed
 * measurements by a condition with the metric's number, and reads them all if that is a condition of a join.
 */
export const ofMetric = select().as("m");

/** The same, but only those after a number. */
export const ofMetricAfter = (seq: Expression<number>) =>
  select().where("each.seq", ">", seq).where("each.last_seq", ">", seq).as("m");

function select() {
  return eb
    .selectFrom("recorded_measurement as each")
    .selectAll("each")
    .whereRef("each.metric_id", "=", "t.id")
    .offset(sql.lit(0));
}

/** What charts have a place for on their axis: the number of measurement `m`, or null. */
export const finiteNumber = eb
  .case()
  .when(
    eb.and([eb("m.parsed_kind", "in", [kindCodes.number, kindCodes.array]), eb.between("m.parsed", -1.7e308, 1.7e308)]),
  )
  .then(eb.ref("m.parsed"))
  .end();

/** A row of a thinned series is read without its metadata. */
type Serializable = Omit<MeasurementRow, "metadata"> & Partial<Pick<MeasurementRow, "metadata">>;

export function serializeMeasurement(row: Serializable): Measurement {
  const kind = decodeKind(row.parsed_kind);
  const hasNumber = (kind === "number" || kind === "array") && row.parsed !== null;
  return {
    metric: row.metric,
    seq: row.seq,
    startedAt: row.started_at.toISOString(),
    finishedAt: row.finished_at?.toISOString() ?? null,
    durationSeconds: computeDurationSeconds(row.started_at, row.finished_at),
    phase: asPhase(decodePhase(row.phase)),
    value: row.value,
    parsed: { kind, ...(hasNumber ? { number: row.parsed ?? undefined } : {}) },
    message: row.message,
    superseded: row.superseded,
    ...(row.metadata == null ? {} : { metadata: row.metadata }),
  };
}
