import type { DeliveryObject } from "#lib/domain/delivery/provider.ts";
import { providerOfKind } from "#lib/domain/providers.ts";
import { joinObject } from "#lib/domain/storable/split-object.ts";
import { type Connection, readRow } from "#lib/server/platform/db/run-query.ts";
import { readSetTemplates } from "#lib/server/recording/history/read-pod-templates.ts";
import { selectReleaseObservations } from "#lib/server/recording/history/release-observations.ts";
import type { ReleaseRow } from "#lib/server/records/release-row.ts";

export type RecordedMoment = {
  observedAt: Date;
  observation: {
    observedAt: string;
    resourceVersion: string;
    writer: string | null;
    provider: string;
    projection: unknown;
  };
  /** The rollout as it was; undefined if it was not recorded, or can no longer be read. */
  object: DeliveryObject | undefined;
  /** The pod template of its revision was known, and a workload beside the rollout had it. */
  hasWorkloadTemplate: boolean;
};

/** Reads the rollout as it was at a moment of a release: its newest observation until then, or the first one. */
export async function readRecordedMoment(
  pool: Connection,
  release: Pick<ReleaseRow, "rollout_id" | "run_key" | "started_at" | "ended_at" | "kind">,
  at: Date,
): Promise<RecordedMoment | undefined> {
  const query = selectReleaseObservations(release)
    .leftJoin("recorded_part as p", "p.digest", "o.spec_digest")
    .select(["o.object", "o.template_digest", "p.content as spec"])
    .limit(1);
  const row =
    (await readRow(pool, query.where("o.observed_at", "<=", at).orderBy("o.id", "desc"))) ??
    (await readRow(pool, query.orderBy("o.id")));
  if (row === undefined) return undefined;
  const observation = {
    observedAt: row.observed_at.toISOString(),
    resourceVersion: row.resource_version,
    writer: row.writer,
    provider: row.provider,
    projection: row.projection,
  };
  const seen = { observedAt: row.observed_at, observation, hasWorkloadTemplate: row.template_digest !== null };
  if (row.object === null || row.spec === null) return { ...seen, object: undefined };
  const templates = await readSetTemplates(pool, release.rollout_id, [release.run_key]);
  const joined = joinObject({ frame: row.object, spec: row.spec }, templates.get(release.run_key));
  const parsed = providerOfKind(release.kind).parse(joined);
  return { ...seen, object: parsed.ok ? parsed.value : undefined };
}
