import type { SkippedGate } from "#lib/domain/delivery/observation.ts";
import type { Runtime } from "#lib/server/process/runtime-types.ts";
import { type ObservationRow, toRecorded } from "#lib/server/recorder/history/rollout-state.ts";

/** Reads the gates of the current release that the controller skipped, by rollout; rollouts without any are absent. */
export async function readSkippedGates(
  { pool }: Pick<Runtime, "pool">,
  rows: readonly { id: string }[],
): Promise<Map<string, SkippedGate[]>> {
  const { rows: found } = await pool.query<ObservationRow & { id: string }>(
    `SELECT wanted.id, newest.* FROM unnest($1::uuid[]) AS wanted (id) CROSS JOIN LATERAL (
       SELECT observed_at, resource_version, writer, provider, projection FROM observation
        WHERE rollout_id = wanted.id ORDER BY observation.id DESC LIMIT 1) newest
     WHERE provider <> ''`,
    [rows.map(({ id }) => id)],
  );
  const gates = found.map(({ id, ...row }) => [id, toRecorded(row).state.skippedGates] as const);
  return new Map(gates.filter(([, skipped]) => skipped.length > 0));
}
