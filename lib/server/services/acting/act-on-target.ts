import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { ActionAccepted, ActionRequest } from "#lib/contract/action.ts";
import type { ProblemCode } from "#lib/contract/problem.ts";
import { problemStatus } from "#lib/contract/problem.ts";
import { type ActionName, isProtective } from "#lib/domain/acting/action-catalogue.ts";
import { type ActionParams, type ActionSubject, readActionParams } from "#lib/domain/acting/action-params.ts";
import { type ActionPlan, alsoDoneBy } from "#lib/domain/acting/plan.ts";
import { formatObjectRef, type ObjectRef } from "#lib/domain/delivery/object-ref.ts";
import type { DeliveryObject, Provider } from "#lib/domain/delivery/provider.ts";
import { isRolloutKind } from "#lib/domain/providers.ts";
import {
  type ActionAttempt,
  appendIntent,
  draftEntry,
  readStoredAnswer,
  refuseAttempt,
} from "#lib/server/acting/action-attempt.ts";
import { type ActionRow, findAction, insertAction, StoredPlan, updateAction } from "#lib/server/acting/action-store.ts";
import { type Carried, carryOutPlan } from "#lib/server/acting/carry-out-plan.ts";
import { collectEvidence } from "#lib/server/acting/collect-evidence.ts";
import { nameAtCluster } from "#lib/server/acting/own-name.ts";
import { type Prepared, prepareAction, staleMessage } from "#lib/server/acting/prepare-action.ts";
import { readStoredRequest, storeRequest } from "#lib/server/acting/stored-request.ts";
import { actorKey } from "#lib/server/actor/actor.ts";
import { isServiceError, ServiceError } from "#lib/server/actor/service-error.ts";
import { appendAudit } from "#lib/server/audit/append-audit.ts";
import { makeEvidence } from "#lib/server/audit/make-evidence.ts";
import { isDatabaseTrouble } from "#lib/server/db/is-database-trouble.ts";
import { isUnwritableError } from "#lib/server/db/is-unwritable-error.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";
import { endWithEntry } from "#lib/server/services/acting/end-with-entry.ts";
import { type Gate, passGates, type RecordedTarget, refuseStale } from "#lib/server/services/acting/pass-gates.ts";
import { isBlank } from "#lib/util/is-blank.ts";

/** Refusals decided by the transaction of the intent itself, and recorded as refusals. */
const refusedByIntent: readonly ProblemCode[] = ["second_person_required", "not_allowed_now"];
const waitForTwinMs = 40_000;

/** The target of an action, and the action. */
export type ActionTarget = { action: ActionName; recorded: RecordedTarget };

/**
 * Carries one action through the protocol for an authorised person: bound to what the person saw, audited before and
 * after. `find` looks the target up and refuses actions that are not offered.
 */
export async function actOnTarget({
  attempt,
  idempotencyKey,
  find,
}: {
  attempt: ActionAttempt;
  idempotencyKey: string | undefined;
  find: () => Promise<ActionTarget>;
}): Promise<ActionAccepted> {
  return withAudit(async () => {
    assertIdempotencyKey(idempotencyKey);
    const target = await find().catch(async (error: unknown) => {
      if (!isServiceError(error)) throw error;
      const { code, message, extra } = error;
      throw await refuseAttempt({ attempt, refusal: { code, message, extra } });
    });
    const { ctx, path, request } = attempt;
    const id = randomUUID();
    const inserted = await insertAction({
      pool: ctx.runtime.pool,
      action: {
        id,
        rolloutId: target.recorded.rolloutId,
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
      },
    });
    if (!inserted.isNew) return answerAgain({ ctx, row: inserted.row });
    const numbered: ActionAttempt = { ...attempt, id };
    return endWithEntry(numbered, async () => {
      const gate = await passGates({ attempt: numbered, ...target });
      if ("code" in gate) throw await refuseAttempt({ attempt: numbered, refusal: gate });
      return carryOut({ attempt: numbered, id, ...target, ...gate });
    });
  });
}

/**
 * Runs `run`; throws `audit_unavailable` if auditing is impossible. Invariant: an action that cannot be audited is not
 * done.
 */
export async function withAudit<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (!isDatabaseTrouble(error) || isServiceError(error)) throw error;
    const what = isUnwritableError(error) ? "The database takes no writes" : "The database is away";
    throw new ServiceError("audit_unavailable", `${what}: what cannot be audited is not done.`, { cause: error });
  }
}

