import type { Pool } from "pg";
import { type ExpectedEffect, effectDeadlineSeconds, type PatchTarget } from "#lib/domain/argo/action-effect.ts";
import { assessEffect } from "#lib/domain/argo/assess-effect.ts";
import {
  assessReadBack,
  assessTargetReadBack,
  carriesTemplate,
  digestTemplate,
  type ReadBack,
} from "#lib/domain/argo/assess-read-back.ts";
import type { WorkloadObject } from "#lib/domain/argo/plan-revisions.ts";
import { carriesSubjectChange, type SubjectObject, stateOf } from "#lib/domain/argo/plan-terminate.ts";
import { describeRest } from "#lib/domain/argo/plan-types.ts";
import { parseRollout, type RolloutObject } from "#lib/domain/argo/rollout-object.ts";
import { assessRunEffect, type RunState } from "#lib/domain/argo/run-effect.ts";
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
import { readDeployment, readSubject } from "#lib/server/acting/read-live.ts";
import { fetchRollout } from "#lib/server/acting/rollout-api.ts";
import { appendAudit } from "#lib/server/audit/append-audit.ts";
import { systemActor } from "#lib/server/audit/audit-actor.ts";
import { describePerson } from "#lib/server/auth/actor.ts";
import type { ClusterClient } from "#lib/server/kubernetes/cluster-client-types.ts";
import { isServiceError, ServiceError } from "#lib/server/services/service-error.ts";

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

/** Those looked at longest ago come first, so that ever so many that never settle hold up no other. */
const dueSql = `WITH due AS (
    SELECT id FROM action WHERE state = 'applied' OR ${unresolvedSql}
    ORDER BY followed_at NULLS FIRST, requested_at LIMIT ${maxPerPass}),
  looked AS (UPDATE action SET followed_at = clock_timestamp() WHERE id IN (SELECT id FROM due))
  SELECT ${actionColumns},
    coalesce(a.deadline_at < now(), false) AS is_late,
    coalesce(a.deadline_at, a.requested_at) < now() - interval '${graceSeconds} seconds' AS is_grace_over,
    r.object AS recorded, r.resource_version AS recorded_version
  FROM action a JOIN due ON due.id = a.id LEFT JOIN rollout r ON r.id = a.rollout_id
  ORDER BY a.requested_at`;

/**
 * One pass over the actions that are not settled: what was applied is followed until the rollout shows its effect or
 * the deadline passes, and what is unknown is read back from the cluster. Several recorders may run it at once.
 * Resolves with how many rows changed; a failing one does not hold up the others.
 */
