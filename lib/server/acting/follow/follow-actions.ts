import type { Pool } from "pg";
import type { ReadBack } from "#lib/domain/acting/effect.ts";
import type { AuditDraft } from "#lib/domain/audit/audit-entry.ts";
import { type FollowOne, type FollowPass, maxPerPass, readDueActions } from "#lib/server/acting/follow/due-actions.ts";
import { followEffect } from "#lib/server/acting/follow/follow-effect.ts";
import { fetchLive, fetchTarget, readStoredEffect, type Unread } from "#lib/server/acting/follow/look-live.ts";
import { entryOf, settleWithEntry } from "#lib/server/acting/follow/settle-action.ts";
import type { ClusterClient } from "#lib/server/clusters/kubernetes/cluster-client-types.ts";
import { secondsBefore, transactionTime } from "#lib/server/platform/db/database-time.ts";
import { readRows } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import { type ActionChange, actionColumns, StoredPlan, updateAction } from "#lib/server/records/action-store.ts";
import { isDecisionKept, keptMessage } from "#lib/server/records/gate-decisions.ts";

const abandonedSeconds = 120;

type FollowOptions = {
  pool: Pool;
  clusterFor: (cluster: string) => ClusterClient | undefined;
  onError?: (error: unknown, actionId: string) => void;
};

/**
 * Makes one pass over the actions that are not settled. Applied ones are followed until the rollout shows their effect,
 * even long after their deadline. Unknown ones are read back from the cluster. Several recorders may run this at once.
 * Resolves with the number of changed rows, and of those that were looked at; a failing action does not block the others.
 */
export async function followActions({
  pool,
  clusterFor,
  onError,
}: FollowOptions): Promise<{ changed: number; followed: number }> {
  const pass: FollowPass = { pool, clusterFor, silent: new Set(), onError };
  const rows = await readDueActions(pool);
  let changed = await dropWithoutIntent({ pool, onError });
  for (const row of rows) {
    try {
      const isEffect = row.state === "applied" || row.state === "not-effective";
      const isChanged = isEffect ? await followEffect({ ...pass, row }) : await resolveUnknown({ ...pass, row });
      if (isChanged) changed += 1;
    } catch (error) {
      onError?.(error, row.id);
    }
  }
  return { changed, followed: rows.length };
}

/** Drops actions without an intent. Nothing was sent and nothing can follow: the requester is gone or was told so. */
async function dropWithoutIntent({ pool, onError }: Pick<FollowOptions, "pool" | "onError">): Promise<number> {
  const rows = await readRows(
    pool,
    tables
      .selectFrom("action as a")
      .select(actionColumns)
      .where("a.state", "=", "requested")
      .where("a.intent_seq", "is", null)
      .where("a.requested_at", "<", secondsBefore(transactionTime, abandonedSeconds))
      .limit(maxPerPass),
  );
  const message = "Gatehouse stopped before it did anything.";
  let dropped = 0;
  for (const row of rows) {
    const entry: AuditDraft = { ...entryOf({ row, message }), outcome: "refused" };
    const changeOf = (seq: number): ActionChange => ({ state: "refused", message, outcomeSeq: seq });
    try {
      if (await settleWithEntry({ pool, row, entry, changeOf, from: ["requested"] })) dropped += 1;
    } catch (error) {
      onError?.(error, row.id);
    }
  }
  return dropped;
}

/** Reads back from the cluster the outcome of patches whose answer never came. Returns whether it is known now. */
async function resolveUnknown({ pool, clusterFor, silent, row, onError }: FollowOne): Promise<boolean> {
  const parsed = StoredPlan.safeParse(row.plan);
  const stored = readStoredEffect(row.plan);
  if (!parsed.success || (stored === undefined && parsed.data.expectedEffect !== undefined)) {
    // Its patch may still be in flight, and the next action must not overtake it.
    if (!row.is_grace_over) return false;
    onError?.(parsed.error ?? new Error("the expected effect cannot be read"), row.id);
    return undecidable(
      { pool, row },
      "The record of the sent patches cannot be read. Check the rollout before you act again.",
    );
  }
  if (stored === undefined) return undecidable({ pool, row }, "The plan was not recorded.");
  const { provider, effect, facts, plan } = stored;
  // A decision is kept with the intent; an older version kept it with the outcome.
  if (plan.isDecision === true) {
    const deadlineSeconds = facts.deadlineSeconds(new Date());
    if (await isDecisionKept(pool, row.id))
      return settle({ pool, row, verdict: { outcome: "applied", message: keptMessage }, deadlineSeconds });
    const notKept = { outcome: "refused", message: "Gatehouse did not keep it: nothing was done." } as const;
    return settle({ pool, row, verdict: row.is_grace_over ? notKept : { outcome: "waiting" } });
  }
  const { patches, patchesDone = 0, digest, resourceVersion } = plan;
  const { target } = facts;
  const input = { effect, patchesDone, isGraceOver: row.is_grace_over, sentAt: row.requested_at };
  if (target !== undefined) {
    const look = await fetchTarget({ clusterFor, silent, row, provider, target });
    if (look.kind === "unread") return sayUnread({ pool, row, ...look });
    if (look.kind === "missing") return undecidable({ pool, row }, `${target.kind} ${target.name} is gone.`);
    const verdict = look.object.readBack({ ...input, patches: patches ?? [], before: undefined });
    return settle({ pool, row, verdict, deadlineSeconds: facts.deadlineSeconds(new Date()) });
  }
  if (patches === undefined || digest === undefined || resourceVersion === undefined)
    return undecidable({ pool, row }, "The plan was not recorded.");
  const look = await fetchLive({ clusterFor, silent, row, provider });
  if (look.kind === "unread") return sayUnread({ pool, row, ...look });
  if (look.kind === "missing") return undecidable({ pool, row }, "The rollout is gone.");
  const verdict = look.object.acting.readBack({ ...input, patches, before: { digest, resourceVersion } });
  return settle({ pool, row, verdict, deadlineSeconds: facts.deadlineSeconds(new Date()) });
}

type Asked = Pick<FollowOne, "pool" | "row">;

function undecidable(asked: Asked, message: string): Promise<boolean> {
  return settle({ ...asked, verdict: { outcome: "undecidable", message } });
}

/** Keeps it open and stores what must be fixed before it can be read back. */
async function sayUnread({ pool, row, why }: Asked & Unread): Promise<false> {
  if (why !== undefined && why !== row.message)
    await updateAction({ client: pool, id: row.id, change: { message: why }, from: ["unknown", "requested"] });
  return false;
}

/** Writes what was found out, unless another process did so meanwhile. */
async function settle({
  pool,
  row,
  verdict,
  deadlineSeconds,
}: Asked & { verdict: ReadBack; deadlineSeconds?: number }): Promise<boolean> {
  if (verdict.outcome === "waiting") return false;
  const { outcome, message } = verdict;
  const state = outcome === "undecidable" ? "not-effective" : outcome;
  return settleWithEntry({
    pool,
    row,
    entry: { ...entryOf({ row, message }), outcome: outcome === "undecidable" ? "unknown" : outcome },
    changeOf: (seq) => ({
      state,
      message,
      outcomeSeq: seq,
      isApplied: outcome === "applied",
      ...(deadlineSeconds === undefined ? {} : { deadlineSeconds }),
    }),
    from: ["unknown", "requested"],
  });
}
