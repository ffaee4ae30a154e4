import type { Pool } from "pg";
import { assessEffect, type ExpectedEffect, effectDeadlineSeconds } from "#lib/domain/argo/action-effect.ts";
import { assessReadBack, type ReadBack } from "#lib/domain/argo/assess-read-back.ts";
import { parseRollout, type RolloutObject } from "#lib/domain/argo/rollout-object.ts";
import type { AuditDraft } from "#lib/domain/audit/audit-entry.ts";
import { compareResourceVersions } from "#lib/domain/history/resource-version.ts";
import {
  type ActionChange,
  type ActionRow,
  actionColumns,
  StoredPlan,
  unresolvedSql,
  updateAction,
} from "#lib/server/acting/action-store.ts";
import { findIgnoredField } from "#lib/server/acting/find-ignored-field.ts";
import { fetchRollout } from "#lib/server/acting/rollout-api.ts";
import { appendAudit } from "#lib/server/audit/append-audit.ts";
import { systemActor } from "#lib/server/audit/audit-actor.ts";
import type { ClusterClient } from "#lib/server/kubernetes/cluster-client-types.ts";
import { ServiceError } from "#lib/server/services/service-error.ts";

/**
 * This long after the row's deadline nothing that was sent can still be under way. The deadline lies 30 s after an
 * unknown outcome was written and 75 s after an intent; a PATCH hangs 34 s at most, and clients give up before.
 */
const graceSeconds = 15;
const abandonedSeconds = 120;
const maxPerPass = 200;

type FollowOptions = {
  pool: Pool;
  clusterFor: (cluster: string) => ClusterClient | undefined;
  onError?: (error: unknown, actionId: string) => void;
};

type Context = Omit<FollowOptions, "onError"> & {
  /** Clusters that gave no answer in this pass: each is waited for once only. */
  silent: Set<string>;
};

type Followed = ActionRow & {
  is_late: boolean;
  is_grace_over: boolean;
  recorded: unknown;
  recorded_version: string | null;
};

/**
 * One pass over the actions that are not settled: what was applied is followed until the rollout shows its effect or
 * the deadline passes, and what is unknown is read back from the cluster. Several recorders may run it at once.
 * Resolves with how many rows changed; a failing one does not hold up the others.
 */
export async function followActions({ pool, clusterFor, onError }: FollowOptions): Promise<{ changed: number }> {
  const silent = new Set<string>();
  const { rows } = await pool.query<Followed>(
    `SELECT ${actionColumns},
       coalesce(a.deadline_at < now(), false) AS is_late,
       coalesce(a.deadline_at, a.requested_at) < now() - interval '${graceSeconds} seconds' AS is_grace_over,
       r.object AS recorded, r.resource_version AS recorded_version
     FROM (SELECT * FROM action WHERE state = 'applied' OR ${unresolvedSql}) a LEFT JOIN rollout r ON r.id = a.rollout_id
     ORDER BY a.requested_at LIMIT ${maxPerPass}`,
  );
  let changed = await dropWithoutIntent(pool);
  for (const row of rows) {
    try {
      const isChanged =
        row.state === "applied"
          ? await followApplied({ pool, clusterFor, silent, row })
          : await resolve({ pool, clusterFor, silent, row });
      if (isChanged) changed += 1;
    } catch (error) {
      onError?.(error, row.id);
    }
  }
  return { changed };
}

/** Without an intent nothing was sent, and none can follow: whoever asked is gone or was told so. */
async function dropWithoutIntent(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ id: string }>(
    `SELECT id FROM action WHERE state = 'requested' AND intent_seq IS NULL
       AND requested_at < now() - interval '${abandonedSeconds} seconds' LIMIT ${maxPerPass}`,
  );
  const change: ActionChange = { state: "refused", message: "Gatehouse stopped before it did anything." };
  const dropped = await Promise.all(
    rows.map(({ id }) => updateAction({ client: pool, id, change, from: ["requested"] })),
  );
  return dropped.filter(Boolean).length;
}

