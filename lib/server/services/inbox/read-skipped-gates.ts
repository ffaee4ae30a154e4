import type { SkippedGate } from "#lib/domain/delivery/observation.ts";
import { readRows } from "#lib/server/db/run-query.ts";
import { tables, wantedIds } from "#lib/server/db/tables.ts";
import type { Runtime } from "#lib/server/process/runtime-types.ts";
import { toRecorded } from "#lib/server/recorder/history/rollout-state.ts";

/** Reads the gates of the current release that the controller skipped, by rollout; rollouts without any are absent. */
export async function readSkippedGates(
  { pool }: Pick<Runtime, "pool">,
  rows: readonly { id: string }[],
): Promise<Map<string, SkippedGate[]>> {
  const query = tables
    .selectFrom(wantedIds(rows.map(({ id }) => id)))
    .crossJoinLateral(({ selectFrom }) =>
      selectFrom("observation as o")
        .select(["o.observed_at", "o.resource_version", "o.writer", "o.provider", "o.projection"])
        .whereRef("o.rollout_id", "=", "wanted.id")
        .orderBy("o.id", "desc")
        .limit(1)
        .as("newest"),
    )
    .select("wanted.id")
    .selectAll("newest")
    .where("newest.provider", "<>", "");
  const found = await readRows(pool, query);
  const gates = found.map(({ id, ...row }) => [id, toRecorded(row).state.skippedGates] as const);
  return new Map(gates.filter(([, skipped]) => skipped.length > 0));
}
