import type { PoolClient } from "pg";
import type { Attention } from "#lib/domain/delivery/detail.ts";
import type { DeliveryObject, DeliverySummary } from "#lib/domain/delivery/provider.ts";
import { pickLabels } from "#lib/domain/kube/pick-labels.ts";
import { toStorableJson } from "#lib/domain/storable/escape-text.ts";
import type { SourceKey } from "#lib/server/clusters/sources/watched-resources.ts";
import { isOneOf } from "#lib/server/platform/db/conditions.ts";
import { clockTime, secondsBefore } from "#lib/server/platform/db/database-time.ts";
import { type InsertedRow, notOlder, prepareInsert, timeOfChange } from "#lib/server/platform/db/prepare-insert.ts";
import { readRows } from "#lib/server/platform/db/run-query.ts";
import { valueAt } from "#lib/server/platform/db/sql-functions.ts";
import { fragment, tables } from "#lib/server/platform/db/tables.ts";
import type { ObjectEntry } from "#lib/server/recording/store/batch-types.ts";
import { type StoredObject, storableName, storableText } from "#lib/server/recording/store/text-fields.ts";
import { runKeyOf } from "#lib/server/records/action-store.ts";
import { summaryColumns, toSummaryColumns } from "#lib/server/records/rollout-row.ts";
import { decideWait, isBegun, recordBegunWaits, type StoredWait, type Wait } from "#lib/server/records/rollout-wait.ts";
import { objectColumns, toObjectRow } from "./kind-rows.ts";

const { fn, or, ref } = fragment<{ rollout: "rollout"; excluded: "rollout" }>();

const insert = prepareInsert({
  table: "rollout",
  columns: {
    ...objectColumns,
    id: "uuid",
    namespace: "text",
    kind: "text",
    name: "text",
    labels: "jsonb",
    ...summaryColumns,
    attention_reason: "text",
    attention_since: "timestamptz",
    attention_severity: "text",
    view_digest: "text",
    derivation_version: "int4",
    runs_due: "bool",
    object: "jsonb",
    template_refs: "jsonb",
    workload_ref: "text",
    workloads: "jsonb",
  },
  conflict: {
    key: ["id"],
    set: {
      // If a derivation became due after this process read the row, it stays due; see markDueDerivations.
      derivation_version: fn("least", ["rollout.derivation_version", "excluded.derivation_version"]),
      runs_due: or([ref("rollout.runs_due"), ref("excluded.runs_due")]),
      updated_at: timeOfChange("rollout"),
    },
    when: notOlder("rollout"),
  },
  returning: ["id"],
});
export type RolloutRow = InsertedRow<typeof insert>;

/**
 * Inserts rollouts, whose rows say what they wait for by themselves. Decides with their findings what they wait for, and
 * records the waits that begin. `stored`: of these rollouts, as `lockWaits` read them.
 */
export async function insertRollouts(
  tx: PoolClient,
  rows: readonly RolloutRow[],
  stored: ReadonlyMap<string, StoredWait>,
): Promise<void> {
  const decided = rows.map((row) => {
    const own = waitOf(row);
    const before = stored.get(row.id);
    const wait = decideWait(own, before && { ...before, presence: row.presence });
    return wait === own ? row : { ...row, ...wait, attention_since: wait.attention_since?.toISOString() ?? null };
  });
  const begun = decided
    .map((row) => ({ next: { ...row, ...waitOf(row) }, before: stored.get(row.id) }))
    .filter(({ next, before }) => isBegun(next, before));
  const written = new Set((await insert(tx, decided, { isAnswerNeeded: begun.length > 0 })).map(({ id }) => id));
  await recordBegunWaits(
    tx,
    begun.filter(({ next }) => written.has(next.id)),
  );
}

function waitOf({ attention_reason, attention_since, attention_severity }: RolloutRow): Wait {
  return {
    attention_reason: attention_reason as Wait["attention_reason"],
    attention_since: attention_since === null ? null : new Date(attention_since),
    attention_severity: attention_severity as Wait["attention_severity"],
  };
}

export function toRolloutRow(options: {
  id: string;
  source: SourceKey;
  entry: ObjectEntry;
  rollout: DeliveryObject;
  summary: DeliverySummary;
  viewDigest: string;
  attention: Attention | undefined;
  derivationVersion: number;
  isRunsDue: boolean;
  stored: StoredObject;
}): RolloutRow {
  const { id, source, entry, rollout, summary } = options;
  const attention = entry.op === "deleted" ? undefined : options.attention;
  return {
    ...toObjectRow({ source, entry }),
    id,
    namespace: rollout.metadata.namespace ?? "",
    kind: source.kind,
    name: storableName(rollout.metadata.name),
    labels: toStorableJson(pickLabels(options.stored.value, source.recordedLabels)),
    ...toSummaryColumns(summary, {
      name: storableName,
      message: (text) => storableText(text, options.stored.secrets),
    }),
    attention_reason: attention?.reason ?? null,
    attention_since: attention?.since ?? null,
    attention_severity: attention?.severity ?? null,
    view_digest: options.viewDigest,
    derivation_version: options.derivationVersion,
    runs_due: options.isRunsDue,
    object: options.stored.json,
    template_refs: toStorableJson(rollout.templateRefs),
    workload_ref: rollout.workloadRef === null ? null : storableName(rollout.workloadRef),
    workloads: toStorableJson(rollout.workloads.map(({ kind, name }) => `${kind}/${name}`)),
  };
}

/** An action's consequences follow within seconds, and later only if the controller was away. */
const withinMinutes = 60;

/** Index of a pause step that a person knowingly let the controller pass in the update to that revision. */
export type KnownPass = { runKey: string; step: number };

/**
 * Loads, by rollout, the pause steps that people let the controller pass after being told before the click. Each is
 * valid only for the update that was acted on: the next update may lose the same gate without anyone having been told.
 * Queried only for rollouts whose state may lose a gate.
 */
export async function loadKnownPasses(
  tx: PoolClient,
  seenObjects: readonly { id: string; rollout: Pick<DeliveryObject, "mayLoseGates"> }[],
): Promise<Map<string, KnownPass[]>> {
  const ids = seenObjects.filter(({ rollout }) => rollout.mayLoseGates).map(({ id }) => id);
  const known = new Map<string, KnownPass[]>();
  if (ids.length === 0) return known;
  // The values are parsed here and not cast in SQL: one stored plan of another shape would block all rollouts of a
  // batch.
  const rows = await readRows(
    tx,
    tables
      .selectFrom("action as a")
      .select(({ ref }) => [
        "a.rollout_id",
        valueAt(ref("a.plan"), "passesPauses").as("passes"),
        runKeyOf(ref("a.plan")).as("runKey"),
      ])
      .where(({ ref }) => isOneOf(ref("a.rollout_id"), [...new Set(ids)], "uuid"))
      .where("a.intent_seq", "is not", null)
      .where("a.state", "<>", "refused")
      .where("a.requested_at", ">", secondsBefore(clockTime, withinMinutes * 60)),
  );
  for (const { rollout_id: id, runKey, passes } of rows)
    for (const step of stepsIn(passes)) known.set(id, [...(known.get(id) ?? []), { runKey: runKey ?? "", step }]);
  return known;
}

/** Returns the step indexes in a stored plan; values that are not indexes do not refer to a pause. */
function stepsIn(passes: unknown): number[] {
  if (!Array.isArray(passes)) return [];
  return passes.filter((step: unknown): step is number => Number.isSafeInteger(step) && Number(step) >= 0);
}
