import type { Selectable } from "kysely";
import type { PoolClient } from "pg";
import { isOneOf } from "#lib/server/platform/db/conditions.ts";
import type { Tables } from "#lib/server/platform/db/generated/tables.ts";
import { prepareInsert } from "#lib/server/platform/db/prepare-insert.ts";
import { type Connection, type RowOf, readRows } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";

type Rollout = Selectable<Tables["rollout"]>;
/** The columns that say why a rollout waits; null if it does not. */
export type Wait = Pick<Rollout, "attention_reason" | "attention_since" | "attention_severity">;

export const waitColumns = [
  "attention_reason",
  "attention_since",
  "attention_severity",
] as const satisfies readonly (keyof Wait)[];
/** The columns that `decideWait` reads. */
export const findingColumns = [
  "presence",
  "worst_finding",
  "worst_finding_since",
] as const satisfies readonly (keyof Rollout)[];

export const noWait: Wait = { attention_reason: null, attention_since: null, attention_severity: null };

/** Returns what the stored rollout waits for by itself: a critical finding, which took its place, does not count. */
export function ownWaitOf(stored: Wait): Wait {
  const isFinding = stored.attention_reason === "finding" && stored.attention_severity === "critical";
  return isFinding ? noWait : stored;
}

type FindingState = Pick<Rollout, "worst_finding" | "worst_finding_since"> & { presence: string };

/**
 * Decides why a rollout waits. Its own wait comes first, then a critical finding, until that is acknowledged. A finding
 * does not count once the rollout is gone.
 */
export function decideWait(own: Wait, stored: FindingState | undefined): Wait {
  if (own.attention_reason !== null) return own;
  if (stored?.presence !== "live" || stored.worst_finding !== "critical") return noWait;
  return {
    attention_reason: "finding",
    attention_since: stored.worst_finding_since,
    attention_severity: "critical",
  };
}

const selectWaits = tables
  .selectFrom("rollout")
  .select(["id", ...waitColumns, ...findingColumns])
  .orderBy("id")
  .forNoKeyUpdate();
export type StoredWait = RowOf<typeof selectWaits>;

/** Reads what stored rollouts wait for, and locks their rows. */
export async function lockWaits(tx: Connection, ids: readonly string[]): Promise<Map<string, StoredWait>> {
  const rows = await readRows(
    tx,
    selectWaits.where(({ ref }) => isOneOf(ref("id"), ids, "uuid")),
    { isPrepared: true },
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/**
 * Returns whether the wait begins or becomes critical, so that people are notified. Findings have other notifications.
 * `before`: undefined for a rollout that was not stored.
 */
export function isBegun(next: Wait, before: Wait | undefined): boolean {
  const { attention_reason: reason, attention_since: since, attention_severity: severity } = next;
  if (reason === null || reason === "finding" || since === null || severity === null) return false;
  const isOther = reason !== before?.attention_reason || since.getTime() !== before.attention_since?.getTime();
  return isOther || (severity === "critical" && before.attention_severity !== "critical");
}

const insertChanges = prepareInsert({
  table: "attention_change",
  columns: {
    rollout_id: "uuid",
    reason: "text",
    since: "timestamptz",
    severity: "text",
    message: "text",
    step: "int4",
    step_count: "int4",
    revision: "int4",
    is_first_sight: "bool",
  },
});

type Waiting = Wait & Pick<Rollout, "id" | "message" | "step" | "step_count" | "revision">;

/** Records the waits that begin. Even a short one is then notified. */
export async function recordBegunWaits(
  tx: PoolClient,
  waits: readonly { next: Waiting; before: Wait | undefined }[],
): Promise<void> {
  const rows = waits.flatMap(({ next, before }) => {
    const { attention_reason: reason, attention_since: since, attention_severity: severity } = next;
    if (!isBegun(next, before) || reason === null || since === null || severity === null) return [];
    const { id, message, step, step_count, revision } = next;
    return {
      ...{ rollout_id: id, reason, since: since.toISOString(), severity, message, step, step_count, revision },
      is_first_sight: before === undefined,
    };
  });
  await insertChanges(tx, rows);
}
