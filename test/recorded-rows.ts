import pg from "pg";
import { storedMeasurements } from "#test/measurement-rows.ts";

/** Columns that may still change in a settled row: later events of the object, and results of repeated checks. */
const mutable: Record<string, string> = {
  analysis_run:
    "'{resource_version,presence,gone_at,updated_at,measurements_expired,measurements_packed,verdict_check,verdict_check_version,verdict_checked_at,verdict_check_started_version,verdict_check_started_at,figures_version}'",
  release: "'{updated_at,figured_at,waiting_seconds,committed_at}'",
};

// The message of a Canary's run is that of the check which decided: it may arrive after the one that ends the run.
// A release recorded before its ReplicaSet later gets its images and its revision from it. An observation made before
// its workloads were recorded later gets its missing parts from them (docs/adr/0002).
const query = `
  SELECT 'measurement ' || concat_ws(' ', run_uid, metric, seq) AS key,
         CASE WHEN finished_at IS NULL THEN NULL ELSE to_jsonb(m)::text END AS content FROM ${storedMeasurements("m")}
  UNION ALL
  SELECT 'run ' || uid, CASE WHEN completed_at IS NULL THEN NULL ELSE (to_jsonb(r) - ${mutable.analysis_run}::text[]
             - CASE WHEN kind = 'Canary' THEN 'message' ELSE '' END)::text END
    FROM analysis_run r
  UNION ALL
  SELECT 'observation ' || id,
         CASE WHEN provider = 'flagger' AND (projection #> '{shown,images}' = '[]' OR projection #> '{memory,template,digest}' = 'null')
           THEN NULL ELSE to_jsonb(o)::text END FROM observation o
  UNION ALL
  SELECT 'release ' || concat_ws(' ', rollout_id, run_key, attempt),
         CASE WHEN ended_at IS NULL OR images = '[]' THEN NULL
           ELSE (to_jsonb(r) - ${mutable.release}::text[])::text END FROM release r
  UNION ALL SELECT 'audit ' || seq, to_jsonb(a)::text FROM audit_entry a`;

/** Every recorded row by its key, with its content if it is final, else null. */
export type RecordedRows = ReadonlyMap<string, string | null>;

export async function readRecordedRows(databaseUrl: string): Promise<RecordedRows> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ key: string; content: string | null }>(query);
    return new Map(rows.map(({ key, content }) => [key, content]));
  } finally {
    await client.end();
  }
}

/** Finds rows of `before` that are gone, and final ones that have changed. */
export function findLostRows(before: RecordedRows, after: RecordedRows): string[] {
  return [...before].flatMap(([key, content]) => {
    const now = after.get(key);
    if (now === undefined) return [`${key} is gone`];
    return content === null || content === now ? [] : [`${key} was ${content}, is ${now}`];
  });
}
