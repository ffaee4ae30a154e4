import { setTimeout as sleep } from "node:timers/promises";
import type { ProblemCode } from "#lib/contract/problem.ts";
import { hideTemplateValues } from "#lib/domain/acting/action-outline.ts";
import { findIgnoredField } from "#lib/domain/acting/find-ignored-field.ts";
import type { ActionPatch, ActionPlan } from "#lib/domain/acting/plan.ts";
import type { SeenView } from "#lib/domain/delivery/acting.ts";
import type { DeliveryObject } from "#lib/domain/delivery/provider.ts";
import {
  type Prepared,
  prepareAgain,
  type Refused,
  type RequestedAction,
  refusalOfFetch,
} from "#lib/server/acting/act/prepare-action.ts";
import { fetchRollout, type RolloutAddress, resourceOf, rolloutPath } from "#lib/server/acting/act/rollout-api.ts";
import { objectPath, type PatchAnswer, sendPatch } from "#lib/server/clusters/object-api.ts";
import { keptMessage } from "#lib/server/records/gate-decisions.ts";

export type PlanResult =
  /** `object` as the cluster returned it for the last patch; undefined for a decision. */
  | { outcome: "applied"; message: string; object: unknown }
  | { outcome: "partial"; message: string }
  | { outcome: "unknown"; message: string; patchesDone: number }
  | Refused;

/** One patch as the cluster got it, in a form that may be stored. Patches rejected as a conflict are left out. */
export type SentPatch = {
  /** The kind and name of the patched object, such as `Rollout/checkout`. */
  object: string;
  subresource: ActionPatch["subresource"];
  /** The version that it required. */
  resourceVersion: string;
  body: ActionPatch["body"];
  answer: "accepted" | "refused" | "unknown";
};

type Order = {
  /** The request, planned again after a conflict. */
  requested: RequestedAction;
  seen: SeenView;
  /** Address of the rollout; for a run without an owner, its own. */
  address: RolloutAddress;
  protective: boolean;
  /** On the clock of `performance.now()`, from before the intent was written. */
  intentAt: number;
  /** Refuses if something has begun since the intent that stops it. */
  recheck?: () => Promise<Refused | undefined>;
  auditId: string;
};

const maxRetries = 5;
const maxProtectiveRetries = 20;
/** From this long after the intent, what may have begun since is looked up before anything is sent. */
const recheckAfterMs = 500;
/** A slow series of conflicts ends here, well before the recorder treats the intent as orphaned and reads it back. */
const retryForMs = 20_000;
/**
 * A process that stalled after its intent, or whose reads were slow, no longer sends anything: the recorder may have
 * recorded a refusal by then.
 */
const sendWithinMs = 40_000;

function isTooLate({ intentAt }: Pick<Order, "intentAt">): boolean {
  return performance.now() - intentAt > sendWithinMs;
}

/**
 * Sends the patches of a plan as the user; a decision was kept with the intent, and nothing is sent. After a conflict
 * it reads again and, if the person's view is still valid, sends again. An inconclusive answer ends as unknown and is
 * never repeated. A half-done plan ends as partial. `sent` is the plan that was sent last: read-back and the awaited
 * effect follow it; `patches` are those that were answered. Never rejects: an unforeseen error may have come after a
 * patch was sent, so only "unknown" is then true.
 */
export async function carryOutPlan(
  { prepared, ...order }: Order & { prepared: Prepared },
  onError: (error: unknown) => void,
): Promise<{ result: PlanResult; sent: Prepared; patches: SentPatch[] }> {
  const progress: Progress = { sent: prepared, patches: [] };
  if (prepared.plan.decision !== undefined) return { result: kept, ...progress };
  try {
    const done = await sendFirst({ ...order, progress });
    return { result: await sendRest({ ...order, progress, done }), ...progress };
  } catch (error) {
    onError(error);
    const message = "Gatehouse failed while sending the change.";
    return { result: { outcome: "unknown", patchesDone: 0, message }, ...progress };
  }
}

/** Sends the second patch, if the plan has one and the first was taken. */
async function sendRest({
  done,
  ...order
}: Order & { progress: Progress; done: Sent | PlanResult }): Promise<PlanResult> {
  const { rollout, plan } = order.progress.sent;
  const second = plan.patches[1];
  // A server that refuses a pod template may quote it.
  if (done.outcome !== "sent")
    return plan.ofTemplate
      ? { ...done, message: hideTemplateValues({ text: done.message, patch: plan.patches[0]?.body }) }
      : done;
  if (second === undefined || done.whole) return applied(done.object);
  const first = order.requested.provider.parse(done.object);
  if (rollout === undefined || !first.ok) return partial(order, second, "the cluster's answer cannot be read");
  return sendSecond({ ...order, before: rollout, first: first.value, patch: second });
}

type Progress = { sent: Prepared; patches: SentPatch[] };

const answerWords = { ok: "accepted", refused: "refused", unknown: "unknown" } as const;

