import { isProblemCode, type ProblemCode } from "#lib/contract/problem.ts";
import { requestKeyOf } from "#lib/domain/acting/action-params.ts";
import { compareWithCluster } from "#lib/domain/acting/barrier.ts";
import { type ActionGate, judgeAtGate, type Permit, policyActionsOf } from "#lib/domain/acting/judge-actions.ts";
import { alsoDoneBy } from "#lib/domain/acting/plan.ts";
import type { ObservedRule } from "#lib/domain/audit/observed-rules.ts";
import type { Approval, Needs } from "#lib/domain/policy/decide.ts";
import { findObserved, type ObservedAction, policyKinds, policyProblems } from "#lib/domain/policy/observe-policies.ts";
import type { TicketNeed } from "#lib/domain/policy/ticket.ts";
import type { ActionAttempt, Judgement, Refusal } from "#lib/server/acting/act/action-attempt.ts";
import type { ActionTarget, Prepared } from "#lib/server/acting/act/prepare-action.ts";
import { type ApprovalRow, approvalKeyOf, findApproval } from "#lib/server/acting/approvals/approval-row.ts";
import { judgeVotes, listApprovers } from "#lib/server/acting/approvals/judge-approval.ts";
import { permitOf } from "#lib/server/acting/permission/action-gate.ts";
import { robotIssuer } from "#lib/server/people/auth/derive-rights.ts";
import { nameOfPolicy, observedPoliciesOf } from "#lib/server/people/auth/policies-of.ts";
import { actorKey } from "#lib/server/platform/actor/actor.ts";
import type { PolicyConfig } from "#lib/server/platform/config/policy-schema.ts";
import { policiesEvidenceOf } from "#lib/server/platform/config/policy-schema.ts";
import { readFreezes, toFreezePeriod } from "#lib/server/records/freeze-row.ts";
import type { StoredVote } from "#lib/server/records/stored-votes.ts";

export type JudgedClick =
  | { refusal: Refusal }
  /**
   * `brokenFreeze`: the freeze that the person breaks; `aheadOfSet`: the set whose other members they do not wait for;
   * `approvers`: those of the approval that the request names; `tickets`: in the reason;
   * `observed`: what the observed rules would have decided.
   */
  | {
      refusal?: never;
      brokenFreeze: { name: string; ids: readonly string[] } | undefined;
      aheadOfSet: string | undefined;
      approvers: StoredVote[] | undefined;
      tickets: readonly TicketNeed[];
      judgement: Judgement;
      observed: ObservedRule[] | undefined;
    };

/**
 * Judges the click as its button was judged, and by the request's reason, sign-in and approval. Policies, freezes, the
 * approval and the database's clock are read now. An action that is being scheduled is judged by the freezes at its
 * time, as far as they are known, and by no set. Once there is a plan (`prepared`), its additional actions and the pauses that it may
 * pass count too, and the recorded place among a set's pauses counts only if the cluster agrees.
 */
export async function judgeClick({
  attempt: { ctx, request, dueAt, proposal, byAgent },
  target,
  gate: recorded,
  prepared,
}: {
  attempt: ActionAttempt;
  target: ActionTarget;
  gate: ActionGate;
  prepared?: Prepared;
}): Promise<JudgedClick> {
  const { actor, runtime } = ctx;
  const { action } = target;
  const { now, freezes } = await readFreezes(runtime.pool);
  const config = runtime.config().config.policies;
  const at = dueAt ?? now;
  const plan = prepared?.plan;
  // At the time of a scheduled action, its set is judged as it is then.
  const barrier = dueAt === undefined ? recorded.barrier : undefined;
  const gate = {
    ...recorded,
    permit: permitOf(ctx, target.place, at, freezes.map(toFreezePeriod)),
    barrier: barrier && prepared ? compareWithCluster(barrier, prepared.rollout?.viewDigest) : barrier,
  };
  const approval = request.approval === undefined ? undefined : await findApproval(runtime.pool, request.approval);
  const also = plan === undefined ? [] : alsoDoneBy({ action, plan });
  const named = approval === undefined ? "unknown" : approvalOf({ ctx, row: approval, actions: [action, ...also] });
  // Rules about reasons ask for one by the person who acts.
  const reason = byAgent === true || proposal?.reasonBy === "agent" ? undefined : request.reason;
  const click = {
    actorKey: actorKey(actor),
    isRobot: actor.issuer === robotIssuer,
    request: requestKeyOf(request),
    rolloutId: target.rolloutId,
    // An approval is bound to the rollout's uid, or to a run's own uid if it has no owner.
    uid: target.rollout === undefined ? target.uid : (request.expect.uid ?? target.rollout.uid),
    viewDigest: request.expect.viewDigest,
    reason,
    breakGlass: request.breakGlass === true,
    seenBlocks: request.expect.blocks,
    authenticatedAt: actor.session === undefined ? null : (actor.session.authenticatedAt ?? "unknown"),
    approval: request.approval === undefined ? undefined : named,
  } as const;
  const { needs, refused } = judgeAtGate({ action, plan, gate, click });
  const judgement = describeJudgement({ config, now: at, also });
  if (refused !== undefined) {
    const isReplayed = isByPolicy(refused, needs, reason);
    const refusal = {
      ...refusalOf(refused),
      policy: policyOf(refused, needs),
      ...(isReplayed ? { judgement } : {}),
    };
    if (byAgent === true) return { refusal: addAgentRemedy(refusal) };
    return { refusal: dueAt === undefined ? refusal : addRemedy(refusal, dueAt) };
  }
  const approvers = approval && listApprovers({ runtime, row: approval, also });
  const brokenFreeze = needs.freeze ?? undefined;
  const brought = {
    reason,
    approvals: named === "unknown" ? [] : named.votes.flatMap(({ mayAct, groups }) => (mayAct ? [groups] : [])),
    breaksFreeze: brokenFreeze !== undefined,
    isRobot: click.isRobot,
  };
  const asked = { ...gate.permit, ...policyActionsOf({ action, also }), brought };
  return {
    brokenFreeze,
    aheadOfSet: needs.barrier?.set,
    approvers,
    tickets: needs.tickets ?? [],
    judgement,
    observed: listObserved(asked, config),
  };
}

