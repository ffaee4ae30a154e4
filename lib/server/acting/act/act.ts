import { randomUUID } from "node:crypto";
import type { ActionAccepted } from "#lib/contract/action.ts";
import { isProtective } from "#lib/domain/acting/action-catalogue.ts";
import type { ActionGate } from "#lib/domain/acting/judge-actions.ts";
import { alsoDoneBy } from "#lib/domain/acting/plan.ts";
import { makeEvidence } from "#lib/domain/audit/audit-entry.ts";
import { formatObjectRef } from "#lib/domain/delivery/object-ref.ts";
import { mayAct, mayRead } from "#lib/domain/policy/rights.ts";
import {
  type ActionAttempt,
  appendIntent,
  type Refusal,
  refuseAttempt,
} from "#lib/server/acting/act/action-attempt.ts";
import { explainNotByAgent, explainSpent } from "#lib/server/acting/act/agent-limits.ts";
import { acceptedOf, answerAgain } from "#lib/server/acting/act/answer-again.ts";
import { carryOutPlan } from "#lib/server/acting/act/carry-out-plan.ts";
import { checkTickets } from "#lib/server/acting/act/check-tickets.ts";
import { collectEvidence } from "#lib/server/acting/act/collect-evidence.ts";
import { explainStale } from "#lib/server/acting/act/explain-stale.ts";
import { findNewFreeze } from "#lib/server/acting/act/find-new-freeze.ts";
import { findNewSetBlock } from "#lib/server/acting/act/find-new-set-block.ts";
import { type JudgedClick, judgeClick } from "#lib/server/acting/act/judge-click.ts";
import {
  type ActionTarget,
  type Prepared,
  prepareAction,
  type Refused,
  type RequestedAction,
  reachCluster,
  relatedStateOf,
} from "#lib/server/acting/act/prepare-action.ts";
import { decisionOf, describeIntent, recordOutcome, storedPlanOf } from "#lib/server/acting/act/record-outcome.ts";
import { readGate } from "#lib/server/acting/permission/action-gate.ts";
import { describeAuthor } from "#lib/server/acting/permission/own-name.ts";
import { readBarriers } from "#lib/server/acting/permission/read-barriers.ts";
import { isUnconfirmedCommit } from "#lib/server/audit/write-audit-batch.ts";
import { isClusterUnreachableError } from "#lib/server/clusters/kubernetes/cluster-errors.ts";
import { actorKey } from "#lib/server/platform/actor/actor.ts";
import { isServiceError, ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { isDatabaseTrouble, isUnwritableError } from "#lib/server/platform/db/database-errors.ts";
import { activeSpan, inSpan } from "#lib/server/platform/telemetry/tracing.ts";
import { actionAttributes, insertAction, type NewAction } from "#lib/server/records/action-store.ts";
import { storeRequest } from "#lib/server/records/stored-request.ts";

/**
 * Carries one action through the protocol, from top to bottom: authorise, record the request, judge, read as the
 * person, compare with the view that they saw, plan, ask about tickets, write the intent, send, write the outcome.
 * `resolve` looks up the target and refuses actions that are not offered. Every refusal is audited and thrown as a
 * `ServiceError`.
 */
export function act(order: Order): Promise<ActionAccepted> {
  return traceAction(order.attempt, () => actAudited(order));
}

/** Runs the work of an attempt in a trace of its own, or of the request that asked for it. */
export function traceAction<Result>({ path, request }: ActionAttempt, work: () => Promise<Result>): Promise<Result> {
  return inSpan("action", { isRoot: true, attributes: actionAttributes({ ...path, ...request }) }, work);
}

type Order = {
  attempt: ActionAttempt;
  idempotencyKey: string | undefined;
  resolve: () => Promise<ActionTarget>;
};

async function actAudited({ attempt, idempotencyKey, resolve }: Order): Promise<ActionAccepted> {
  return withAudit(async () => {
    await assertAuthorised(attempt);
    if (attempt.schedule === undefined) assertIdempotencyKey(idempotencyKey);
    const target = await resolve().catch(refuseKnown(attempt));
    const action = makeRow({ attempt, target, idempotencyKey });
    const { ctx } = attempt;
    const recorded = await insertAction({ pool: ctx.runtime.pool, action });
    return recorded.isNew ? actOnRow({ attempt, target, row: action }) : answerAgain({ ctx, row: recorded.row });
  });
}

type Asked = { attempt: ActionAttempt; target: ActionTarget };

/** Authorises an attempt and looks up its target. A refusal is audited and thrown as a `ServiceError`. */
export async function admit({
  attempt,
  resolve,
}: {
  attempt: ActionAttempt;
  resolve: () => Promise<ActionTarget>;
}): Promise<ActionTarget> {
  await assertAuthorised(attempt);
  return resolve().catch(refuseKnown(attempt));
}

async function assertAuthorised(attempt: ActionAttempt): Promise<void> {
  const forbidden = explainWhyNotAuthorised(attempt) ?? (await explainWhyNotByAgent(attempt));
  if (forbidden !== undefined) throw await refuseAttempt({ attempt, refusal: forbidden });
}

/** Makes the row of an admitted attempt. */
export function makeRow({
  attempt: { ctx, path, request, groupSeq },
  target,
  idempotencyKey,
}: Asked & { idempotencyKey?: string | undefined }): NewAction {
  return {
    id: randomUUID(),
    rolloutId: target.rolloutId,
    path,
    action: request.action,
    params: storeRequest(request),
    reason: request.reason,
    actorKey: actorKey(ctx.actor),
    actorName: ctx.actor.name,
    actorUsername: ctx.actor.username,
    viewDigest: request.expect.viewDigest,
    idempotencyKey,
    requestHash: makeEvidence({ ...path, ...request }).digest,
    requestId: ctx.requestId,
    auditId: randomUUID(),
    groupSeq,
  };
}

/** Carries out an admitted attempt that has this row. Every error before the intent is audited. */
export function actOnRow({
  attempt,
  target,
  row: { id, auditId },
}: Asked & { row: Pick<NewAction, "id" | "auditId"> }): Promise<ActionAccepted> {
  const numbered = { ...attempt, id };
  return endWithEntry(numbered, () => actOnce(numbered, { target, auditId }));
}

/** A checked attempt: its way to the cluster, the plan, its gate, and the freezes and the approval that count. */
type Checked = {
  requested: RequestedAction;
  prepared: Prepared;
  gate: ActionGate;
  judged: Extract<JudgedClick, { refusal?: never }>;
};

/** Makes every check of an admitted attempt before its intent. A refusal is audited and thrown as a `ServiceError`. */
export async function checkAttempt({ attempt, target }: Asked): Promise<Checked> {
  const { ctx, path, request } = attempt;
  const refuse = (refusal: Refusal) => refuseAttempt({ attempt, refusal });

  // Judge by the recorded state: an action that is not allowed, or not now, sends no request to the cluster.
  const { gate, early } = await inSpan("check", {}, async () => {
    const { gate } = await readGate(ctx, target);
    return { gate, early: await judgeClick({ attempt, target, gate }) };
  });
  if (early.refusal !== undefined) throw await refuse(early.refusal);

  // Read as the person, compare with the view that they saw, plan. For protective actions a successful GET is enough.
  const requested = target.toRequestedAction(await reachCluster(ctx, path.cluster).catch(refuseKnown(attempt)));
  const recordedUid = isProtective(target.action) ? undefined : target.rollout?.uid;
  const prepared = await inSpan("plan", {}, () => prepareAction({ requested, seen: request.expect, recordedUid }));
  if ("outcome" in prepared) throw await refuse(await explainStale({ attempt, target, refused: prepared }));

  // Judge again: the plan may do more than was asked for, and a freeze or an abort in its set may have come meanwhile.
  const again = await inSpan("check", {}, async () => {
    const barrier = gate.barrier && (await readBarriers(ctx, [target.place]))(target.place);
    const current = { ...gate, barrier };
    return { gate: current, judged: await judgeClick({ attempt, target, gate: current, prepared }) };
  });
  const { judged } = again;
  if (judged.refusal !== undefined) throw await refuse(judged.refusal);
  return { requested, prepared, gate: again.gate, judged };
}

async function actOnce(
  attempt: ActionAttempt & { id: string },
  { target, auditId }: { target: ActionTarget; auditId: string },
): Promise<ActionAccepted> {
  const { ctx, path, request, id } = attempt;
  const { pool, log } = ctx.runtime;
  const { action, rolloutId } = target;
  const protective = isProtective(action);
  const traceparent = activeSpan()?.traceparent;
  const { requested, prepared, gate, judged } = await checkAttempt({ attempt, target });
  const { approvers, aheadOfSet, judgement, observed } = judged;
  // A freeze that begins after the judgement is in force when its refusal is written.
  const later = { ...judgement, judged: { policies: judgement.judged.policies } };
  const { name: brokenFreeze, ids: broken = [] } = judged.brokenFreeze ?? {};

  // Ask about the tickets last: only what is about to be done. From then on every refusal is written.
  const checked = await checkTickets({ attempt, needs: judged.tickets });
  const { tickets } = checked;
  const refuseAsked = (refusal: Refusal) =>
    refuseAttempt({ attempt, refusal, limited: checked.mustTell ? false : undefined });
  if (checked.refusal !== undefined) throw await refuseAsked(checked.refusal);

  // Write the intent with its evidence. Without it nothing is sent.
  const { rollout } = prepared;
  const evidence = await inSpan("evidence", {}, () =>
    collectEvidence({
      pool,
      rolloutId,
      rollout,
      related: relatedStateOf(requested),
      subject: request.subject,
    }),
  );
  const detail = {
    ...describeIntent({ prepared, seenDigest: request.expect.viewDigest, approvers }),
    ...(await describeAuthor(requested)),
    brokenFreeze,
    aheadOfSet,
    approval: request.approval,
    ...(tickets.length === 0 ? {} : { tickets }),
    observed,
    ...judgement,
  };
  const agent = attempt.byAgent === true ? ctx.actor.token?.id : undefined;
  const plan = { ...storedPlanOf(requested.provider, prepared), traceparent, agent };
  const also = alsoDoneBy({ action, plan: prepared.plan });
  const decision = decisionOf({ attempt, prepared, rolloutId, overrode: broken });
  const findBlock = async (): Promise<Refused | undefined> => {
    const block = await findNewSetBlock(ctx, { target, gate, prepared });
    return block && { outcome: "refused", code: "barrier", message: block.message, policy: block.set };
  };
  const blocked = await findBlock();
  if (blocked !== undefined) throw await refuseAsked(blocked);
  const intentAt = performance.now();
  const intent = await inSpan("intent", {}, () =>
    appendIntent({ attempt, id, rolloutId, protective, evidence, plan, detail, broken, also, decision }),
  ).catch(async (error: unknown) => {
    // The entry may have been committed, and the decision with it.
    if (decision !== undefined && isServiceError(error) && isUnconfirmedCommit(error.cause))
      throw new ServiceError("audit_unavailable", unsureMessage, { cause: error });
    const isRefusal =
      isServiceError(error) &&
      ["second_person_required", "not_allowed_now", "frozen", "rate_limited"].includes(error.code);
    if (!isRefusal) throw error;
    const byFreeze = error.code === "frozen" ? { policy: String(error.cause), judgement: later } : {};
    throw await refuseAsked({ code: error.code, message: error.message, extra: error.extra, ...byFreeze });
  });

  // Send as the person. After a conflict it is read, compared and planned again.
  const recheck = async (): Promise<Refused | undefined> => {
    const freeze = protective ? undefined : await findNewFreeze(pool, attempt, broken);
    if (freeze === undefined) return findBlock();
    return { outcome: "refused", code: "frozen", message: freeze.message, policy: freeze.name };
  };
  const order = { requested, seen: request.expect, address: path, protective, intentAt, recheck, auditId, prepared };
  const onError = (error: unknown): void => log.error({ err: error, actionId: id }, "carrying out an action failed");
  const { result, sent, patches } = await inSpan("send", {}, () => carryOutPlan(order, onError));

  // Write the outcome. An intent always gets one, even if its details cannot be read.
  if (result.outcome === "refused") {
    const { code, message } = result;
    const refusal = await explainStale({ attempt, target, refused: result }).catch((error: unknown) => {
      log.error({ err: error, actionId: id }, "the changes could not be described");
      return { code, message };
    });
    const byFreeze = result.code === "frozen" ? { judgement: later } : {};
    throw await refuseAttempt({ attempt, refusal: { ...refusal, ...byFreeze }, limited: false, patches });
  }
  const place = { ...rollout?.acting.describePlace(), brokenFreeze, aheadOfSet, observed };
  const { provider } = requested;
  const outcome = { attempt, provider, result, sent, patches, place };
  const state = await inSpan("outcome", {}, () => recordOutcome(outcome));
  return acceptedOf({ ctx, id, path, subject: request.subject, state, auditSeq: intent.seq });
}

const unsureMessage =
  "The database did not confirm the audit entry: whether the decision counts is not known. Look at the gate again.";

/**
 * Runs `run`; throws `audit_unavailable` if auditing is impossible. Invariant: an action that cannot be audited is not
 * done.
 */
export async function withAudit<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (!isDatabaseTrouble(error) || isServiceError(error)) throw error;
    const what = isUnwritableError(error) ? "The database does not accept writes" : "The database is unreachable";
    throw new ServiceError("audit_unavailable", `${what}: Gatehouse refuses what it cannot audit.`, { cause: error });
  }
}

