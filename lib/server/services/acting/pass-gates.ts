import { type ActionName, isProtective } from "#lib/domain/acting/action-catalogue.ts";
import { requestKeyOf } from "#lib/domain/acting/action-params.ts";
import { policyActionsOf } from "#lib/domain/acting/judge-actions.ts";
import { alsoDoneBy } from "#lib/domain/acting/plan.ts";
import type { DeliveryObject } from "#lib/domain/delivery/provider.ts";
import type { ViewChange } from "#lib/domain/delivery/view-change.ts";
import { type Approval, decide } from "#lib/domain/policy/decide.ts";
import { providerOfKind } from "#lib/domain/providers.ts";
import type { ActionAttempt, Refusal } from "#lib/server/acting/action-attempt.ts";
import { findOpenAction, openMessageOf } from "#lib/server/acting/action-store.ts";
import { makeClusterIdentity } from "#lib/server/acting/cluster-identity.ts";
import { describeStaleView } from "#lib/server/acting/describe-stale-view.ts";
import { type Prepared, prepareAction, type Wish } from "#lib/server/acting/prepare-action.ts";
import { actorKey, describePerson } from "#lib/server/actor/actor.ts";
import { isServiceError } from "#lib/server/actor/service-error.ts";
import { robotIssuer } from "#lib/server/auth/derive-rights.ts";
import type { ClusterClient, ClusterIdentity } from "#lib/server/kubernetes/cluster-client-types.ts";
import { judgeAtCluster } from "#lib/server/services/acting/judge-at-cluster.ts";
import { permitOf } from "#lib/server/services/acting/permit-of.ts";
import { type ApprovalRow, approvalKeyOf } from "#lib/server/services/approvals/approval-row.ts";
import { approverMayAct } from "#lib/server/services/approvals/approver-may-act.ts";
import { findApproval } from "#lib/server/services/approvals/find-approval.ts";
import { explainAbsence, type FullRolloutRow } from "#lib/server/services/rollouts/find-rollout.ts";
import { readActionGate } from "#lib/server/services/rollouts/read-action-gate.ts";
import { quarantineBlock } from "#lib/server/services/rollouts/rollout-row.ts";
import { explainOtherCluster, explainStaleness, readRolloutSource } from "#lib/server/sources/source-freshness.ts";

/** What an allowed action continues with. */
export type Gate = {
  client: ClusterClient;
  as: ClusterIdentity;
  wish: Wish;
  prepared: Prepared;
} & Policy;

/** What the policies decide for an allowed action. */
type Policy = {
  /** The freeze that this action breaks with the right to do so. */
  brokenFreeze?: string | undefined;
  /** The second person, as the audit log names people. */
  approvedBy?: Record<string, string> | undefined;
};

/** What is recorded about the target before the cluster is asked. */
export type RecordedTarget = {
  rolloutId: string;
  /** Undefined for a run that no rollout owns. */
  rollout: FullRolloutRow | undefined;
  uid: string;
  /** The kind whose watch covers it. */
  watchedKind: string;
  makeWish: (at: { client: ClusterClient; as: ClusterIdentity; now: () => Date }) => Wish;
};

/**
 * Checks everything that may refuse before the intent: access, identity, unresolved actions, freshness, the object as
 * the user sees it, the view, the plan, and the policies of what the plan does in addition. Protective actions skip
 * freshness: for them a successful GET is enough.
 */
export async function passGates({
  attempt,
  recorded,
  action,
}: {
  attempt: ActionAttempt;
  recorded: RecordedTarget;
  action: ActionName;
}): Promise<Gate | Refusal> {
  const { ctx, path, request } = attempt;
  const protective = isProtective(action);
  const policy = await askPolicy({ attempt, recorded, action, also: [], passesPauses: [] });
  if ("code" in policy) return policy;
  const { runtime } = ctx;
  const cluster = runtime.config().config.clusters.find(({ name }) => name === path.cluster);
  const client = runtime.cluster(path.cluster);
  if (cluster === undefined || client === undefined)
    return { code: "read_only", message: `The config does not name cluster ${path.cluster} any more.` };
  if (cluster.access !== "act")
    return { code: "read_only", message: `Gatehouse only reads cluster ${path.cluster} (access: read in its config).` };
  const as = identityOf({ attempt, cluster });
  if ("code" in as) return as;
  const unknown = await findUnknown({ attempt, recorded, protective });
  if (unknown !== undefined) return unknown;
  const wish = recorded.makeWish({ client, as, now: runtime.now });
  const prepared = await prepareAction({
    wish,
    seen: request.expect,
    recordedUid: protective ? undefined : recorded.rollout?.uid,
  });
  if ("outcome" in prepared) {
    const { stale, code, message } = prepared;
    return stale === undefined ? { code, message } : refuseStale({ attempt, recorded, ...prepared, rollout: stale });
  }
  const { plan } = prepared;
  const also = alsoDoneBy({ action, plan });
  const { passesPauses = [] } = plan;
  const isMore = also.length > 0 || passesPauses.length > 0;
  const whole = isMore ? await askPolicy({ attempt, recorded, action, also, passesPauses }) : policy;
  return "code" in whole ? whole : { client, as, wish, prepared, ...whole };
}

/**
 * Finds an unresolved action, another cluster or a corrupt record. For actions that advance, also stale knowledge and a
 * broken config.
 */