/** Adds a patch that may have reached the object, with its body in a form that may be stored. */
function noteSent(
  { patches, sent: { plan } }: Progress,
  {
    answer,
    address,
    requested,
    ...patch
  }: Omit<SentPatch, "object" | "answer"> & { answer: PatchAnswer } & Pick<Order, "address" | "requested">,
): void {
  if (answer.kind !== "ok" && answer.kind !== "refused" && answer.kind !== "unknown") return;
  const { kind, name } = plan.target ?? { kind: requested.provider.kind, name: address.name };
  const { subresource, resourceVersion, body } = patch;
  patches.push({ object: `${kind}/${name}`, subresource, resourceVersion, body, answer: answerWords[answer.kind] });
}

type Sent = { outcome: "sent"; object: unknown; whole: boolean };

/** Says nothing about the cluster: it was not asked. */
export const delayedMessage = "Gatehouse was delayed and sent nothing. Try again.";
const uncheckedMessage = "Gatehouse could not check for new freezes and sets, and sent nothing. Try again.";

/** Loops over read, compare and plan while the object changes; `progress` has the plan that is sent. */
async function sendFirst({ progress, ...order }: Order & { progress: Progress }): Promise<Sent | PlanResult> {
  const { requested, seen, protective, intentAt } = order;
  const before = progress.sent.plan;
  for (let attempt = 0; ; attempt += 1) {
    const stopped = await lookAgain(order, attempt);
    if (stopped !== undefined) return stopped;
    if (isTooLate(order)) return attempt === 0 ? refused("unavailable", delayedMessage) : refuseChanged(attempt);
    const done = await sendOnce({ ...order, progress });
    if (done.outcome !== "conflict") return done;
    const maxAttempts = protective ? maxProtectiveRetries : maxRetries;
    if (attempt >= maxAttempts || performance.now() - intentAt > retryForMs) return refuseChanged(attempt + 1);
    await sleep(Math.min(20 * attempt, 200));
    const again = await prepareAgain({ requested, seen, before });
    if ("outcome" in again) return again;
    progress.sent = again;
  }
}

function refuseChanged(attempts: number): Refused {
  return refused("conflict", `The object changed at every attempt (${attempts}). Try again.`);
}

/** Refuses what has been stopped since the intent, if that is a while ago. Unknown is stopped. */
async function lookAgain({ recheck, intentAt }: Order, attempt: number): Promise<Refused | undefined> {
  if (attempt === 0 && performance.now() - intentAt <= recheckAfterMs) return undefined;
  return recheck?.().catch(() => refused("unavailable", uncheckedMessage));
}

async function sendOnce({
  progress,
  ...order
}: Order & { progress: Progress }): Promise<Sent | PlanResult | { outcome: "conflict" }> {
  const { sent: prepared } = progress;
  const { plan } = prepared;
  const [patch] = plan.patches;
  if (patch === undefined) return refused("internal", "The plan has no patch.");
  const { auditId } = order;
  const place = placeOf(order, prepared);
  const answer = await sendPatch({ ...order.requested, ...place, patch, auditId });
  noteSent(progress, { ...order, ...place, ...(plan.shown[0] ?? patch), answer });
  if (answer.kind === "ok") return checkAnswer({ ...order, answer, patch, plan, whole: plan.patches.length === 1 });
  if (answer.kind === "missing" && patch.subresource === "status") return sendToMain({ ...order, progress });
  return answer.kind === "conflict" ? { outcome: "conflict" } : refusalOf(answer);
}

/** Returns the path for the plan's patches, and the version they were made for. */
function placeOf(
  { requested: { provider }, address }: Pick<Order, "requested" | "address">,
  { rollout, plan: { target } }: Prepared,
): { path: string; resourceVersion: string } {
  if (target !== undefined) {
    const { kind, name, resourceVersion } = target;
    const resource = resourceOf(provider.acting, kind);
    return { path: objectPath({ resource, namespace: address.namespace, name }), resourceVersion };
  }
  return {
    path: rolloutPath(provider, address),
    resourceVersion: rollout?.metadata.resourceVersion ?? "",
  };
}

/**
 * Sends everything to the main resource in one patch. Some versions of a kind have no status subresource (Rollouts
 * before 0.10). Unlike Argo's own fallback it keeps the whole status patch: without the step index an accepted result
 * would be measured again.
 */
