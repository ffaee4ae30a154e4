import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { ActionAccepted, ActionRequest } from "#lib/contract/action.ts";
import type { ProblemCode } from "#lib/contract/problem.ts";
import { problemStatus } from "#lib/contract/problem.ts";
import type { RolloutPath } from "#lib/contract/rollout.ts";
import { effectDeadlineSeconds } from "#lib/domain/argo/action-effect.ts";
import { readSetWeight } from "#lib/domain/argo/action-text.ts";
import { type ActionPlan, type PlannedActionName, plannedActions } from "#lib/domain/argo/plan-types.ts";
import { currentStepOf, type RolloutObject, stepsOf } from "#lib/domain/argo/rollout-object.ts";
import { computeViewDigest } from "#lib/domain/argo/view-digest.ts";
import { mayAct, mayRead } from "#lib/domain/policy/rights.ts";
import {
  type ActionAttempt,
  appendIntent,
  draftEntry,
  formatTargetId,
  refuseAttempt,
} from "#lib/server/acting/action-attempt.ts";
import { type ActionRow, findAction, insertAction, StoredPlan, updateAction } from "#lib/server/acting/action-store.ts";
import { type Carried, carryOutPlan } from "#lib/server/acting/carry-out-plan.ts";
import { collectEvidence } from "#lib/server/acting/collect-evidence.ts";
import { nameAtCluster } from "#lib/server/acting/own-name.ts";
import { appendAudit } from "#lib/server/audit/append-audit.ts";
import { makeEvidence } from "#lib/server/audit/make-evidence.ts";
import { actorKey } from "#lib/server/auth/actor.ts";
import { isConnectionError } from "#lib/server/db/is-connection-error.ts";
import { type Gate, passGates, refuseStale } from "#lib/server/services/acting/pass-gates.ts";
import { findRollout } from "#lib/server/services/rollouts/find-rollout.ts";
import type { ServiceContext } from "#lib/server/services/service-context.ts";
import { ServiceError } from "#lib/server/services/service-error.ts";

const waitForTwinMs = 40_000;

type Input = RolloutPath & ActionRequest;

/**
 * Carries out one action on a rollout: authorised, bound to what the person saw, audited before and after. Resolves
 * once the cluster has answered, with state applied, partial or unknown; every refusal is a `ServiceError` with
 * `actionId`. `idempotencyKey` is the header of that name: the same key and body give the same answer for 24 h.
 */
export async function actOnRollout({
  ctx,
  input,
  idempotencyKey,
}: {
  ctx: ServiceContext;
  input: Input;
  idempotencyKey?: string;
}): Promise<ActionAccepted> {
  await authorise({ ctx, input });
  try {
    return await act({ ctx, input, idempotencyKey });
  } catch (error) {
    if (!isConnectionError(error) || error instanceof ServiceError) throw error;
    throw new ServiceError("audit_unavailable", "The database is away: what cannot be audited is not done.", {
      cause: error,
    });
  }
}

async function authorise({ ctx, input }: { ctx: ServiceContext; input: Input }): Promise<void> {
  const { rights } = ctx.actor;
  if (mayAct(rights, { action: input.action, target: input })) return;
  const address = formatTargetId(input);
  throw await refuseAttempt({
    attempt: attemptOf({ ctx, input, id: undefined }),
    refusal: mayRead(rights, input)
      ? { code: "forbidden", message: `Your rights do not include ${input.action} on ${address}.` }
      : { code: "not_found", message: `There is no rollout ${address}.` },
  });
}

async function act({
  ctx,
  input,
  idempotencyKey,
}: {
  ctx: ServiceContext;
  input: Input;
  idempotencyKey: string | undefined;
}): Promise<ActionAccepted> {
  const attempt = attemptOf({ ctx, input, id: randomUUID() });
  const id = attempt.id ?? "";
  assertIdempotencyKey(idempotencyKey);
  const action = assertPlannable(input);
  const { pool } = ctx.runtime;
  const row = await findRollout(ctx, attempt.path);
  const inserted = await insertAction({
    pool,
    action: {
      id,
      rolloutId: row.id,
      path: attempt.path,
      action,
      reason: attempt.request.reason,
      actorKey: actorKey(ctx.actor),
      actorName: ctx.actor.name,
      viewDigest: input.expect.viewDigest,
      idempotencyKey,
      requestHash: makeEvidence({ ...attempt.path, ...attempt.request }).digest,
      requestId: ctx.requestId,
    },
  });
  if (!inserted.isNew) return answerAgain({ ctx, row: inserted.row });
  const gate = await passGates({ attempt, recorded: row, action });
  if ("code" in gate) throw await refuseAttempt({ attempt, refusal: gate });
  return carryOut({ attempt, id, rolloutId: row.id, action, ...gate });
}