async function findUnknown({
  attempt: { ctx, path },
  recorded: { rolloutId, rollout, uid, watchedKind },
  protective,
}: {
  attempt: ActionAttempt;
  recorded: RecordedTarget;
  protective: boolean;
}): Promise<Refusal | undefined> {
  const { runtime } = ctx;
  // Checked again with the intent: two concurrent actions may both get past this check.
  const open = protective ? undefined : await findOpenAction({ client: runtime.pool, rolloutId });
  if (open !== undefined) return { code: "not_allowed_now", message: openMessageOf(open) };
  if (rollout !== undefined && (rollout.is_quarantined || !providerOfKind(rollout.kind).parse(rollout.object).ok))
    return { code: "not_allowed_now", message: quarantineBlock.reason };
  const { cluster, namespace } = path;
  const source = await readRolloutSource(runtime, { cluster, namespace, kind: watchedKind, uid });
  const otherCluster = explainOtherCluster(source);
  if (otherCluster !== undefined) return { code: "source_stale", message: otherCluster };
  if (protective) return undefined;
  const { trouble } = runtime.configStatus();
  if (trouble?.state === "error")
    return { code: "config_error", message: `Until the config is mended nothing advances: ${trouble.error}.` };
  const stale = explainStaleness(source, source?.is_held) ?? (rollout === undefined ? null : explainAbsence(rollout));
  return stale === null ? undefined : { code: "source_stale", message: `${stale} Nothing advances on old knowledge.` };
}

/**
 * Checks rights and policies of the config, at the database's time: for the action, what it does in addition and what
 * it passes.
 */
async function askPolicy({
  attempt: { ctx, path, request },
  recorded,
  action,
  also,
  passesPauses,
}: {
  attempt: ActionAttempt;
  recorded: RecordedTarget;
  action: ActionName;
  also: readonly ActionName[];
  passesPauses: readonly number[];
}): Promise<Refusal | Policy> {
  const { actor, runtime } = ctx;
  const { rows } = await runtime.pool.query<{ now: Date }>("SELECT clock_timestamp() AS now");
  const approval = request.approval === undefined ? undefined : await findApproval(runtime.pool, request.approval);
  const named = approval === undefined ? "unknown" : approvalOf({ runtime, row: approval, actions: [action, ...also] });
  const decision = decide({
    ...permitOf(ctx, path, rows[0]?.now ?? runtime.now()),
    ...policyActionsOf({ action, also }),
    attempt: {
      actorKey: actorKey(actor),
      isRobot: actor.issuer === robotIssuer,
      request: requestKeyOf(request),
      rolloutId: recorded.rolloutId,
      // An approval is bound to the rollout's uid, or to a run's own uid if it has no owner.
      uid: recorded.rollout === undefined ? recorded.uid : (request.expect.uid ?? recorded.rollout.uid),
      viewDigest: request.expect.viewDigest,
      passesPauses,
      reason: request.reason,
      breakGlass: request.breakGlass === true,
      authenticatedAt: actor.session === undefined ? null : (actor.session.authenticatedAt ?? "unknown"),
      approval: request.approval === undefined ? undefined : named,
    },
  });
  if (decision.allowed)
    return {
      brokenFreeze: decision.needs.freeze?.name,
      approvedBy: approval === undefined ? undefined : describeApprover(approval),
    };
  const { code, reason } = decision;
  const extra =
    code === "reason_required" ? { invalidParams: [{ name: "reason", reason: "required for this action" }] } : {};
  return { code, message: reason, extra };
}

/** Finds the approval. One that was rejected, withdrawn or used counts as not approved. */
function approvalOf({
  runtime,
  row,
  actions,
}: {
  runtime: ActionAttempt["ctx"]["runtime"];
  row: ApprovalRow;
  actions: readonly ActionName[];
}): Approval {
  const { cluster, namespace, name } = row;
  return {
    request: approvalKeyOf(row),
    rolloutId: row.rollout_id,
    target: { cluster, namespace, name },
    uid: row.uid,
    viewDigest: row.view_digest,
    passesPauses: row.passes_pauses,
    requestedBy: row.requested_by,
    approvedBy: row.state === "approved" ? row.decided_by : null,
    approverMayAct: approverMayAct({ runtime, row, actions }),
    expiresAt: row.expires_at,
  };
}

function describeApprover({
  decided_by: key,
  decided_by_name: name,
  decided_username: username,
}: ApprovalRow): Record<string, string> | undefined {
  return key === null ? undefined : describePerson({ key, name, username });
}

function identityOf({
  attempt,
  cluster,
}: {
  attempt: ActionAttempt;
  cluster: Parameters<typeof makeClusterIdentity>[0]["cluster"];
}): ClusterIdentity | Refusal {
  try {
    return makeClusterIdentity({ actor: attempt.ctx.actor, cluster });
  } catch (error) {
    if (isServiceError(error)) return { code: error.code, message: error.message };
    throw error;
  }
}

/** Refuses an outdated view with what a person needs to decide again, judged as on the page. */
export async function refuseStale({
  attempt,
  recorded,
  rollout,
  message,
  change,
}: {
  attempt: ActionAttempt;
  recorded: RecordedTarget;
  rollout: DeliveryObject;
  message: string;
  change?: ViewChange;
}): Promise<Refusal> {
  const { ctx, path, request } = attempt;
  if (recorded.rollout === undefined) return { code: "stale_view", message };
  const { gate } = await readActionGate({ ctx, row: recorded.rollout });
  const { changes, current } = await describeStaleView({
    pool: ctx.runtime.pool,
    path,
    seenDigest: request.expect.viewDigest,
    rollout,
    gate,
  });
  const { cluster } = path;
  const { listAccess } = rollout.acting;
  const allowedActions = await judgeAtCluster({ ctx, cluster, listAccess, actions: current.allowedActions });
  return {
    code: "stale_view",
    message,
    extra: {
      changes: change === undefined ? changes : [...changes, change],
      current: { ...current, allowedActions },
    },
  };
}
