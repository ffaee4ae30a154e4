import { setTimeout as sleep } from "node:timers/promises";
import type { ProblemCode } from "#lib/contract/problem.ts";
import { anchorOf, assessView, isSameAnchor, type SeenView } from "#lib/domain/argo/guard-view.ts";
import { actionRules } from "#lib/domain/argo/list-allowed-actions.ts";
import { planAction } from "#lib/domain/argo/plan-action.ts";
import type { ActionPatch, ActionPlan, PlannedActionName } from "#lib/domain/argo/plan-types.ts";
import { parseRollout, type RolloutObject } from "#lib/domain/argo/rollout-object.ts";
import { findIgnoredField } from "#lib/server/acting/find-ignored-field.ts";
import {
  type FetchedRollout,
  fetchRollout,
  type PatchAnswer,
  type RolloutAddress,
  sendRolloutPatch,
} from "#lib/server/acting/rollout-api.ts";
import type { ClusterClient, ClusterIdentity } from "#lib/server/kubernetes/cluster-client-types.ts";

export type Carried =
  | { outcome: "applied"; message: string }
  | { outcome: "partial"; message: string }
  | { outcome: "unknown"; message: string; patchesDone: number }
  /** Nothing was changed. `stale` carries the object as it is now. */
  | { outcome: "refused"; code: ProblemCode; message: string; stale?: RolloutObject };

type Order = {
  client: ClusterClient;
  address: RolloutAddress;
  as: ClusterIdentity;
  action: PlannedActionName;
  seen: SeenView;
  /** On the clock of `performance.now()`, from before the intent was written. */
  intentAt: number;
};

const maxRetries = 5;
const maxProtectiveRetries = 20;
/** A slow storm of conflicts ends here, well before the recorder takes the intent for an orphan and reads it back. */
const retryForMs = 20_000;
/** A process that was stopped after its intent sends nothing any more: the recorder may have called it refused by then. */
const firstSendWithinMs = 40_000;

/**
 * Sends the patches of a plan as the user. A conflict is read again and, if the person's view still holds, sent again;
 * whatever gives no proof ends as unknown and is never repeated. Half done ends as partial.
 */
export async function carryOutPlan({
  rollout,
  plan,
  ...order
}: Order & { rollout: RolloutObject; plan: ActionPlan }): Promise<Carried> {
  const [first, second] = plan.patches;
  if (first === undefined) return { outcome: "refused", code: "internal", message: "The plan has no patch." };
  const done = await sendFirst({ ...order, rollout, patches: plan.patches });
  if (done.outcome !== "sent") return done;
  if (second === undefined || done.whole) return { outcome: "applied", message: "The cluster took it." };
  return sendSecond({ ...order, before: rollout, first: done.object, patch: second });
}

type Sent = { outcome: "sent"; object: RolloutObject; whole: boolean };

async function sendFirst({
  rollout: seenRollout,
  patches,
  ...order
}: Order & { rollout: RolloutObject; patches: ActionPatch[] }): Promise<Sent | Carried> {
  const { protective } = actionRules[order.action];
  let rollout = seenRollout;
  let queue = patches;
  for (let attempt = 0; ; attempt += 1) {
    const [patch] = queue;
    if (patch === undefined) return { outcome: "refused", code: "internal", message: "The plan has no patch." };
    if (attempt === 0 && performance.now() - order.intentAt > firstSendWithinMs)
      return {
        outcome: "refused",
        code: "unavailable",
        message: "Gatehouse was held up: nothing was sent. Try again.",
      };
    const answer = await sendRolloutPatch({ ...order, patch, resourceVersion: rollout.metadata.resourceVersion });
    if (answer.kind === "ok") return checkAnswer({ answer, patch, whole: queue.length === 1 });
    if (answer.kind === "missing" && patch.subresource === "status")
      return sendToMain({ ...order, rollout, patches: queue });
    if (answer.kind !== "conflict") return refusalOf(answer);
    if (attempt >= (protective ? maxProtectiveRetries : maxRetries) || performance.now() - order.intentAt > retryForMs)
      return {
        outcome: "refused",
        code: "conflict",
        message: `The rollout changed at every attempt (${attempt + 1}). Try again.`,
      };
    await sleep(Math.min(20 * attempt, 200));
    const again = await fetchRollout(order);
    if (again.kind !== "found") return refusalOfFetch(again);
    const view = assessView({ rollout: again.rollout, seen: order.seen, protective });
    if (!view.current) return { outcome: "refused", code: "stale_view", message: staleMessage, stale: again.rollout };
    const replanned = planAction({ action: order.action, rollout: again.rollout, now: new Date() });
    if (replanned.kind === "refused") return { outcome: "refused", code: "not_allowed_now", message: replanned.reason };
    rollout = again.rollout;
    queue = replanned.patches;
  }
}

