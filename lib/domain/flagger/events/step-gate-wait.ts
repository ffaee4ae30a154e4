import type { ReportedMessage } from "#lib/domain/delivery/reporting.ts";
import type { CanaryHistory } from "#lib/domain/flagger/history/run-memory.ts";
import type { CanaryObject } from "#lib/domain/flagger/objects/canary-object.ts";
import type { FlaggerMessage, MessageKind } from "./flagger-message.ts";
import { parseMessage } from "./parse-message.ts";

/**
 * The weight was raised, or the run began again or came to its end. The start of the analysis is told at every check
 * as long as the weight is 0.
 */
const endsOfWait: readonly MessageKind[] = [
  "weight-advanced",
  "run-started",
  "run-restarted",
  "promotion-started",
  "traffic-to-primary",
  "rollback-threshold",
  "rollback-manual",
  "rollback-deadline",
  "run-failed-rolled-back",
  "run-succeeded",
  "promotion-failed",
  "initialized",
];

/**
 * Finds the refusal of a traffic increase that is still in force: neither the hook's approval nor anything that ends the
 * wait came after it. Flagger repeats the refusal at every check (fluxcd/flagger pkg/controller/scheduler_hooks.go
 * runConfirmTrafficIncreaseHooks): `at` is the first since the last step. Takes the newest messages in order; of an
 * older run's none counts, even if the one that ended its wait was lost.
 */
export function findStepGateWait(
  canary: Pick<CanaryObject, "status">,
  messages: readonly Pick<ReportedMessage, "at" | "text">[],
): CanaryHistory["stepGateWait"] {
  if (canary.status.phase !== "Progressing") return undefined;
  const since = readStart(canary);
  let wait: CanaryHistory["stepGateWait"];
  // Whether a message says when the wait began at the earliest. At weight 0 each check tells other things first.
  let isBounded = false;
  for (const { at, text } of messages) {
    if (since !== undefined && Date.parse(at) < since) {
      isBounded = true;
      continue;
    }
    const message = parseMessage(text);
    if (isStepGate(message, "gate-waiting"))
      wait = { hook: message.hookName, at: wait?.at ?? at, isCut: wait?.isCut ?? !isBounded };
    else if (endsOfWait.includes(message.kind) || isPassOf(message, wait)) {
      wait = undefined;
      isBounded = true;
    }
  }
  return wait;
}

function isPassOf(message: FlaggerMessage, wait: CanaryHistory["stepGateWait"]): boolean {
  return wait !== undefined && isStepGate(message, "gate-passed") && message.hookName === wait.hook;
}

function isStepGate<Kind extends "gate-waiting" | "gate-passed">(
  message: FlaggerMessage,
  kind: Kind,
): message is Extract<FlaggerMessage, { kind: Kind }> {
  return message.kind === kind && "gate" in message && message.gate === "confirm-traffic-increase";
}

/** Returns since when Flagger analyses, in milliseconds since 1970 by its own clock; undefined if it does not say. */
function readStart({ status }: Pick<CanaryObject, "status">): number | undefined {
  const promoted = status.conditions.find(({ type }) => type === "Promoted");
  if (promoted === undefined || promoted.reason !== status.phase) return undefined;
  const at = Date.parse(promoted.lastUpdateTime ?? promoted.lastTransitionTime ?? "");
  return Number.isNaN(at) ? undefined : at;
}