/** Builds the request as it is hashed, stored and audited. */
export function attemptOf({
  ctx,
  path,
  input,
  subject,
}: {
  ctx: ServiceContext;
  path: ObjectRef;
  input: ActionRequest & ActionParams;
  subject?: ActionSubject;
}): ActionAttempt {
  const { action, expect, breakGlass, approval } = input;
  const reason = input.reason?.toWellFormed().trim();
  const params = readActionParams(input);
  return {
    ctx,
    path,
    request: {
      action,
      params,
      subject,
      expect,
      breakGlass,
      approval,
      reason: isBlank(reason ?? "") ? undefined : reason,
    },
    id: undefined,
  };
}

async function carryOut({
  attempt,
  id,
  action,
  recorded,
  client,
  as,
  wish,
  prepared,
  brokenFreeze,
  approvedBy,
}: Gate & ActionTarget & { attempt: ActionAttempt; id: string }): Promise<ActionAccepted> {
  const { ctx, path, request } = attempt;
  const { rollout, plan } = prepared;
  const { rolloutId } = recorded;
  const evidence = await collectEvidence({ pool: ctx.runtime.pool, rolloutId, rollout, subject: request.subject });
  const intentAt = performance.now();
  const intent = await appendIntent({
    attempt,
    id,
    rolloutId,
    protective: isProtective(action),
    evidence,
    plan: storedOf(wish.provider, prepared),
    detail: {
      ...detailOf({ rollout, plan, seenDigest: request.expect.viewDigest }),
      clusterUser: await nameAtCluster({ client, as }),
      actAs: as.mode,
      brokenFreeze,
      approval: request.approval,
      approvedBy,
    },
  }).catch(async (error: unknown) => {
    if (!isServiceError(error) || !refusedByIntent.includes(error.code)) throw error;
    throw await refuseAttempt({ attempt, refusal: { code: error.code, message: error.message } });
  });
  const place = { ...rollout?.acting.describePlace(), brokenFreeze };
  // After a conflict the plan differs: read-back and the awaited effect follow the plan that was sent.
  let sent = prepared;
  const again = async (): ReturnType<typeof prepareAction> => {
    // Replica counts are not part of the view, but may decide which pauses are passed: only these were judged.
    const seen = { ...request.expect, passesPauses: plan.passesPauses ?? [] };
    const next = await prepareAction({ wish, seen });
    if ("outcome" in next) return next;
    // Rights and policies were checked for this and no more.
    const asked = alsoDoneBy({ action, plan });
    if (alsoDoneBy({ action, plan: next.plan }).some((also) => !asked.includes(also)))
      return {
        outcome: "refused",
        code: "stale_view",
        message: staleMessage,
        ...(next.rollout && { stale: next.rollout }),
      };
    sent = next;
    return next;
  };
  const order = {
    client,
    provider: wish.provider,
    address: path,
    as,
    protective: isProtective(action),
    again,
    prepared,
    intentAt,
  };
  // An unforeseen error may have come after the patch was sent: only "unknown" is then true.
  const carried = await carryOutPlan(order).catch((error: unknown): Carried => {
    ctx.runtime.log.error({ err: error, actionId: id }, "carrying out an action failed");
    return { outcome: "unknown", patchesDone: 0, message: "Gatehouse failed while it was sending the change." };
  });
  if (carried.outcome === "refused") {
    const { stale: rollout, code, message, change } = carried;
    // The outcome of an intent is always written, even if its details cannot be read.
    const stale =
      rollout === undefined
        ? undefined
        : await refuseStale({ attempt, recorded, rollout, message, ...(change && { change }) }).catch(
            (error: unknown) => {
              ctx.runtime.log.error({ err: error, actionId: id }, "what changed could not be told");
              return undefined;
            },
          );
    throw await refuseAttempt({ attempt, refusal: stale ?? { code, message }, limited: false });
  }
  const state = await recordOutcome({ attempt, id, provider: wish.provider, carried, sent, place });
  return acceptedOf({ id, path, subject: request.subject, state, auditSeq: intent.seq });
}

async function recordOutcome({
  attempt,
  id,
  provider,
  carried,
  sent,
  place,
}: {
  attempt: ActionAttempt;
  id: string;
  provider: Provider;
  carried: Exclude<Carried, { outcome: "refused" }>;
  sent: Prepared;
  place: Record<string, unknown>;
}): Promise<ActionAccepted["state"]> {
  const { outcome, message } = carried;
  const { runtime } = attempt.ctx;
  try {
    await appendAudit({
      pool: runtime.pool,
      entry: draftEntry(attempt, { outcome, detail: { message, ...place } }),
      within: async (client, { seq }) => {
        const change = {
          state: outcome,
          message,
          outcomeSeq: seq,
          isApplied: outcome === "applied",
          ...deadlineOf(provider, sent.plan),
          plan: {
            ...storedOf(provider, sent, carried.outcome === "applied" ? carried.object : undefined),
            ...(carried.outcome === "unknown" ? { patchesDone: carried.patchesDone } : {}),
          },
        };
        await updateAction({ client, id, change });
      },
    });
    return outcome;
  } catch (error) {
    // The intent is in the log; the recorder reads back its outcome.
    runtime.log.error({ err: error, actionId: id, outcome }, "the outcome of an action could not be written");
    return "unknown";
  }
}

