import type { SkippedGate } from "#lib/domain/argo/history/find-skipped-gates.ts";
import type { Runtime } from "#lib/server/runtime/runtime-types.ts";

/** Indices of the gates of the release under way that the controller skipped, by rollout; those without any are absent. */
export async function readSkippedGates(
  { pool }: Pick<Runtime, "pool">,
  rows: readonly { id: string }[],
): Promise<Map<string, number[]>> {
  const { rows: found } = await pool.query<{ id: string; gates: SkippedGate[] }>(
    `SELECT wanted.id, newest.gates FROM unnest($1::uuid[]) AS wanted (id) CROSS JOIN LATERAL (
       SELECT projection #> '{view,skippedGates}' AS gates FROM observation
        WHERE rollout_id = wanted.id ORDER BY observation.id DESC LIMIT 1) newest
      WHERE jsonb_array_length(newest.gates) > 0`,
    [rows.map(({ id }) => id)],
  );
  return new Map(found.map(({ id, gates }) => [id, gates.map(({ step }) => step)]));
}