export async function followActions({ pool, clusterFor, onError }: FollowOptions): Promise<{ changed: number }> {
  const silent = new Set<string>();
  const { rows } = await pool.query<Followed>(dueSql);
  let changed = await dropWithoutIntent({ pool, onError });
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
async function dropWithoutIntent({ pool, onError }: Pick<FollowOptions, "pool" | "onError">): Promise<number> {
  const { rows } = await pool.query<ActionRow>(
    `SELECT ${actionColumns} FROM action a WHERE state = 'requested' AND intent_seq IS NULL
       AND requested_at < now() - interval '${abandonedSeconds} seconds' LIMIT ${maxPerPass}`,
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

async function followApplied({ pool, clusterFor, silent, row }: Context & { row: Followed }): Promise<boolean> {
  const plan = StoredPlan.safeParse(row.plan);
  const expected = plan.data?.expectedEffect;
  const settle: Settle = (state, message) =>
    state === "effective"
      ? updateAction({ client: pool, id: row.id, change: { state, message, isEffective: true }, from: ["applied"] })
      : settleWithEntry({
          pool,
          row,
          entry: { ...entryOf({ row, message }), code: "action.without-effect" },
          changeOf: () => ({ state, message, isEffective: false }),
          from: ["applied"],
        });
  if (expected === undefined)
    return row.is_late ? settle("not-effective", "What to wait for was not recorded.") : false;
  if (expected.kind === "ended" || expected.kind === "experiment-retried")
    return followSubject({ pool, clusterFor, silent, row, expected, settle });
  // An object from before the action may look as if nothing had ever waited.
  const isNewer = showsPatch({ version: row.recorded_version ?? "", expected, planned: plan.data?.resourceVersion });
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

/** Whether an object of this version carries our last patch. Without its answer: the patch was of the planned version. */
function showsPatch({
  version,
  expected: { answered },
  planned,
}: {
  version: string;
  expected: ExpectedEffect;
  planned: string | undefined;
}): boolean {
  if (answered === undefined) return compareResourceVersions(version, planned ?? "") === 1;
  const order = compareResourceVersions(version, answered.resourceVersion);
  return order === 0 || order === 1;
}

type Settle = (state: "effective" | "not-effective", message: string) => Promise<boolean>;

/** A run or an Experiment that was told to end, or to start again: as recorded, and in doubt as the cluster has it. */
async function followSubject({
  pool,
  clusterFor,
  silent,
  row,
  expected,
  settle,
}: Context & { row: Followed; expected: ExpectedEffect; settle: Settle }): Promise<boolean> {
  const { target } = expected;
  if (target === undefined) return row.is_late ? settle("not-effective", "What to wait for was not recorded.") : false;
  const recorded = await readRecordedRun(pool, target);
  const assessed = recorded === undefined ? undefined : assessRunEffect({ expected, run: recorded });
  if (assessed?.state === "effective") return settle(assessed.state, assessed.message);
  if (!row.is_late) return false;
  const object = await fetchTarget({ clusterFor, silent, row, target });
  if (object === undefined) return false;
  if (object === "missing") return settle("not-effective", "It was deleted before it was seen to take effect.");
  if (object.kind === "Deployment") return false;
  const live = assessRunEffect({ expected, run: { uid: object.metadata.uid, ...stateOf(object) } });
  if (live.state !== "pending") return settle(live.state, live.message);
  return settle("not-effective", "The controller has not taken it up within the deadline.");
}

/** Undefined for one that was not recorded since the action: a record of before would tell of another end. */
async function readRecordedRun(pool: Pool, { kind, uid, resourceVersion }: PatchTarget): Promise<RunState | undefined> {
  const table = kind === "Experiment" ? "experiment" : "analysis_run";
  const { rows } = await pool.query<{ phase: string; completed_at: Date | null; resource_version: string }>(
    `SELECT phase, completed_at, resource_version FROM ${table} WHERE uid = $1`,
    [uid],
  );
  const [found] = rows;
  if (found === undefined || compareResourceVersions(found.resource_version, resourceVersion) !== 1) return undefined;
  const endedAt = found.completed_at?.toISOString().replace(/\.000Z$/, "Z");
  return { uid, phase: found.phase, endedAt };
}

async function resolve({ pool, clusterFor, silent, row }: Context & { row: Followed }): Promise<boolean> {
  const plan = StoredPlan.parse(row.plan);
  const { patches, expectedEffect: expected, digest, resourceVersion } = plan;
  if (expected?.target !== undefined)
    return resolveTarget({ pool, clusterFor, silent, row, expected, target: expected.target });
  if (patches === undefined || expected === undefined || digest === undefined || resourceVersion === undefined)
    return settleUnknown({ pool, row, verdict: { outcome: "undecidable", message: "The plan was not recorded." } });
  const rollout = await fetchLive({ clusterFor, silent, row });
  if (rollout === undefined) return false;
  if (rollout === "missing")
    return settleUnknown({ pool, row, verdict: { outcome: "undecidable", message: "The rollout is gone." } });
  const { template } = expected;
  const verdict = assessReadBack({
    rollout,
    carries:
      template !== undefined
        ? [carriesTemplate(rollout.spec.template, template)]
        : patches.map(
            ({ body }, index) =>
              index < (plan.patchesDone ?? 0) || findIgnoredField({ asked: body, answered: rollout }) === undefined,
          ),
    sentAt: row.requested_at,
    unproven: patches.slice(plan.patchesDone ?? 0).map(({ body }) => body),
    before: { digest, resourceVersion },
    expected,
    isGraceOver: row.is_grace_over,
  });
  if (verdict.outcome === "waiting") return false;
  const remains = verdict.outcome === "partial" && patches[1] !== undefined ? ` ${describeRest(patches[1])}` : "";
  const told = { ...verdict, message: verdict.message + remains };
  return settleUnknown({ pool, row, verdict: told, expected });
}

/** What was patched beside the rollout is read back itself: the rollout may show it much later, or never. */
async function resolveTarget({
  pool,
  clusterFor,
  silent,
  row,
  expected,
  target,
}: Context & { row: Followed; expected: ExpectedEffect; target: PatchTarget }): Promise<boolean> {
  const object = await fetchTarget({ clusterFor, silent, row, target });
  if (object === undefined) return false;
  if (object === "missing")
    return settleUnknown({
      pool,
      row,
      verdict: { outcome: "undecidable", message: `${target.kind} ${target.name} is gone.` },
    });
  const { template } = expected;
  const own = object.kind === "Deployment" ? object.spec.template : undefined;
  const verdict = assessTargetReadBack({
    metadata: object.metadata,
    target,
    carries:
      object.kind === "Deployment"
        ? template !== undefined && carriesTemplate(own, template)
        : carriesSubjectChange({ expected, object }),
    isAsBefore: object.kind === "Deployment" ? digestTemplate(own) === template?.before : true,
    isGraceOver: row.is_grace_over,
    sentAt: row.requested_at,
    unproven: (StoredPlan.parse(row.plan).patches ?? []).map(({ body }) => body),
  });
  return verdict.outcome === "waiting" ? false : settleUnknown({ pool, row, verdict, expected });
}

/** Writes what was found out, unless somebody else did meanwhile. */
async function settleUnknown({
  pool,
  row,
  verdict,
  expected = { kind: "resumed" },
}: {
  pool: Pool;
  row: Followed;
  verdict: Exclude<ReadBack, { outcome: "waiting" }>;
  expected?: Pick<ExpectedEffect, "kind" | "restartAt">;
}): Promise<boolean> {
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
      deadlineSeconds: effectDeadlineSeconds(expected, new Date()),
    }),
    from: ["unknown", "requested"],
  });
}

