import { randomUUID } from "node:crypto";
import type { PoolClient } from "pg";
import type { Approval, ApprovalRequest } from "#lib/contract/approval.ts";
import type { RolloutPath } from "#lib/contract/rollout.ts";
import type { ActionName } from "#lib/domain/acting/action-catalogue.ts";
import { type ActionSubject, readActionParams } from "#lib/domain/acting/action-params.ts";
import { policyActionsOf } from "#lib/domain/acting/judge-actions.ts";
import { alsoDoneBy } from "#lib/domain/acting/plan.ts";
import { auditTargetOf } from "#lib/domain/audit/audit-entry.ts";
import { explainMissingRight, explainRobotsMayNotAsk, findNeeds } from "#lib/domain/policy/decide.ts";
import { providerOfKind } from "#lib/domain/providers.ts";
import { assertSubjectAction, findSubject } from "#lib/server/acting/act/find-subject.ts";
import { assertPlannable } from "#lib/server/acting/act/resolve-rollout.ts";
import { findApproval } from "#lib/server/acting/approvals/approval-row.ts";
import { serializeApproval } from "#lib/server/acting/approvals/serialize-approval.ts";
import type { ActingContext } from "#lib/server/acting/permission/acting-context.ts";
import { permitOf } from "#lib/server/acting/permission/action-gate.ts";
import { appendChange } from "#lib/server/audit/append-audit.ts";
import { readAllRelatedState } from "#lib/server/clusters/sources/read-related-state.ts";
import { robotIssuer } from "#lib/server/people/auth/derive-rights.ts";
import { type FullRolloutRow, findRollout } from "#lib/server/people/permission/find-rollout.ts";
import { actorKey } from "#lib/server/platform/actor/actor.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { readDatabaseTime } from "#lib/server/platform/db/database-time.ts";
import { logChange } from "#lib/server/platform/db/log-change.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { toColumn } from "#lib/server/platform/db/tables.ts";
import { storeRequest } from "#lib/server/records/stored-request.ts";

/**
 * Requests a second person's approval for one action, bound to the view that the requester saw. Throws `forbidden` if
 * the requester may not do it even with an approval, `not_allowed_now` if no rule requires one, `stale_view` for an old
 * view.
 */
export async function requestApproval({
  ctx,
  input,
}: {
  ctx: ActingContext;
  input: RolloutPath & ApprovalRequest;
}): Promise<Approval> {
  const { actor, runtime } = ctx;
  const row = await findRollout(ctx, input);
  const { action, subject } = await findRequested(ctx, input);
  const params = readActionParams(input);
  const plan = subject === undefined ? await planOfRecorded({ ctx, action, row }) : planOfNothing;
  const question = { ...permitOf(ctx, row, runtime.now()), ...policyActionsOf({ action, also: plan.also }) };
  const missing = explainMissingRight(question);
  if (missing !== undefined) throw new ServiceError("forbidden", missing);
  const { secondPerson } = findNeeds(question);
  if (secondPerson === null)
    throw new ServiceError("not_allowed_now", `No policy asks for a second person for ${action} here: just do it.`);
  const robotsBarred = actor.issuer === robotIssuer ? explainRobotsMayNotAsk(question) : undefined;
  if (robotsBarred !== undefined) throw new ServiceError("forbidden", robotsBarred);
  assertSeen({ expect: input.expect, row, plan });
  return storeAsked({
    ctx,
    row,
    asked: { action, params, subject, reason: input.reason },
    plan,
    expireMinutes: secondPerson.expireMinutes,
    rule: secondPerson.rule,
    detail: { rule: secondPerson.rule, requires: secondPerson.because },
  });
}

/** Throws `stale_view` if the requester saw another state than the recorded one. */
export function assertSeen({
  expect,
  row,
  plan: { passesPauses, targetVersion },
}: {
  expect: ApprovalRequest["expect"];
  row: FullRolloutRow;
  plan: RecordedPlan;
}): void {
  const stale = (what: string) => new ServiceError("stale_view", `${what}: look again, then ask.`, { changes: null });
  if (expect.viewDigest !== row.view_digest) throw stale("The rollout changed since you looked at it");
  const { passesPauses: named = passesPauses, targetVersion: seenVersion = targetVersion } = expect;
  if (targetVersion !== seenVersion) throw stale("The version that waits changed since you looked at it");
  if (passesPauses.some((index) => !named.includes(index)))
    throw stale("It may now pass more pauses than when you looked");
}

