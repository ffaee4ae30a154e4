import type { PoolClient } from "pg";
import type { DeliveryKind } from "#lib/domain/delivery/delivery-kind.ts";
import type { Attention } from "#lib/domain/delivery/detail.ts";
import type { DeliveryState } from "#lib/domain/delivery/observation.ts";
import type { DeliveryObject, DeliverySummary } from "#lib/domain/delivery/provider.ts";
import { nothingRelated, type RelatedState } from "#lib/domain/delivery/related-state.ts";
import { providerOfKind } from "#lib/domain/providers.ts";
import { toStorableJson } from "#lib/domain/storable/escape-text.ts";
import { readRelatedState } from "#lib/server/clusters/sources/read-related-state.ts";
import { isOneOf } from "#lib/server/platform/db/conditions.ts";
import { clockTime } from "#lib/server/platform/db/database-time.ts";
import { type RowOf, readRows, write } from "#lib/server/platform/db/run-query.ts";
import { jsonOf } from "#lib/server/platform/db/sql-functions.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import type { ChangeRow } from "#lib/server/recording/store/change-rows.ts";
import { storableText } from "#lib/server/recording/store/text-fields.ts";
import {
  decideWait,
  findingColumns,
  noWait,
  ownWaitOf,
  recordBegunWaits,
  type Wait,
  waitColumns,
} from "#lib/server/records/rollout-wait.ts";
import { loadReplicaSets, markDueDerivations } from "./replica-set-rows.ts";

const selectRollouts = tables
  .selectFrom("rollout")
  .select(["id", "cluster", "namespace", "kind", "name", "object", "images", "weight_actual"])
  .select(["phase", "message", "step", "step_count", "revision", ...waitColumns, ...findingColumns])
  .where("presence", "=", "live")
  .orderBy("id")
  .forNoKeyUpdate();
type StoredView = RowOf<typeof selectRollouts>;

/**
 * Recomputes what rollouts show that depends on other objects: their ReplicaSets and workloads. If the newest observation
 * was made before a workload was recorded, it is completed, and the history is derived again.
 */
export async function refreshViews(tx: PoolClient, rolloutIds: readonly string[]): Promise<ChangeRow[]> {
  if (rolloutIds.length === 0) return [];
  const stored = await readRows(
    tx,
    selectRollouts.where(({ ref }) => isOneOf(ref("id"), [...new Set(rolloutIds)], "uuid")),
  );
  const rollouts = stored.flatMap((row) => {
    const parsed = providerOfKind(row.kind).parse(row.object);
    return parsed.ok ? [{ row, rollout: parsed.value }] : [];
  });
  const ids = rollouts.map(({ row }) => row.id);
  const replicaSets = await loadReplicaSets(tx, ids);
  const besides = await readRelatedState(
    tx,
    rollouts.map(({ row, rollout }) => ({ ...row, workloads: rollout.workloads })),
  );
  const changes: ChangeRow[] = [];
  for (const { row, rollout } of rollouts) {
    const related = { ...(besides.get(row.id) ?? nothingRelated), replicaSets: replicaSets.get(row.id) ?? [] };
    const { id, cluster, namespace, kind, name } = row;
    const summary = rollout.summarize(related);
    const isObserved = related.memory !== undefined;
    const next = isObserved ? viewWithRelatedState({ row, rollout, related, summary }) : viewOf(summary);
    if (isObserved) await completeObservation(tx, { row, rollout, summary, related });
    if (isShown(row, next)) continue;
    await write(
      tx,
      tables
        .updateTable("rollout")
        .set({ ...next, images: jsonOf<Column.Images>(toStorableJson(next.images)), updated_at: clockTime })
        .where("id", "=", id),
    );
    await recordBegunWaits(tx, [{ next: { ...row, ...next }, before: row }]);
    const ref = `${cluster}/${namespace}/${kind}/${name}`;
    changes.push({ kind: "rollout", ref, op: "upsert", cluster, namespace, object_kind: kind, name });
  }
  return changes;
}