async function carryOut({
  attempt,
  id,
  rolloutId,
  action,
  client,
  as,
  rollout,
  plan,
  brokenFreeze,
}: Gate & {
  attempt: ActionAttempt;
  id: string;
  rolloutId: string;
  action: PlannedActionName;
}): Promise<ActionAccepted> {
  const { ctx, path, request } = attempt;
  const { pool } = ctx.runtime;
  const viewDigest = computeViewDigest(rollout);
  const evidence = await collectEvidence({ pool, rolloutId, rollout, viewDigest });
  const { resourceVersion } = rollout.metadata;
  const intentAt = performance.now();
  const intent = await appendIntent({
    attempt,
    id,
    evidence,
    plan: { patches: plan.patches, expectedEffect: plan.expectedEffect, digest: viewDigest, resourceVersion },
    detail: {
      ...detailOf({ rollout, plan, viewDigest, seenDigest: request.expect.viewDigest }),
      clusterUser: await nameAtCluster({ client, as }),
      actAs: as.mode,
      brokenFreeze,
      approval: request.approval,
    },
  }).catch(async (error: unknown) => {
    if (!(error instanceof ServiceError) || error.code !== "second_person_required") throw error;
    throw await refuseAttempt({ attempt, refusal: { code: error.code, message: error.message } });
  });
  const seen = request.expect;
  // An error that nobody foresaw may have come after the patch went out: only "unknown" is then true.
  const carried = await carryOutPlan({ client, address: path, as, action, seen, rollout, plan, intentAt }).catch(
    (error: unknown): Carried => {
      ctx.runtime.log.error({ err: error, actionId: id }, "carrying out an action failed");
      return { outcome: "unknown", patchesDone: 0, message: "Gatehouse failed while it was sending the change." };
    },
  );
  if (carried.outcome === "refused") {
    const stale = carried.stale === undefined ? undefined : await refuseStale({ attempt, rollout: carried.stale });
    throw await refuseAttempt({ attempt, refusal: stale ?? carried, limited: false });
  }
  const state = await recordOutcome({ attempt, id, carried, plan, place: placeOf(rollout) });
  return acceptedOf({ id, path, state, auditSeq: intent.seq });
}

async function recordOutcome({
  attempt,
  id,
  carried,
  plan,
  place,
}: {
  attempt: ActionAttempt;
  id: string;
  carried: Exclude<Carried, { outcome: "refused" }>;
  plan: ActionPlan;
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
          deadlineSeconds: effectDeadlineSeconds(plan.expectedEffect.kind),
          ...(carried.outcome === "unknown" ? { plan: { patchesDone: carried.patchesDone } } : {}),
        };
        await updateAction({ client, id, change });
      },
    });
    return outcome;
  } catch (error) {
    // The intent stands in the log; the recorder reads back what became of it.
    runtime.log.error({ err: error, actionId: id, outcome }, "the outcome of an action could not be written");
    return "unknown";
  }
}

function detailOf({
  rollout,
  plan,
  viewDigest,
  seenDigest,
}: {
  rollout: RolloutObject;
  plan: ActionPlan;
  viewDigest: string;
  seenDigest: string;
}): Record<string, unknown> {
  return {
    effect: plan.effect,
    waives: plan.waives,
    patches: plan.patches,
    kubectl: plan.kubectl,
    ...placeOf(rollout),
    podHash: rollout.status.currentPodHash,
    viewDigest,
    ...(seenDigest === viewDigest ? {} : { seenDigest }),
    resourceVersion: rollout.metadata.resourceVersion,
  };
}

/** Where the rollout stood when it was acted on. The chain takes whole numbers only. */
function placeOf(rollout: RolloutObject): Record<string, unknown> {
  const weight = rollout.status.canary?.weights?.canary?.weight ?? readSetWeight(rollout);
  return {
    step: currentStepOf(rollout),
    stepCount: stepsOf(rollout).length,
    ...(weight === undefined ? {} : { weight: Math.round(weight) }),
  };
}

/** The answer that the same request got before; while its twin is still under way, waits for it. */
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
    const stored = StoredPlan.safeParse(twin.plan);
    throw new ServiceError(codeOf(stored.data?.refusal?.code), twin.message, { actionId: twin.id });
  }
  const { cluster, namespace, name } = twin;
  const auditSeq = Number(twin.intent_seq ?? 0);
  const state = twin.state === "effective" || twin.state === "not-effective" ? "applied" : twin.state;
  return acceptedOf({ id: twin.id, path: { cluster, namespace, kind: "Rollout", name }, state, auditSeq });
}

function codeOf(code: string | undefined): ProblemCode {
  return code !== undefined && Object.hasOwn(problemStatus, code) ? (code as ProblemCode) : "conflict";
}

function acceptedOf({
  id,
  path,
  state,
  auditSeq,
}: Pick<ActionAccepted, "id" | "state" | "auditSeq"> & { path: RolloutPath }): ActionAccepted {
  const address = formatTargetId(path).split("/").map(encodeURIComponent).join("/");
  return {
    id,
    state,
    auditSeq,
    links: {
      self: `/api/v1/actions/${id}`,
      rollout: `/api/v1/rollouts/${address}`,
      audit: `/api/v1/audit/${auditSeq}`,
    },
  };
}

function attemptOf({ ctx, input, id }: { ctx: ServiceContext; input: Input; id: string | undefined }): ActionAttempt {
  const { cluster, namespace, kind, name, action, expect, breakGlass, approval } = input;
  const reason = input.reason?.toWellFormed().trim();
  return {
    ctx,
    path: { cluster, namespace, kind, name },
    request: { action, expect, breakGlass, approval, reason: reason === "" ? undefined : reason },
    id,
  };
}

function assertIdempotencyKey(key: string | undefined): void {
  if (key === undefined || /^[\x21-\x7e]{1,200}$/.test(key)) return;
  const reason = "1 to 200 printable ASCII characters without spaces";
  throw new ServiceError("invalid_request", `Idempotency-Key: ${reason}.`, {
    invalidParams: [{ name: "Idempotency-Key", reason }],
  });
}

function assertPlannable(input: Input): PlannedActionName {
  const action = plannedActions.find((name) => name === input.action);
  if (input.kind !== "Rollout" || action === undefined)
    throw new ServiceError(
      "not_allowed_now",
      `Action ${input.action} on a ${input.kind} is not offered by this version.`,
    );
  return action;
}