async function followApplied({ pool, clusterFor, silent, row }: Context & { row: Followed }): Promise<boolean> {
  const plan = StoredPlan.safeParse(row.plan);
  const expected = plan.data?.expectedEffect;
  const settle = (state: "effective" | "not-effective", message: string) =>
    updateAction({
      client: pool,
      id: row.id,
      change: { state, message, isEffective: state === "effective" },
      from: ["applied"],
    });
  if (expected === undefined)
    return row.is_late ? settle("not-effective", "What to wait for was not recorded.") : false;
  // An object from before the action may look as if nothing had ever waited.
  const isNewer = compareResourceVersions(row.recorded_version ?? "", plan.data?.resourceVersion ?? "") === 1;
  const recorded = parseRollout(row.recorded);
  const assessed =
    recorded.ok && isNewer ? assessEffect({ expected, rollout: recorded.value }) : { state: "pending" as const };
  if (assessed.state === "effective") return settle(assessed.state, assessed.message);
  if (assessed.state === "pending" && !row.is_late) return false;
  // The record may lag behind the cluster: before saying that nothing happened, look there.
  const fetched = await fetchLive({ clusterFor, silent, row });
  if (fetched === undefined) return false;
  if (fetched === "missing") return settle("not-effective", "The rollout was deleted before it took effect.");
  const live = assessEffect({ expected, rollout: fetched });
  if (live.state !== "pending") return settle(live.state, live.message);
  return row.is_late ? settle("not-effective", "The controller has not taken it up within the deadline.") : false;
}

async function resolve({ pool, clusterFor, silent, row }: Context & { row: Followed }): Promise<boolean> {
  const plan = StoredPlan.parse(row.plan);
  const { patches, expectedEffect: expected, digest, resourceVersion } = plan;
  if (patches === undefined || expected === undefined || digest === undefined || resourceVersion === undefined)
    return settleUnknown({ pool, row, verdict: { outcome: "undecidable", message: "The plan was not recorded." } });
  const rollout = await fetchLive({ clusterFor, silent, row });
  if (rollout === undefined) return false;
  if (rollout === "missing")
    return settleUnknown({ pool, row, verdict: { outcome: "undecidable", message: "The rollout is gone." } });
  const verdict = assessReadBack({
    rollout,
    carries: patches.map(
      ({ body }, index) =>
        index < (plan.patchesDone ?? 0) || findIgnoredField({ asked: body, answered: rollout }) === undefined,
    ),
    before: { digest, resourceVersion },
    expected,
    isGraceOver: row.is_grace_over,
  });
  return verdict.outcome === "waiting" ? false : settleUnknown({ pool, row, verdict, kind: expected.kind });
}

/** Writes what was found out, unless somebody else did meanwhile. */
async function settleUnknown({
  pool,
  row,
  verdict,
  kind = "resumed",
}: {
  pool: Pool;
  row: Followed;
  verdict: Exclude<ReadBack, { outcome: "waiting" }>;
  kind?: ExpectedEffect["kind"] | undefined;
}): Promise<boolean> {
  const { outcome, message } = verdict;
  const state = outcome === "undecidable" ? "not-effective" : outcome;
  try {
    await appendAudit({
      pool,
      entry: outcomeEntry({ row, outcome: outcome === "undecidable" ? "unknown" : outcome, message }),
      within: async (client, { seq }) => {
        const isApplied = outcome === "applied";
        const change: ActionChange = {
          state,
          message,
          outcomeSeq: seq,
          isApplied,
          deadlineSeconds: effectDeadlineSeconds(kind),
        };
        const isOurs = await updateAction({ client, id: row.id, change, from: ["unknown", "requested"] });
        if (!isOurs) throw new ServiceError("conflict", "This action was settled elsewhere.");
      },
    });
    return true;
  } catch (error) {
    if (error instanceof ServiceError && error.code === "conflict") return false;
    throw error;
  }
}

function outcomeEntry({
  row,
  outcome,
  message,
}: {
  row: Followed;
  outcome: "applied" | "refused" | "partial" | "unknown";
  message: string;
}): AuditDraft {
  const { cluster, namespace, kind, name } = row;
  return {
    actor: systemActor,
    source: "system",
    code: `action.${row.action}`,
    action: row.action,
    actionId: row.id,
    target: { id: `${cluster}/${namespace}/${kind}/${name}`, cluster, namespace, kind, name },
    outcome,
    detail: { message, requestedBy: row.actor_name },
    requestId: row.request_id,
  };
}

/** The object as Gatehouse itself may read it; undefined where the cluster gives no answer now. */
async function fetchLive({
  clusterFor,
  silent,
  row,
}: Pick<Context, "clusterFor" | "silent"> & { row: Followed }): Promise<RolloutObject | "missing" | undefined> {
  const client = clusterFor(row.cluster);
  if (client === undefined || silent.has(row.cluster)) return undefined;
  const fetched = await fetchRollout({ client, address: row });
  if (fetched.kind === "unreachable") silent.add(row.cluster);
  if (fetched.kind === "found") return fetched.rollout;
  return fetched.kind === "missing" ? "missing" : undefined;
}