/** Lists what the observed rules would have decided; undefined if they would have let it pass. */
function listObserved(asked: ObservedAction & Permit, config: PolicyConfig): ObservedRule[] | undefined {
  const found = findObserved({
    ...asked,
    policies: observedPoliciesOf(config),
    inForce: asked.policies.freezes,
  });
  if (found.length === 0) return undefined;
  return found.map(({ list, index, would }) => ({
    rule: nameOfPolicy(config, { list, index, mode: "observe" }),
    kind: policyKinds[list],
    would,
  }));
}

/** Describes by which policies and when a click was judged, so that the decision can be reproduced later. */
function describeJudgement({
  config,
  now,
  also,
}: {
  config: PolicyConfig;
  now: Date;
  also: readonly string[];
}): Judgement {
  const judged = { at: now.toISOString(), policies: policiesEvidenceOf(config).digest };
  return also.length === 0 ? { judged } : { judged, also };
}

/** Whether a rule refused it that a replay knows: neither a set nor the ticket in a reason. */
function isByPolicy({ reasonCode }: { reasonCode: string }, { freeze }: Needs, reason: string | undefined): boolean {
  if (reasonCode === "reauthentication_required") return freeze !== null;
  if (reasonCode === "reason_required" && reason !== undefined) return false;
  return policyProblems.some((problem) => problem === reasonCode);
}

/** Says what helps if an action cannot be scheduled for a time. */
function addRemedy(refusal: Refusal, dueAt: Date): Refusal {
  const { code, message } = refusal;
  if (code === "frozen")
    return {
      ...refusal,
      message: `At ${dueAt.toISOString()}: ${message} Choose another time: overriding a freeze cannot be scheduled.`,
    };
  if (code === "second_person_required")
    return {
      ...refusal,
      message: `${message} An approval cannot be scheduled: request it at that time.`,
    };
  return refusal;
}

/** Where a rule asks for a person, an agent can only propose. */
function addAgentRemedy(refusal: Refusal): Refusal {
  if (refusal.code !== "second_person_required" && refusal.code !== "reason_required") return refusal;
  return { ...refusal, message: `${refusal.message} An agent cannot do that: propose it.` };
}

/** Returns the name of the policy or set that refuses, for the audit log. Rules about reasons have none. */
function policyOf(
  { reasonCode }: { reasonCode: string },
  { freeze, barrier, secondPerson }: Needs,
): string | undefined {
  if (reasonCode === "barrier") return barrier?.set;
  if (reasonCode === "frozen" || reasonCode === "reauthentication_required") return freeze?.name ?? barrier?.set;
  return reasonCode === "second_person_required" ? secondPerson?.rule : undefined;
}

/** The problem codes of reasons that have another name. */
const codes: Readonly<Record<string, ProblemCode>> = { deleted: "source_stale" };

function refusalOf({ reasonCode, reason }: { reasonCode: string; reason: string }): Refusal {
  const code = codes[reasonCode] ?? (isProblemCode(reasonCode) ? reasonCode : "not_allowed_now");
  return code === "reason_required"
    ? { code, message: reason, extra: { invalidParams: [{ name: "reason", reason: "required for this action" }] } }
    : { code, message: reason };
}

/** Reads an approval for the judge. One that was rejected, withdrawn or used counts as not approved. */
function approvalOf({
  ctx: { runtime },
  row,
  actions,
}: {
  ctx: ActionAttempt["ctx"];
  row: ApprovalRow;
  actions: readonly string[];
}): Approval {
  const { cluster, namespace, kind, name } = row;
  return {
    request: approvalKeyOf(row),
    rolloutId: row.rollout_id,
    target: { cluster, namespace, kind, name },
    uid: row.uid,
    viewDigest: row.view_digest,
    passesPauses: row.passes_pauses,
    targetVersion: row.target_version ?? undefined,
    requestedBy: row.requested_by,
    votes: row.state === "open" ? judgeVotes({ runtime, row, actions }) : [],
    expiresAt: row.expires_at,
  };
}
