import { sql } from "kysely";
import type { PoolClient } from "pg";
import type { ActionRequest } from "#lib/contract/action.ts";
import type { ProblemCode } from "#lib/contract/problem.ts";
import { type ActionName, isProtective } from "#lib/domain/acting/action-catalogue.ts";
import { type ActionParams, type ActionSubject, readActionParams } from "#lib/domain/acting/action-params.ts";
import { scheduleGraceMinutes } from "#lib/domain/acting/schedule.ts";
import type { AuditDraft, Evidence } from "#lib/domain/audit/audit-entry.ts";
import { formatObjectRef, type ObjectRef } from "#lib/domain/delivery/object-ref.ts";
import { assertAgentMay } from "#lib/server/acting/act/agent-limits.ts";
import type { SentPatch } from "#lib/server/acting/act/carry-out-plan.ts";
import { assertNotFrozen } from "#lib/server/acting/act/find-new-freeze.ts";
import { explainClosed, findApproval } from "#lib/server/acting/approvals/approval-row.ts";
import { findMissingApproval } from "#lib/server/acting/approvals/judge-approval.ts";
import type { ActingContext } from "#lib/server/acting/permission/acting-context.ts";
import { appendAudit } from "#lib/server/audit/append-audit.ts";
import { auditRefusal } from "#lib/server/audit/audit-refusal.ts";
import type { AppendedAudit } from "#lib/server/audit/write-audit-batch.ts";
import { actorKey, auditActorOf } from "#lib/server/platform/actor/actor.ts";
import { ServiceError, type ServiceErrorExtra } from "#lib/server/platform/actor/service-error.ts";
import { clockTime, secondsBefore, transactionTime } from "#lib/server/platform/db/database-time.ts";
import { write } from "#lib/server/platform/db/run-query.ts";
import { fragment, tables, toColumn } from "#lib/server/platform/db/tables.ts";
import {
  type ActionChange,
  assertNoOpenAction,
  orphanedIntentSeconds,
  type StoredPlan,
  updateAction,
} from "#lib/server/records/action-store.ts";
import { assertNotHeldSince, insertGateDecision, type NewGateDecision } from "#lib/server/records/gate-decisions.ts";
import { storeRequest } from "#lib/server/records/stored-request.ts";
import { isBlank } from "#lib/util/text.ts";

export type AttemptRequest = Pick<ActionRequest, "action" | "reason" | "breakGlass" | "approval" | "expect"> & {
  params: ActionParams;
  /** The run or Experiment that it acts on. */
  subject?: ActionSubject | undefined;
};

export type ProposalInfo = {
  id: string;
  agent: { id: string; name: string };
  proposedBy: Record<string, string>;
  /** The reason of the request is the agent's: it satisfies no rule about reasons. */
  reasonBy?: "agent";
};

/** One requested action on its way through the protocol. `id` is undefined while it has no row. */
export type ActionAttempt = {
  ctx: ActingContext;
  path: ObjectRef;
  request: AttemptRequest;
  id: string | undefined;
  /** The audit entry of the request for many rollouts that it is part of. */
  groupSeq?: number | undefined;
  /** It is not done now, but scheduled for this time. */
  dueAt?: Date | undefined;
  /** The agent's proposal that it carries out, as the audit log names it. */
  proposal?: ProposalInfo | undefined;
  /** An agent acts by itself. */
  byAgent?: boolean | undefined;
  /** The scheduled action that it carries out, and the claim by which it does. */
  schedule?: { id: string; claim: number } | undefined;
};

/** Builds the request as it is hashed, stored and audited. */
export function attemptOf({
  ctx,
  path,
  input,
  subject,
}: {
  ctx: ActingContext;
  path: ObjectRef;
  input: ActionRequest & ActionParams;
  subject?: ActionSubject;
}): ActionAttempt {
  const { action, expect, breakGlass, approval } = input;
  const reason = normaliseReason(input.reason);
  const params = readActionParams(input);
  return { ctx, path, request: { action, params, subject, expect, breakGlass, approval, reason }, id: undefined };
}

