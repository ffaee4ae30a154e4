import type { Pool } from "pg";
import { deriveReleases } from "#lib/domain/delivery/derive-releases.ts";
import { deriveTimeline } from "#lib/domain/delivery/derive-timeline.ts";
import type { RolloutProjection } from "#lib/domain/delivery/rollout-projection.ts";
import { inTransaction } from "./in-transaction.ts";
import { toObservation } from "./rollout-state.ts";
import { releaseId, writeReleases, writeTimeline } from "./write-history.ts";

type Row = {
  observed_at: Date;
  resource_version: string;
  writer: string | null;
  projection: RolloutProjection;
};

/**
 * Derives the releases and the timeline of a rollout again from its stored observations, and stores them in place of
 * what was there. Ids stay: they follow from what they name. Not for a rollout that is being recorded at the moment.
 */
export async function rederive(pool: Pool, rolloutId: string): Promise<void> {
  await inTransaction(pool, async (tx) => {
    await tx.query("SELECT 1 FROM rollout WHERE id = $1 FOR UPDATE", [rolloutId]);
    const { rows } = await tx.query<Row>(
      "SELECT observed_at, resource_version, writer, projection FROM observation WHERE rollout_id = $1 ORDER BY id",
      [rolloutId],
    );
    const observations = rows.map(toObservation);
    const releases = deriveReleases(observations).map((value) => ({ rolloutId, value }));
    const events = deriveTimeline(observations).map((value) => ({ rolloutId, value }));
    await tx.query("DELETE FROM release WHERE rollout_id = $1 AND id <> ALL($2::uuid[])", [
      rolloutId,
      releases.map(({ value }) => releaseId(rolloutId, value)),
    ]);
    await tx.query("DELETE FROM timeline_event WHERE rollout_id = $1", [rolloutId]);
    await writeReleases(tx, releases, new Date().toISOString());
    await writeTimeline(tx, events);
  });
}
