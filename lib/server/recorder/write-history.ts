import type { PoolClient } from "pg";
import type { Release } from "#lib/domain/delivery/derive-releases.ts";
import type { TimelineEvent } from "#lib/domain/delivery/derive-timeline.ts";
import type { Observation } from "#lib/domain/delivery/rollout-projection.ts";
import { stableUuid } from "#lib/domain/delivery/stable-uuid.ts";
import { toStorableJson } from "#lib/domain/history/escape-text.ts";
import { type Columns, insertRows, overwrite } from "./insert-rows.ts";
import { storableName, storableText } from "./text-fields.ts";

export type Owned<Value> = { rolloutId: string; value: Value };

const observationColumns = {
  rollout_id: "uuid",
  observed_at: "timestamptz",
  resource_version: "text",
  view_digest: "text",
  writer: "text",
  projection: "jsonb",
} as const satisfies Columns<Record<string, unknown>>;

/** In the order given: ids ascend with it. */
export async function writeObservations(
  tx: PoolClient,
  observations: readonly Owned<Observation & { viewDigest: string }>[],
): Promise<void> {
  await insertRows(tx, {
    table: "observation",
    columns: observationColumns,
    rows: observations.map(({ rolloutId, value }) => ({
      rollout_id: rolloutId,
      observed_at: value.observedAt,
      resource_version: value.resourceVersion,
      view_digest: value.viewDigest,
      writer: value.writer === null ? null : storableName(value.writer),
      projection: toStorableJson(value.projection),
    })),
    onConflict: "ON CONFLICT (rollout_id, resource_version) DO NOTHING",
  });
}

export function releaseId(rolloutId: string, release: Pick<Release, "runKey" | "attempt">): string {
  return stableUuid("release", rolloutId, release.runKey, release.attempt);
}

const releaseColumns = {
  id: "uuid",
  rollout_id: "uuid",
  run_key: "text",
  revision: "int4",
  attempt: "int4",
  state: "text",
  message: "text",
  images: "jsonb",
  started_at: "timestamptz",
  ended_at: "timestamptz",
  updated_at: "timestamptz",
} as const satisfies Columns<Record<string, unknown>>;

export async function writeReleases(
  tx: PoolClient,
  releases: readonly Owned<Release>[],
  updatedAt: string,
): Promise<void> {
  await insertRows(tx, {
    table: "release",
    columns: releaseColumns,
    rows: releases.map(({ rolloutId, value }) => ({
      id: releaseId(rolloutId, value),
      rollout_id: rolloutId,
      run_key: storableName(value.runKey),
      revision: value.revision,
      attempt: value.attempt,
      state: value.state,
      message: storableText(value.message),
      images: toStorableJson(value.images),
      started_at: value.startedAt,
      ended_at: value.endedAt,
      updated_at: updatedAt,
    })),
    onConflict: `ON CONFLICT (id) DO UPDATE SET ${overwrite(releaseColumns, ["id", "rollout_id", "run_key", "attempt"])}`,
  });
}

const timelineColumns = {
  id: "uuid",
  rollout_id: "uuid",
  at: "timestamptz",
  ord: "int4",
  kind: "text",
  text: "text",
  phase: "text",
  run_name: "text",
} as const satisfies Columns<Record<string, unknown>>;

export async function writeTimeline(tx: PoolClient, events: readonly Owned<TimelineEvent>[]): Promise<void> {
  await insertRows(tx, {
    table: "timeline_event",
    columns: timelineColumns,
    rows: events.map(({ rolloutId, value }) => ({
      id: stableUuid("timeline", rolloutId, value.resourceVersion, value.ord),
      rollout_id: rolloutId,
      at: value.at,
      ord: value.ord,
      kind: value.kind,
      text: storableText(value.text),
      phase: value.phase,
      run_name: value.runName ?? null,
    })),
    onConflict: "ON CONFLICT (id) DO UPDATE SET kind = EXCLUDED.kind, text = EXCLUDED.text, phase = EXCLUDED.phase",
  });
}