/** Returns the reason as it is stored; a blank one is none. */
export function normaliseReason(reason: string | undefined): string | undefined {
  const text = reason?.toWellFormed().trim() ?? "";
  return isBlank(text) ? undefined : text;
}

/** When a click was judged, by the digest of which policies, and what the action would do in addition. */
export type Judgement = { judged: { at?: string; policies: string }; also?: readonly string[] };

/** `policy`: the name of the freeze or the rule that refuses it; `detail`: for the audit log. */
export type Refusal = {
  code: ProblemCode;
  message: string;
  policy?: string | undefined;
  detail?: Record<string, unknown>;
  judgement?: Judgement | undefined;
  extra?: ServiceErrorExtra;
};

export function draftEntry(attempt: ActionAttempt, draft: Pick<AuditDraft, "outcome" | "detail">): AuditDraft {
  const { ctx, path, request, id, groupSeq: group, dueAt, schedule, proposal, byAgent } = attempt;
  return {
    actor: auditActorOf(ctx.actor),
    source: "gatehouse",
    code: dueAt === undefined ? `action.${request.action}` : "action.schedule",
    action: request.action,
    actionId: id,
    target: { id: formatObjectRef(path), ...path },
    reason: request.reason,
    requestId: ctx.requestId,
    ...draft,
    detail: {
      ...(group === undefined ? {} : { group }),
      ...(dueAt === undefined ? {} : { dueAt: dueAt.toISOString() }),
      ...(schedule === undefined ? {} : { scheduled: schedule.id }),
      ...(proposal === undefined ? {} : { proposal }),
      ...(byAgent === true ? { agent: { ...ctx.actor.token, tool: "act" } } : {}),
      ...describeRequest(request),
      ...draft.detail,
    },
  };
}

/** Returns the parameters of a request and its subject: images and names, nothing secret. */
function describeRequest({ params, subject }: AttemptRequest): Record<string, unknown> {
  return { ...(Object.keys(params).length === 0 ? {} : { params }), ...(subject === undefined ? {} : { subject }) };
}

/** The recorder may have found the outcome unknown: the refusal says more. Anything else that it settled stays. */
const refusable = ["requested", "unknown"] as const;

/**
 * Records a refusal in the audit log and in the action's row, and returns the error that answers it. Records nothing if
 * another process has settled the action.
 */
export async function refuseAttempt({
  attempt,
  refusal: { code, message, policy, judgement, extra, detail },
  // A request for many rollouts counts once: each of its members gets an outcome. So does a scheduled action.
  limited = attempt.groupSeq === undefined && attempt.schedule === undefined,
  patches = [],
}: {
  attempt: ActionAttempt;
  refusal: Refusal;
  /** Those that the cluster got and refused. */
  patches?: readonly SentPatch[];
  /** False if an intent was written: its outcome is then always written. */
  limited?: boolean;
}): Promise<ServiceError> {
  const { ctx, path, request, id } = attempt;
  const error = new ServiceError(code, message, { ...extra, actionId: id });
  const change: ActionChange = { state: "refused", message, plan: { refusal: { code, answer: storeAnswer(extra) } } };
  let settled = undefined as ServiceError | undefined;
  const isWritten = await auditRefusal({
    ctx,
    error,
    asked: draftEntry(attempt, {
      outcome: "refused",
      detail: {
        viewDigest: request.expect.viewDigest,
        policy,
        ...detail,
        ...judgement,
        ...(patches.length === 0 ? {} : { sent: patches }),
      },
    }),
    place: limited ? formatObjectRef(path) : undefined,
    within: async (client, { seq }) => {
      if (id === undefined) return;
      if (await updateAction({ client, id, change: { ...change, outcomeSeq: seq }, from: refusable })) return;
      settled = new ServiceError("conflict", "Another process has already settled this action.", { actionId: id });
      throw settled;
    },
  });
  if (settled !== undefined) return settled;
  // An outcome that could not be written is left to the recorder, which finds the unresolved action.
  if (!isWritten && limited && id !== undefined)
    await updateAction({ client: ctx.runtime.pool, id, change, from: refusable }).catch((cause: unknown) => {
      ctx.runtime.log.error({ err: cause, actionId: id }, "a refused action could not be marked as such");
    });
  return error;
}

