import { formatClock } from "#components/ui/format-time.ts";
import { nameWithUsername } from "#lib/client/describe-approval.ts";
import type { ScheduledAction } from "#lib/contract/scheduled-action.ts";
import { entryOf } from "#lib/domain/acting/action-catalogue.ts";

/** Returns "Continue at 09:00 by operator". */
export function describeScheduled(
  { action, dueAt, requestedBy, requestedByUsername }: ScheduledAction,
  nowMs: number,
): string {
  const who = nameWithUsername(requestedBy, requestedByUsername);
  return `${entryOf(action).label} at ${formatClock(Date.parse(dueAt), nowMs)} by ${who}`;
}

/** Returns whether it is still to be done, or being done. */
export function isToCome({ state }: Pick<ScheduledAction, "state">): boolean {
  return state === "pending" || state === "running";
}
