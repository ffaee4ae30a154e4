import { sql } from "kysely";
import { endedPhases } from "#lib/domain/delivery/run-phase.ts";
import { isOfRun, type RunKey } from "#lib/server/platform/db/conditions.ts";
import { type RowOf, readRows } from "#lib/server/platform/db/run-query.ts";
import { countRows } from "#lib/server/platform/db/sql-functions.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import type { Runtime } from "#lib/server/process/runtime-types.ts";
import { phaseCodes, valueText } from "#lib/server/records/measurement-codes.ts";

const endedCodes = endedPhases.map((phase) => phaseCodes[phase]);

/** Limits of a batch per run: the number of measurements, and the bytes of their values. */
export const batchSize = { measurements: 5000, text: 4_000_000 };

/** The measurements of a run that follow a number, as one JSON text: a row per measurement costs several times more. */
function selectBatch(after: number) {
  return tables.selectFrom("metric as t").innerJoinLateral(
    ({ selectFrom }) =>
      selectFrom(
        selectFrom("measurement as m")
          .select([
            "m.seq",
            "m.phase",
            valueText.as("value"),
            "m.message",
            "m.escaped",
            "m.started_at",
            "m.finished_at",
          ])
          .select(({ ref }) =>
            sql<number>`sum(octet_length(${valueText})) OVER (ORDER BY ${ref("m.seq")} ROWS UNBOUNDED PRECEDING)`.as(
              "text",
            ),
          )
          .whereRef("m.metric_id", "=", "t.id")
          .where("m.superseded", "=", false)
          .where("m.phase", "in", endedCodes)
          .where("m.seq", ">", after)
          .orderBy("m.seq")
          .limit(batchSize.measurements)
          .as("page"),
      )
        .select(({ eb, fn, lit, ref }) => [
          sql<string | null>`json_agg(json_build_array(
            ${ref("page.seq")},
            ${ref("page.phase")},
            ${ref("page.value")},
            CASE WHEN ${ref("page.phase")} = ${sql.lit(phaseCodes.Error)} THEN left(${ref("page.message")}, 200) END,
            (date_part('epoch', ${ref("page.started_at")}) * 1000)::int8,
            (date_part('epoch', ${ref("page.finished_at")}) * 1000)::int8,
            ${ref("page.escaped")} AND position('\\' IN ${ref("page.value")}) > 0
          ) ORDER BY ${ref("page.seq")})::text`.as("rows"),
          countRows().as("count"),
          fn.coalesce(fn.max("page.seq"), lit(0)).as("last"),
          fn.coalesce(eb(fn.max("page.text"), ">=", batchSize.text).$castTo<boolean>(), lit(false)).as("is_cut"),
        ])
        // At least one, however long its value is.
        .where((eb) =>
          eb.or([
            eb("page.text", "is", null),
            eb(
              eb("page.text", "-", eb.fn<number>("octet_length", [eb.fn.coalesce("page.value", sql.lit(""))])),
              "<",
              batchSize.text,
            ),
          ]),
        )
        .as("batch"),
    (join) => join.onTrue(),
  );
}

const selectRows = (after: number) =>
  selectBatch(after).select(["t.run_uid as uid", "batch.rows", "batch.count", "batch.last", "batch.is_cut"]);
type BatchRow = RowOf<ReturnType<typeof selectRows>>;

export type MeasurementBatch = { readonly rows: string | undefined; readonly last: number; readonly hasMore: boolean };

/** Reads the finished measurements of a metric in some runs, from the one after `after`, up to the batch's size. */
export async function readMeasurementBatch(
  { pool }: Runtime,
  { runs, metric, after }: { runs: readonly RunKey[]; metric: string; after: number },
): Promise<ReadonlyMap<string, MeasurementBatch>> {
  const rows = await readRows(
    pool,
    selectRows(after)
      .where(({ ref }) => isOfRun([ref("t.rollout_id"), ref("t.run_uid")], runs))
      .where("t.name", "=", metric),
  );
  return new Map(rows.map((row) => [row.uid, toBatch(row)]));
}

function toBatch({ rows, count, last, is_cut }: BatchRow): MeasurementBatch {
  const hasMore = count === batchSize.measurements || is_cut === true;
  return { rows: rows ?? undefined, last: last ?? 0, hasMore };
}