/** Serialises to text: PostgreSQL's JSON rejects NUL and lone surrogates, which a cluster's messages may contain. */
function storeAnswer({ invalidParams, changes, current }: ServiceErrorExtra = {}): string | undefined {
  const answer = { invalidParams, changes, current };
  return Object.values(answer).every((part) => part === undefined) ? undefined : JSON.stringify(answer);
}

/** Parses what `storeAnswer` wrote, hence its type. */
export function readStoredAnswer(
  answer: string | undefined,
): Pick<ServiceErrorExtra, "invalidParams" | "changes" | "current"> {
  return answer === undefined ? {} : (JSON.parse(answer) as ReturnType<typeof readStoredAnswer>);
}

/**
 * Uses an approval for one intent; a second request with the same approval is refused. Everything that the approval is
 * bound to is checked again here, so that nothing else can use it up, regardless of earlier checks. So are its approvers:
 * their number, rights and groups, by the config of this moment.
 */
async function useApproval({
  client,
  attempt: { ctx, path, request },
  id,
  rolloutId,
  also,
}: {
  client: PoolClient;
  attempt: ActionAttempt;
  id: string;
  rolloutId: string;
  also: readonly ActionName[];
}): Promise<void> {
  const { approval, action, params, subject, expect } = request;
  if (approval === undefined) return;
  const used = await write(
    client,
    tables
      .updateTable("approval")
      .set({ action_id: id, decision: "approved" })
      .where("id", "=", approval)
      .where("action_id", "is", null)
      .where((eb) => eb.or([eb("decision", "is", null), eb("decision", "=", "approved")]))
      .where("expires_at", ">", transactionTime)
      .where("requested_by", "=", actorKey(ctx.actor))
      .where("rollout_id", "=", rolloutId)
      .where("action", "=", action)
      .where("view_digest", "=", toColumn(expect.viewDigest))
      .where(({ cast, eb, val }) =>
        eb("params", "=", cast(val(JSON.stringify(storeRequest({ params, subject }))), "jsonb")),
      )
      .where("cluster", "=", path.cluster)
      .where("namespace", "=", path.namespace)
      .where("kind", "=", path.kind)
      .where("name", "=", path.name),
  );
  if (used !== 1)
    throw new ServiceError("second_person_required", "The approval was used or withdrawn, or has expired.", {
      actionId: id,
    });
  const missing = await findMissingApproval({ connection: client, runtime: ctx.runtime, id: approval, also });
  if (missing !== undefined) throw new ServiceError("second_person_required", missing, { actionId: id });
}

/**
 * Binds a proposal to the one intent of the person who accepts it. An advancing one only if no other action went out
 * since: the decision at a gate does not show in the view.
 */
async function useProposal({
  client,
  attempt: { ctx, proposal, request },
  id,
}: {
  client: PoolClient;
  attempt: ActionAttempt;
  id: string;
}): Promise<void> {
  if (proposal === undefined) return;
  const row = await findApproval(client, proposal.id);
  if (row?.state !== "open") throw new ServiceError("not_allowed_now", explainClosed(row), { actionId: id });
  const { name, username } = ctx.actor;
  const used = await write(
    client,
    tables
      .updateTable("approval")
      .set({ action_id: id, decision: "approved", decided_by: toColumn(actorKey(ctx.actor)) })
      .set({ decided_by_name: toColumn(name), decided_username: toColumn(username), decided_at: transactionTime })
      .where("id", "=", proposal.id)
      .where((of) => (isProtective(request.action) ? sql.lit(true) : of.not(of.exists(actedSince(id, "approval"))))),
  );
  if (used !== 1)
    throw new ServiceError("not_allowed_now", "Another action came after the agent's look: nothing was done.", {
      actionId: id,
    });
}

