import type { Selectable } from "kysely";
import type { Tables } from "#lib/server/platform/db/generated/tables.ts";
import { tables } from "#lib/server/platform/db/tables.ts";

/** Observations of a release that are read, far more than one has; the first ones count. */
export const mostObservations = 20_000;

type Of = Pick<Selectable<Tables["release"]>, "rollout_id" | "run_key" | "started_at" | "ended_at">;

/** Builds the query for the observations of the release's revision in its time. */
export function selectReleaseObservations({ rollout_id, run_key, started_at, ended_at }: Of) {
  const query = tables
    .selectFrom("observation as o")
    .select(["o.id", "o.observed_at", "o.resource_version", "o.writer", "o.provider", "o.projection"])
    .where("o.rollout_id", "=", rollout_id)
    .where("o.provider", "<>", "")
    .where("o.run_key", "=", run_key)
    .where("o.observed_at", ">=", started_at);
  return ended_at === null ? query : query.where("o.observed_at", "<=", ended_at);
}

/** Returns the condition for the same observations in calls of Prisma's client. */
export function isOfRelease({ rollout_id, run_key, started_at, ended_at }: Of) {
  return {
    rolloutId: rollout_id,
    provider: { not: "" },
    runKey: run_key,
    observedAt: { gte: started_at, ...(ended_at === null ? {} : { lte: ended_at }) },
  };
}