export const staleMessage = "The rollout changed since you looked at it. Look at what changed, then decide again.";

/**
 * Rollouts of controllers before 0.10 have no status subresource: everything goes to the main resource in one patch.
 * Unlike upstream's fallback it keeps the step index, for without it an accepted result would be measured again.
 */
async function sendToMain({
  rollout,
  patches,
  ...order
}: Order & { rollout: RolloutObject; patches: ActionPatch[] }): Promise<Sent | Carried> {
  const exists = await fetchRollout(order);
  if (exists.kind !== "found") return refusalOfFetch(exists);
  const patch: ActionPatch = { subresource: "", body: Object.assign({}, ...patches.map(({ body }) => body)) };
  const answer = await sendRolloutPatch({ ...order, patch, resourceVersion: rollout.metadata.resourceVersion });
  if (answer.kind === "ok") return checkAnswer({ answer, patch, whole: true });
  return answer.kind === "conflict"
    ? { outcome: "refused", code: "conflict", message: "The rollout changed meanwhile. Try again." }
    : refusalOf(answer);
}

function checkAnswer({
  answer,
  patch,
  whole,
}: {
  answer: Extract<PatchAnswer, { kind: "ok" }>;
  patch: ActionPatch;
  whole: boolean;
}): Sent | Carried {
  const parsed = parseRollout(answer.object);
  if (!parsed.ok)
    return { outcome: "unknown", patchesDone: 0, message: `The cluster's answer cannot be read: ${parsed.reason}.` };
  const ignored = findIgnoredField({ asked: patch.body, answered: answer.object });
  // Only the fallback puts spec and status into one patch, of which a server may take half.
  if (ignored !== undefined && Object.keys(patch.body).length > 1)
    return partial(patch, `the cluster left ${ignored} as it was`);
  if (ignored !== undefined)
    return {
      outcome: "refused",
      code: "cluster_refused",
      message: `The cluster answered that all is well but left ${ignored} as it was. Nothing was done.`,
    };
  return { outcome: "sent", object: parsed.value, whole };
}

async function sendSecond({
  before,
  first,
  patch,
  ...order
}: Order & { before: RolloutObject; first: RolloutObject; patch: ActionPatch }): Promise<Carried> {
  const anchor = anchorOf(before);
  let rollout = first;
  for (let attempt = 0; ; attempt += 1) {
    const answer = await sendRolloutPatch({ ...order, patch, resourceVersion: rollout.metadata.resourceVersion });
    if (answer.kind === "ok") {
      const ignored = findIgnoredField({ asked: patch.body, answered: answer.object });
      return ignored === undefined
        ? { outcome: "applied", message: "The cluster took it." }
        : partial(patch, `the cluster left ${ignored} as it was`);
    }
    if (answer.kind === "unknown") return { outcome: "unknown", patchesDone: 1, message: answer.message };
    if (answer.kind !== "conflict" || attempt >= maxRetries || performance.now() - order.intentAt > retryForMs)
      return partial(patch, answer.message);
    await sleep(20 * attempt);
    const again = await fetchRollout(order);
    if (again.kind !== "found") return partial(patch, refusalOfFetch(again).message);
    if (!isSameAnchor(anchor, anchorOf(again.rollout))) return partial(patch, "the rollout changed meanwhile");
    rollout = again.rollout;
  }
}

function partial(patch: ActionPatch, why: string): Carried {
  const remains = JSON.stringify(patch.body);
  return { outcome: "partial", message: `Half done; to be checked and finished: ${remains} (${why}).` };
}

function refusalOf(answer: Exclude<PatchAnswer, { kind: "ok" | "conflict" }>): Carried {
  switch (answer.kind) {
    case "unknown":
      return { outcome: "unknown", patchesDone: 0, message: answer.message };
    case "not-sent":
      return { outcome: "refused", code: "unavailable", message: `Not sent: ${answer.message}.` };
    case "missing":
      return { outcome: "refused", code: "not_found", message: "The rollout is gone from the cluster." };
    case "refused":
      return { outcome: "refused", code: "cluster_refused", message: `The cluster refused it: ${answer.message}` };
  }
}

export function refusalOfFetch(
  fetched: Exclude<FetchedRollout, { kind: "found" }>,
): Extract<Carried, { outcome: "refused" }> {
  switch (fetched.kind) {
    case "missing":
      return { outcome: "refused", code: "not_found", message: "The cluster has no such rollout any more." };
    case "refused":
      return { outcome: "refused", code: "cluster_refused", message: `The cluster refused it: ${fetched.message}` };
    case "unusable":
      return {
        outcome: "refused",
        code: "not_allowed_now",
        message: `The cluster's object cannot be read, so nothing can be decided on it: ${fetched.message}.`,
      };
    case "unreachable":
      return { outcome: "refused", code: "unavailable", message: `The rollout could not be read: ${fetched.message}.` };
  }
}