async function sendToMain({ progress, ...order }: Order & { progress: Progress }): Promise<Sent | PlanResult> {
  const { requested, address, auditId } = order;
  const exists = await fetchRollout({ ...requested, address });
  if (exists.kind !== "found") return refusalOfFetch(exists);
  const { sent: prepared } = progress;
  const { plan } = prepared;
  const merge = (patches: readonly ActionPatch[]): ActionPatch => ({
    subresource: "",
    body: Object.assign({}, ...patches.map(({ body }) => body)),
  });
  const patch = merge(plan.patches);
  const place = placeOf(order, prepared);
  if (isTooLate(order)) return refused("unavailable", delayedMessage);
  const answer = await sendPatch({ ...requested, ...place, patch, auditId });
  noteSent(progress, { ...order, ...place, ...merge(plan.shown), answer });
  if (answer.kind === "ok") return checkAnswer({ ...order, answer, patch, plan, whole: true });
  return answer.kind === "conflict"
    ? refused("conflict", "The rollout changed meanwhile. Try again.")
    : refusalOf(answer);
}

/**
 * Checks the answer. The server may have taken only part of a patch: of spec and status in one patch, or of a pod
 * template.
 */
function checkAnswer({
  requested: { provider },
  answer,
  patch,
  plan,
  whole,
}: Pick<Order, "requested"> & {
  answer: Extract<PatchAnswer, { kind: "ok" }>;
  patch: ActionPatch;
  plan: ActionPlan;
  whole: boolean;
}): Sent | PlanResult {
  const object = typeof answer.object === "object" && answer.object !== null ? answer.object : {};
  if (!("kind" in object) || object.kind !== (plan.target?.kind ?? provider.kind))
    return { outcome: "unknown", patchesDone: 0, message: "The cluster's answer cannot be read." };
  const ignored = findIgnoredField({ asked: patch.body, answered: object });
  if (ignored === undefined) return { outcome: "sent", object, whole };
  if (Object.keys(patch.body).length > 1 || plan.ofTemplate)
    return {
      outcome: "partial",
      message: `The cluster applied the change, but ${ignored} differs from what was requested. Check the object.`,
    };
  return refused("cluster_refused", `The cluster reported success but did not change ${ignored}. Nothing was done.`);
}

async function sendSecond({
  before,
  first,
  patch,
  progress,
  ...order
}: Order & {
  before: DeliveryObject;
  first: DeliveryObject;
  patch: ActionPatch;
  progress: Progress;
}): Promise<PlanResult> {
  const second = patch.subresource;
  const anchor = before.acting.anchorFor(second);
  const { requested, address, auditId } = order;
  const path = rolloutPath(requested.provider, address);
  let rollout = first;
  let sent = patch;
  for (let attempt = 0; ; attempt += 1) {
    const stopped = await lookAgain(order, attempt);
    if (stopped !== undefined) return partial(order, patch, stopped.message);
    if (isTooLate(order)) return partial(order, patch, "Gatehouse was delayed");
    const { resourceVersion } = rollout.metadata;
    const answer = await sendPatch({ ...requested, path, patch: sent, resourceVersion, auditId });
    const { body } = progress.sent.plan.shown[1] ?? patch;
    noteSent(progress, { ...order, resourceVersion, subresource: sent.subresource, body, answer });
    // Versions before 0.10 lack the status subresource: the main resource takes the status, with the same version
    // guard.
    if (answer.kind === "missing" && sent.subresource === "status") {
      sent = { ...patch, subresource: "" };
      continue;
    }
    if (answer.kind === "ok") {
      const ignored = findIgnoredField({ asked: patch.body, answered: answer.object });
      return ignored === undefined
        ? applied(answer.object)
        : partial(order, patch, `the cluster did not change ${ignored}`);
    }
    if (answer.kind === "unknown") return { outcome: "unknown", patchesDone: 1, message: answer.message };
    if (answer.kind !== "conflict" || attempt >= maxRetries || performance.now() - order.intentAt > retryForMs)
      return partial(order, patch, answer.message);
    await sleep(20 * attempt);
    const again = await fetchRollout({ ...requested, address });
    if (again.kind !== "found") return partial(order, patch, refusalOfFetch(again).message);
    if (again.rollout.acting.anchorFor(second) !== anchor)
      return partial(order, patch, "the rollout changed meanwhile");
    rollout = again.rollout;
  }
}

const kept: PlanResult = {
  outcome: "applied",
  message: keptMessage,
  object: undefined,
};

function applied(object: unknown): PlanResult {
  return { outcome: "applied", message: "The cluster accepted it.", object };
}

function partial({ requested: { provider } }: Pick<Order, "requested">, patch: ActionPatch, why: string): PlanResult {
  return { outcome: "partial", message: `Partially applied (${why}). ${provider.acting.describeRest(patch)}` };
}

function refusalOf(answer: Exclude<PatchAnswer, { kind: "ok" | "conflict" }>): PlanResult {
  switch (answer.kind) {
    case "unknown":
      return { outcome: "unknown", patchesDone: 0, message: answer.message };
    case "not-sent":
      return refused("unavailable", `Not sent: ${answer.message}.`);
    case "missing":
      return refused("not_found", "It is gone from the cluster.");
    case "refused":
      return refused("cluster_refused", `The cluster refused it: ${answer.message}`);
  }
}

function refused(code: ProblemCode, message: string): Refused {
  return { outcome: "refused", code, message };
}