/** Shows all rollouts of these kinds again: what their controller does in some states depends on its version. */
export async function refreshKinds(
  tx: PoolClient,
  { cluster, kinds }: { cluster: string; kinds: readonly DeliveryKind[] },
): Promise<ChangeRow[]> {
  if (kinds.length === 0) return [];
  const rows = await readRows(
    tx,
    tables
      .selectFrom("rollout")
      .select("id")
      .where("cluster", "=", cluster)
      .where(({ ref }) => isOneOf(ref("kind"), kinds))
      .where("presence", "=", "live"),
  );
  return refreshViews(
    tx,
    rows.map(({ id }) => id),
  );
}

type View = Pick<StoredView, "images" | "weight_actual"> & Partial<Omit<StoredView, "id">>;

function viewOf({ images, weight }: DeliverySummary): View {
  return { images, weight_actual: weight?.actual ?? null };
}

/** Returns the view of a rollout whose phase and attention depend on its workloads too. */
function viewWithRelatedState({
  row,
  rollout,
  related,
  summary: computed,
}: {
  row: StoredView;
  rollout: DeliveryObject;
  related: RelatedState;
  summary: DeliverySummary;
}): View {
  // The object is the stored one: its own secrets are no longer in it.
  const summary = { ...computed, message: storableText(computed.message) };
  const state = stateOf(row.kind, related.memory);
  const now = new Date().toISOString();
  const attention = rollout.findAttention({ summary, related, state, previous: attentionOf(row), now });
  return {
    ...viewOf(summary),
    phase: summary.phase,
    message: summary.message,
    ...decideWait(toWait(attention), row),
  };
}

function toWait(attention: Attention | undefined): Wait {
  if (attention === undefined) return noWait;
  const { reason, since, severity } = attention;
  return { attention_reason: reason, attention_since: new Date(since), attention_severity: severity };
}

type Observed = { row: Pick<StoredView, "id" | "cluster" | "namespace" | "kind">; rollout: DeliveryObject };

/** Stores the newest observation of a rollout again, with what its workloads tell by now, if it lacks that. */
async function completeObservation(
  tx: PoolClient,
  { row, rollout, summary, related }: Observed & { summary: DeliverySummary; related: RelatedState },
): Promise<void> {
  if (rollout.lacksWorkloads?.(related.memory) !== true) return;
  const read = await readRelatedState(tx, [{ ...row, workloads: rollout.workloads }], { withTemplates: true });
  const { workloads } = read.get(row.id) ?? related;
  const completed = rollout.completeProjection?.({ summary, related: { ...related, workloads } });
  if (completed === undefined) return;
  const { templateDigest = null } = stateOf(row.kind, completed);
  const newest = tables
    .selectFrom("observation")
    .select("id")
    .where("rollout_id", "=", row.id)
    .orderBy("id", "desc")
    .limit(1);
  const projection = jsonOf(toStorableJson(completed));
  await write(
    tx,
    tables
      .updateTable("observation")
      .set({ projection, template_digest: templateDigest })
      .where("rollout_id", "=", row.id)
      .where("id", "=", newest),
  );
  await markDueDerivations(tx, [row.id]);
}

/** Returns what a stored projection says, in the terms that all providers share. */
function stateOf(kind: string, projection: unknown): DeliveryState {
  return providerOfKind(kind).readObservation({ observedAt: "", resourceVersion: "", writer: null, projection }).state;
}

function attentionOf(row: StoredView): Pick<Attention, "reason" | "since"> | undefined {
  const { attention_reason: reason, attention_since: since } = ownWaitOf(row);
  return reason === null || since === null ? undefined : { reason, since: since.toISOString() };
}

function isShown(row: StoredView, next: View): boolean {
  return Object.entries(next).every(
    ([column, value]) => JSON.stringify(value) === JSON.stringify(row[column as keyof StoredView]),
  );
}
