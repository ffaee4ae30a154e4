import type { Pool } from "pg";
import { type MeasurementRow, measurementColumns } from "#lib/server/recording/kinds/run-rows.ts";

/** Inserts measurement rows in batches with only the driver, and returns how many milliseconds that took. */
export async function insertRawMeasurements(
  pool: Pool,
  rows: readonly MeasurementRow[],
  batch = 25_000,
): Promise<number> {
  const names = Object.entries(measurementColumns);
  const columns = names.map(([name]) => name).join(", ");
  const arrays = names.map(([, type], index) => `$${index + 1}::${type}[]`).join(", ");
  const sql = `INSERT INTO measurement (${columns}) SELECT * FROM unnest(${arrays}) ON CONFLICT DO NOTHING`;
  const startedAt = performance.now();
  for (let from = 0; from < rows.length; from += batch) {
    const part = rows.slice(from, from + batch);
    await pool.query(
      sql,
      names.map(([name]) => part.map((row) => row[name as keyof MeasurementRow])),
    );
  }
  return performance.now() - startedAt;
}