/**
 * Binds a scheduled action to its one intent. Only the newest claim may, only soon after the time, and an advancing one
 * only if no other action went out since it was asked for: the decision at a gate does not show in the view.
 */
async function useSchedule({
  client,
  attempt: { schedule, request },
  id,
}: {
  client: PoolClient;
  attempt: ActionAttempt;
  id: string;
}): Promise<void> {
  if (schedule === undefined) return;
  const used = await write(
    client,
    tables
      .updateTable("scheduled_action")
      .set({ action_id: id })
      .where("id", "=", schedule.id)
      .where("claim", "=", schedule.claim)
      .where("state", "=", "running")
      .where("action_id", "is", null)
      .where("due_at", ">", secondsBefore(clockTime, scheduleGraceMinutes * 60))
      .where((of) =>
        isProtective(request.action) ? sql.lit(true) : of.not(of.exists(actedSince(id, "scheduled_action"))),
      ),
  );
  if (used !== 1)
    throw new ServiceError("conflict", "Another process or another action came first, or its time has passed.");
}

const { ref: ofAsked } = fragment<{ scheduled_action: "scheduled_action"; approval: "approval" }>();

/**
 * Selects another action on the rollout of the row of this table that went out since that row was asked for. A decision
 * went out when it was made: it may have been requested before.
 */
function actedSince(id: string, asked: "scheduled_action" | "approval") {
  return tables
    .selectFrom("action as a")
    .leftJoin("gate_decision as d", "d.id", "a.id")
    .select("a.id")
    .whereRef("a.rollout_id", "=", ofAsked(`${asked}.rollout_id`))
    .where(({ eb, fn }) => eb(fn.coalesce("d.decided_at", "a.requested_at"), ">", ofAsked(`${asked}.requested_at`)))
    .where("a.intent_seq", "is not", null)
    .where("a.id", "<>", id);
}

/**
 * Appends the intent, committed with its evidence before anything is sent, and with the decision that is kept instead
 * of sending. Throws `audit_unavailable`: then nothing may be sent.
 */
export async function appendIntent({
  attempt,
  id,
  rolloutId,
  protective,
  evidence,
  plan,
  detail,
  broken,
  also,
  decision,
}: {
  attempt: ActionAttempt;
  id: string;
  rolloutId: string;
  /** It proceeds regardless of how the previous one ended. */
  protective: boolean;
  evidence: Evidence;
  plan: StoredPlan;
  detail: Record<string, unknown>;
  /** The ids of the freezes of people that the click breaks. */
  broken: readonly string[];
  /** What the plan does besides. */
  also: readonly ActionName[];
  decision: NewGateDecision | undefined;
}): Promise<AppendedAudit> {
  return appendAudit({
    pool: attempt.ctx.runtime.pool,
    entry: draftEntry(attempt, { outcome: "intent", detail }),
    evidence,
    within: async (client, { seq }) => {
      if (!protective) await assertNoOpenAction({ client, rolloutId, id });
      if (!protective) await assertNotFrozen(client, attempt, broken);
      const change = { intentSeq: seq, plan, deadlineSeconds: orphanedIntentSeconds };
      const isOurs = await updateAction({ client, id, change, from: ["requested"] });
      if (!isOurs)
        throw new ServiceError("conflict", "Another process has already decided on this action.", { actionId: id });
      await useApproval({ client, attempt, id, rolloutId, also });
      await useSchedule({ client, attempt, id });
      await useProposal({ client, attempt, id });
      if (decision !== undefined && !protective) await assertNotHeldSince(client, decision, attempt.request.approval);
      if (decision !== undefined) await insertGateDecision(client, decision);
      // The chain is locked: of two actions at once the second counts the first, and neither misses the stop.
      if (attempt.byAgent === true)
        await assertAgentMay({ client, attempt, actions: [attempt.request.action, ...also] });
    },
  });
}