/** The entry and the state stand or fall together; false where the action was settled elsewhere. */
async function settleWithEntry({
  pool,
  row,
  entry,
  changeOf,
  from,
}: {
  pool: Pool;
  row: ActionRow;
  entry: AuditDraft;
  changeOf: (seq: number) => ActionChange;
  from: readonly ActionRow["state"][];
}): Promise<boolean> {
  try {
    await appendAudit({
      pool,
      entry,
      within: async (client, { seq }) => {
        const isOurs = await updateAction({ client, id: row.id, change: changeOf(seq), from });
        if (!isOurs) throw new ServiceError("conflict", "This action was settled elsewhere.");
      },
    });
    return true;
  } catch (error) {
    if (isServiceError(error) && error.code === "conflict") return false;
    throw error;
  }
}

function entryOf({ row, message }: { row: ActionRow; message: string }): AuditDraft {
  const { cluster, namespace, kind, name } = row;
  return {
    actor: systemActor,
    source: "system",
    code: `action.${row.action}`,
    action: row.action,
    actionId: row.id,
    target: { id: `${cluster}/${namespace}/${kind}/${name}`, cluster, namespace, kind, name },
    detail: {
      message,
      requestedBy: describePerson({ key: row.actor_key, name: row.actor_name, username: row.actor_username }),
    },
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

/** What an action patched beside its rollout, as Gatehouse itself may read it; undefined where the cluster gives no answer now. */
async function fetchTarget({
  clusterFor,
  silent,
  row,
  target,
}: Pick<Context, "clusterFor" | "silent"> & {
  row: Followed;
  target: PatchTarget;
}): Promise<WorkloadObject | SubjectObject | "missing" | undefined> {
  const client = clusterFor(row.cluster);
  if (client === undefined || silent.has(row.cluster)) return undefined;
  const { kind, name, uid } = target;
  const { namespace } = row;
  const fetched =
    kind === "Deployment"
      ? await readDeployment({ client, namespace, name })
      : await readSubject({ client, namespace, subject: { kind, name, uid } });
  if (fetched.kind === "unreachable") silent.add(row.cluster);
  if (fetched.kind === "missing") return "missing";
  if (fetched.kind !== "found") return undefined;
  return "workload" in fetched ? fetched.workload : fetched.object;
}