function deadlineOf({ acting }: Provider, { expectedEffect }: ActionPlan): { deadlineSeconds?: number } {
  const facts = acting.readEffect(expectedEffect);
  return facts === undefined ? {} : { deadlineSeconds: facts.deadlineSeconds(new Date()) };
}

/** Returns what the row remembers of the plan; `answer` is the cluster's answer to the last patch. */
function storedOf(provider: Provider, { rollout, plan }: Prepared, answer?: unknown): StoredPlan {
  const expected = plan.expectedEffect;
  const answered = plan.target === undefined && answer !== undefined ? provider.parse(answer) : undefined;
  return {
    provider: provider.name,
    patches: plan.shown,
    expectedEffect: answered?.ok ? answered.value.acting.noteAnswer(expected) : expected,
    runKey: rollout?.runKey,
    targetUid: plan.target?.uid,
    digest: rollout?.viewDigest,
    resourceVersion: rollout?.metadata.resourceVersion,
    passesPauses: plan.passesPauses,
  };
}

/** Returns the audit entry's detail; of a pod template only what may be shown, since an entry is kept for ever. */
function detailOf({
  rollout,
  plan,
  seenDigest,
}: {
  rollout: DeliveryObject | undefined;
  plan: ActionPlan;
  seenDigest: string;
}): Record<string, unknown> {
  const viewDigest = rollout?.viewDigest;
  return {
    effect: plan.effect,
    waives: plan.waives,
    patches: plan.shown,
    patched: plan.target,
    kubectl: plan.kubectl,
    ...rollout?.acting.describePlace(),
    podHash: rollout?.runKey,
    viewDigest,
    ...(seenDigest === viewDigest || viewDigest === undefined ? {} : { seenDigest }),
    resourceVersion: rollout?.metadata.resourceVersion,
  };
}

/** Returns the answer that the same request got before; waits while the first request is still running. */
async function answerAgain({ ctx, row }: { ctx: ServiceContext; row: ActionRow }): Promise<ActionAccepted> {
  const endsAt = Date.now() + waitForTwinMs;
  let twin = row;
  while (twin.state === "requested" && Date.now() < endsAt) {
    await sleep(100);
    twin = (await findAction(ctx.runtime.pool, row.id)) ?? twin;
  }
  if (twin.state === "requested")
    throw new ServiceError("conflict", "The same request is still under way.", { actionId: twin.id });
  if (twin.state === "refused") {
    const refusal = StoredPlan.safeParse(twin.plan).data?.refusal;
    const extra = { ...readStoredAnswer(refusal?.answer), actionId: twin.id };
    throw new ServiceError(codeOf(refusal?.code), twin.message, extra);
  }
  const { cluster, namespace, kind, name } = twin;
  const auditSeq = Number(twin.intent_seq ?? 0);
  const state = twin.state === "effective" || twin.state === "not-effective" ? "applied" : twin.state;
  const subject = readStoredRequest(twin).subject ?? undefined;
  return acceptedOf({ id: twin.id, path: { cluster, namespace, kind, name }, subject, state, auditSeq });
}

function codeOf(code: string | undefined): ProblemCode {
  return code !== undefined && Object.hasOwn(problemStatus, code) ? (code as ProblemCode) : "conflict";
}

function acceptedOf({
  id,
  path,
  subject,
  state,
  auditSeq,
}: Pick<ActionAccepted, "id" | "state" | "auditSeq"> & {
  path: ObjectRef;
  subject: ActionSubject | undefined;
}): ActionAccepted {
  const address = formatObjectRef(path).split("/").map(encodeURIComponent).join("/");
  const of = subject?.kind === "Experiment" ? "experiments" : "analysis-runs";
  return {
    id,
    state,
    auditSeq,
    links: {
      self: `/api/v1/actions/${id}`,
      ...(isRolloutKind(path.kind) ? { rollout: `/api/v1/rollouts/${address}` } : {}),
      ...(subject === undefined ? {} : { subject: `/api/v1/${of}/${encodeURIComponent(subject.uid)}` }),
      audit: `/api/v1/audit/${auditSeq}`,
    },
  };
}

function assertIdempotencyKey(key: string | undefined): void {
  if (key === undefined || /^[\x21-\x7e]{1,200}$/.test(key)) return;
  const reason = "1 to 200 printable ASCII characters without spaces";
  throw new ServiceError("invalid_request", `Idempotency-Key: ${reason}.`, {
    invalidParams: [{ name: "Idempotency-Key", reason }],
  });
}
