import type { MessageKind } from "#lib/domain/flagger/events/flagger-message.ts";
import { isNear, type RunMessage } from "./run-message.ts";

const failedChecks: readonly MessageKind[] = [
  "halt-metric",
  "halt-no-values",
  "metric-query-error",
  "metric-config-error",
  "halt-hook",
];
const ends: readonly MessageKind[] = ["run-failed-rolled-back", "promotion-failed"];
const decisive: readonly MessageKind[] = [
  ...failedChecks,
  "rollback-manual",
  "rollback-deadline",
  "workload-not-ready",
];

/**
 * Finds the message that says why a run failed: the last decisive one before "Canary failed!", which says nothing
 * itself, or the failed promotion (Flagger 1.44.0 and later). If all failed checks were lost, the one that counts them.
 * Undefined if nothing tells. Takes the messages of one run, in order.
 */
export function findCause(messages: readonly RunMessage[]): RunMessage | undefined {
  const end = messages.findIndex(({ message }) => ends.includes(message.kind));
  const ended = messages[end];
  if (ended?.message.kind === "promotion-failed") return ended;
  const before = end === -1 ? messages : messages.slice(0, end);
  const announced = before.findLastIndex(({ message }) => message.kind === "rollback-threshold");
  const threshold = before[announced];
  if (threshold === undefined) return before.findLast(({ message }) => decisive.includes(message.kind));
  // Flagger announces the threshold at every rollback once it is reached, whatever called for the rollback.
  const caller = before.slice(0, announced).findLast((each) => decisive.includes(each.message.kind));
  if (caller !== undefined && isRollbackCall(caller, threshold)) return caller;
  return before.slice(0, announced).findLast(({ message }) => failedChecks.includes(message.kind)) ?? threshold;
}

/** Returns whether a message is what led to a rollback, in the tick of its announcement. */
function isRollbackCall(caller: RunMessage, announced: RunMessage): boolean {
  const { message } = caller;
  if (message.kind === "rollback-manual" || message.kind === "rollback-deadline") return isNear(caller, announced);
  return message.kind === "workload-not-ready" && (message.retriableFromMessage === false || isNear(caller, announced));
}
