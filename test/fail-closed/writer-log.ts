import type { RecorderWorld } from "#test/recorder-world.ts";

type Query = RecorderWorld["query"];

/** One handover: which connection name took which lease, and when. */
export type HandOver = { source_id: string; holder: string; epoch: number; at: Date };

/** Additions by the upkeep to a run, such as its verdict check, are not a record of the cluster: these columns are. */
const recordedColumns: Readonly<Record<string, string>> = {
  analysis_run: "resource_version",
  metric: "phase, message, count, successful, failed, inconclusive, error",
};

const written = ["source", "rollout", "observation", "analysis_run", "metric", "measurement", "measurement_gap"];

/**
 * Makes the database itself record who wrote when, by connection name, and each handover of a lease, by one clock. The
 * triggers are part of the test's database, not of Gatehouse.
 */
export async function keepWriterLog(query: Query): Promise<void> {
  await query("CREATE TABLE writer_log (at timestamptz NOT NULL, app text NOT NULL, tab text NOT NULL)");
  await query("CREATE TABLE hand_over_log (source_id text, holder text, epoch bigint, at timestamptz)");
  await query(`CREATE FUNCTION log_writer() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
    BEGIN
      INSERT INTO writer_log (at, app, tab) VALUES (clock_timestamp(), current_setting('application_name'), TG_TABLE_NAME);
      RETURN NULL;
    END $$`);
  for (const table of written) {
    const columns = recordedColumns[table];
    const update = columns === undefined ? "UPDATE" : `UPDATE OF ${columns}`;
    // For each row: a statement whose fence refuses it writes none.
    await query(`CREATE TRIGGER log_writer AFTER INSERT OR ${update} ON "${table}" FOR EACH ROW
      EXECUTE FUNCTION log_writer()`);
  }
  await query(`CREATE FUNCTION log_hand_over() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
    BEGIN
      INSERT INTO hand_over_log VALUES (NEW.source_id, NEW.holder, NEW.epoch, clock_timestamp());
      RETURN NULL;
    END $$`);
  await query(`CREATE TRIGGER log_taken AFTER INSERT ON source_lease FOR EACH ROW EXECUTE FUNCTION log_hand_over()`);
  await query(`CREATE TRIGGER log_hand_over AFTER UPDATE OF epoch ON source_lease FOR EACH ROW
    WHEN (OLD.epoch <> NEW.epoch) EXECUTE FUNCTION log_hand_over()`);
}

/** Lists the handovers since a time, oldest first. */
export async function listHandOvers(query: Query, since: Date): Promise<HandOver[]> {
  return query<HandOver>("SELECT source_id, holder, epoch::int, at FROM hand_over_log WHERE at >= $1 ORDER BY at", [
    since,
  ]);
}

/** Counts the rows of recorded data that a holder's connections wrote and committed after a time. */
export async function countWrites(query: Query, { app, after }: { app: string; after: Date }): Promise<number> {
  const [row] = await query<{ count: number }>(
    "SELECT count(*)::int AS count FROM writer_log WHERE app = $1 AND at > $2",
    [app, after],
  );
  return row?.count ?? 0;
}

export async function databaseNow(query: Query): Promise<Date> {
  const [row] = await query<{ now: Date }>("SELECT clock_timestamp() AS now");
  if (row === undefined) throw new Error("the database has no clock");
  return row.now;
}
