import type { Attention } from "#lib/domain/delivery/attention.ts";
import type { DeliveryObject, DeliverySummary } from "#lib/domain/delivery/provider.ts";
import { toStorableJson } from "#lib/domain/storable/escape-text.ts";
import type { ObjectEntry } from "#lib/server/recorder/store/batch-types.ts";
import type { Columns } from "#lib/server/recorder/store/insert-rows.ts";
import { type StoredObject, storableName, storableText } from "#lib/server/recorder/store/text-fields.ts";
import type { SourceKey } from "#lib/server/sources/watched-resources.ts";

export type RolloutRow = {
  id: string;
  cluster: string;
  namespace: string;
  kind: string;
  name: string;
  uid: string;
  presence: string;
  strategy: string | null;
  phase: string;
  message: string;
  step: number | null;
  step_count: number;
  weight_set: number | null;
  weight_actual: number | null;
  images: string;
  attention_reason: string | null;
  attention_since: string | null;
  attention_severity: string | null;
  view_digest: string;
  revision_key: string;
  revision: number | null;
  resource_version: string;
  derivation_version: number;
  object: string;
  template_refs: string;
  workload_ref: string | null;
  updated_at: string;
  gone_at: string | null;
};

export const rolloutColumns: Columns<RolloutRow> = {
  id: "uuid",
  cluster: "text",
  namespace: "text",
  kind: "text",
  name: "text",
  uid: "text",
  presence: "text",
  strategy: "text",
  phase: "text",
  message: "text",
  step: "int4",
  step_count: "int4",
  weight_set: "float8",
  weight_actual: "float8",
  images: "jsonb",
  attention_reason: "text",
  attention_since: "timestamptz",
  attention_severity: "text",
  view_digest: "text",
  revision_key: "text",
  revision: "int4",
  resource_version: "text",
  derivation_version: "int4",
  object: "jsonb",
  template_refs: "jsonb",
  workload_ref: "text",
  updated_at: "timestamptz",
  gone_at: "timestamptz",
};

export function toRolloutRow(options: {
  id: string;
  source: SourceKey;
  entry: ObjectEntry;
  rollout: DeliveryObject;
  summary: DeliverySummary;
  viewDigest: string;
  attention: Attention | undefined;
  derivationVersion: number;
  stored: StoredObject;
}): RolloutRow {
  const { id, source, entry, rollout, summary } = options;
  const isGone = entry.op === "deleted";
  const attention = isGone ? undefined : options.attention;
  const at = entry.receivedAt.toISOString();
  return {
    id,
    cluster: source.cluster,
    namespace: rollout.metadata.namespace ?? "",
    kind: source.kind,
    name: storableName(rollout.metadata.name),
    uid: entry.uid,
    presence: isGone ? "deleted" : "live",
    strategy: summary.strategy,
    phase: storableName(summary.phase),
    message: storableText(summary.message, options.stored.secrets),
    step: summary.step,
    step_count: summary.stepCount,
    weight_set: summary.weight?.set ?? null,
    weight_actual: summary.weight?.actual ?? null,
    images: toStorableJson(summary.images),
    attention_reason: attention?.reason ?? null,
    attention_since: attention?.since ?? null,
    attention_severity: attention?.severity ?? null,
    view_digest: options.viewDigest,
    revision_key: storableName(summary.revisionKey),
    revision: summary.revision,
    resource_version: entry.resourceVersion,
    derivation_version: options.derivationVersion,
    object: options.stored.json,
    template_refs: toStorableJson(rollout.templateRefs),
    workload_ref: rollout.workloadRef === null ? null : storableName(rollout.workloadRef),
    updated_at: at,
    gone_at: isGone ? at : null,
  };
}
