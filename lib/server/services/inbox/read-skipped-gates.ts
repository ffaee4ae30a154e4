import { toDeliveryState } from "#lib/domain/argo/history/delivery-state.ts";
import type { RolloutProjection } from "#lib/domain/argo/history/rollout-projection.ts";
import type { SkippedGate } from "#lib/domain/delivery/observation.ts";
import type { Runtime } from "#lib/server/runtime/runtime-types.ts";

/** The gates of the release under way that the controller skipped, by rollout; those without any are absent. */
export async function readSkippedGates(
  { pool }: Pick<Runtime, "pool">,
  rows: readonly { id: string }[],
): Promise<Map<string, SkippedGate[]>> {
  const { rows: found } = await pool.query<{ id: string; projection: RolloutProjection }>(
    `SELECT wanted.id, newest.projection FROM unnest($1::uuid[]) AS wanted (id) CROSS JOIN LATERAL (
       SELECT provider, projection FROM observation WHERE rollout_id = wanted.id ORDER BY observation.id DESC LIMIT 1) newest
     WHERE provider <> ''`,
    [rows.map(({ id }) => id)],
  );
  const gates = found.map(({ id, projection }) => [id, toDeliveryState(projection).skippedGates] as const);
  return new Map(gates.filter(([, skipped]) => skipped.length > 0));
}