/** Returns a handler that audits a `ServiceError` as a refusal; any other error is thrown on. */
function refuseKnown(attempt: ActionAttempt): (error: unknown) => Promise<never> {
  return async (error) => {
    if (!isServiceError(error)) throw error;
    const { code, message, extra } = error;
    throw await refuseAttempt({ attempt, refusal: { code, message, extra } });
  };
}

/** Asked again in the transaction of the intent. */
async function explainWhyNotByAgent(attempt: ActionAttempt): Promise<Refusal | undefined> {
  const { ctx, request, byAgent } = attempt;
  if (byAgent !== true) return undefined;
  const actions = [request.action];
  return explainNotByAgent(attempt, actions) ?? (await explainSpent(ctx.runtime.pool, ctx));
}

function explainWhyNotAuthorised({ ctx, path, request: { action } }: ActionAttempt): Refusal | undefined {
  const { rights } = ctx.actor;
  if (mayAct(rights, { action, target: path })) return undefined;
  const address = formatObjectRef(path);
  return mayRead(rights, path)
    ? { code: "forbidden", message: `Your rights do not include ${action} on ${address}.` }
    : { code: "not_found", message: `There is no rollout ${address}.` };
}

export function assertIdempotencyKey(key: string | undefined): void {
  if (key === undefined || /^[\x21-\x7e]{1,200}$/.test(key)) return;
  const reason = "1 to 200 printable ASCII characters without spaces";
  throw new ServiceError("invalid_request", `Idempotency-Key: ${reason}.`, {
    invalidParams: [{ name: "Idempotency-Key", reason }],
  });
}

/**
 * Ensures that an attempt with a row ends in an audit entry, regardless of which error is thrown. A refusal already has
 * its entry, and its error names the action. Without a database nothing can be written: the recorder does it later.
 * `run` must catch any error itself once something may have been sent.
 */
async function endWithEntry<Result>(attempt: ActionAttempt, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (isServiceError(error) && (error.extra.actionId === attempt.id || error.code === "audit_unavailable"))
      throw error;
    if (isDatabaseTrouble(error)) throw error;
    if (!isServiceError(error))
      attempt.ctx.runtime.log.error({ err: error, actionId: attempt.id }, "an action failed before anything was sent");
    throw await refuseAttempt({ attempt, refusal: refusalOf(error), limited: false });
  }
}

function refusalOf(error: unknown): Refusal {
  if (isServiceError(error)) return { code: error.code, message: error.message, extra: error.extra };
  if (isClusterUnreachableError(error))
    return { code: "unavailable", message: `Cluster ${error.cluster} does not answer: nothing was sent. Try again.` };
  return { code: "internal", message: "Something went wrong in Gatehouse before anything was sent." };
}