type Asking = {
  ctx: ActingContext;
  row: FullRolloutRow;
  asked: {
    action: ActionName;
    params: ReturnType<typeof readActionParams>;
    subject?: ActionSubject | undefined;
    reason: string;
  };
  plan: RecordedPlan;
  expireMinutes: number;
  /** The policy that requires it; none for a proposal. */
  rule: string;
  /** For the audit log. */
  detail: Record<string, unknown>;
  agent?: { id: string; name: string };
  /** Runs first in the transaction, under the lock of the audit chain. */
  assert?: (client: PoolClient) => Promise<void>;
};

/** Stores a request for approval or an agent's proposal, with its audit entry. */
export async function storeAsked({
  ctx,
  row,
  asked: { action, params, subject, reason },
  plan: { also, passesPauses, targetVersion },
  expireMinutes,
  rule,
  detail,
  agent,
  assert,
}: Asking): Promise<Approval> {
  const { actor, runtime } = ctx;
  const id = randomUUID();
  const { cluster, namespace, kind, name } = row;
  await appendChange(ctx, {
    code: "approval.request",
    action,
    target: auditTargetOf(row),
    reason,
    detail: {
      approval: id,
      ...detail,
      viewDigest: row.view_digest,
      ...(also.length === 0 ? {} : { also }),
      ...(passesPauses.length === 0 ? {} : { passesPauses }),
      ...(targetVersion === undefined ? {} : { targetVersion }),
      ...storeRequest({ params, subject }),
    },
    within: async (client) => {
      await assert?.(client);
      const now = await readDatabaseTime(client);
      await prismaOn(client).approval.create({
        data: {
          ...{ id, rolloutId: row.id, cluster, namespace, kind, name, action, uid: row.uid },
          ...{ viewDigest: row.view_digest, rule, reason: toColumn(reason) },
          requestedBy: toColumn(actorKey(actor)),
          requestedByName: toColumn(actor.name),
          requestedUsername: toColumn(actor.username),
          expiresAt: new Date(now.getTime() + expireMinutes * 60_000),
          params: storeRequest({ params, subject }),
          alsoActions: also,
          passesPauses,
          targetVersion: targetVersion ?? null,
          agentId: agent?.id ?? null,
          agentName: agent?.name ?? null,
        },
        select: { id: true },
      });
      await logChange(client, { kind: "approval", ref: id, cluster, namespace, object_kind: kind, name });
    },
  });
  const approval = await findApproval(runtime.pool, id);
  if (approval === undefined) throw new Error("the new approval was not found");
  return serializeApproval(approval, ctx);
}

type RecordedPlan = {
  also: ActionName[];
  passesPauses: number[];
  targetVersion: string | undefined;
  /** Why the recorded state does not allow it. */
  refusal?: string;
};

const planOfNothing: RecordedPlan = { also: [], passesPauses: [], targetVersion: undefined };

/** Plans, on the recorded rollout, what the action does in addition and what it is about: the approval's view. */
export async function planOfRecorded({
  ctx: { runtime },
  action,
  row,
}: {
  ctx: ActingContext;
  action: ActionName;
  row: FullRolloutRow;
}): Promise<RecordedPlan> {
  const rollout = providerOfKind(row.kind).parse(row.object);
  if (!rollout.ok || action === "terminate") return planOfNothing;
  const related = await readAllRelatedState(runtime.pool, { ...row, workloads: rollout.value.workloads });
  const offer = rollout.value.acting.offer({ now: runtime.now(), related }).find((each) => each.action === action);
  if (offer?.plan.kind === "refused") return { ...planOfNothing, refusal: offer.plan.reason };
  if (offer?.plan.kind !== "patches") return planOfNothing;
  const { passesPauses = [], targetVersion } = offer.plan;
  return { also: alsoDoneBy(offer), passesPauses, targetVersion };
}

/** Finds the action, and the run or Experiment that it is for: it must belong to this rollout. */
async function findRequested(
  ctx: ActingContext,
  input: RolloutPath & ApprovalRequest,
): Promise<{ action: ActionName; subject: ActionSubject | undefined }> {
  if (input.subject === undefined) return { action: assertPlannable(input), subject: undefined };
  const found = await findSubject(ctx, input.subject);
  const { cluster, namespace, name } = found.path;
  if (!found.isOwned || cluster !== input.cluster || namespace !== input.namespace || name !== input.name)
    throw new ServiceError("not_found", `The rollout has no such ${input.subject.kind}.`);
  return { action: assertSubjectAction(input.action, found.subject), subject: found.subject };
}
