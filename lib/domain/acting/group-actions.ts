import { entryOf, type RolloutActionName } from "#lib/domain/acting/action-catalogue.ts";
import { formatCount } from "#lib/util/words.ts";

/**
 * The actions that can be requested for many rollouts at once, as they are offered. Those that need parameters, skip
 * steps or waive a result are requested one by one.
 */
export const groupActions = [
  "continue",
  "accept-step",
  "measure-again",
  "promote-full",
  "unpause",
  "retry",
  "approve",
  "unsuspend",
  "pause",
  "abort",
  "hold",
  "suspend",
  "rollback",
] as const satisfies readonly RolloutActionName[];
export type GroupAction = (typeof groupActions)[number];

/** The code of the audit entry of one such request. */
export const groupCode = "action.group";

/** The states of members that were carried out. */
export const doneStates = ["applied", "effective", "not-effective", "partial"] as const;

/** Rollouts in one request. */
export const mostMembers = 500;

export type GroupTally = { action: GroupAction; of: string | undefined; total: number; done: number; open: number };

/** Returns "aborted 12 of 14 of v2.31.0"; while some are open, "asked to abort 14 of v2.31.0, 5 done". */
export function formatGroupSentence({ action, of, total, done, open }: GroupTally): string {
  const { did, toDo } = entryOf(action);
  const named = of === undefined ? (total === 1 ? " rollout" : " rollouts") : ` of ${of}`;
  if (open > 0) return `asked to ${toDo} ${formatCount(total)}${named}, ${formatCount(done)} done`;
  return `${did} ${formatCount(done)} of ${formatCount(total)}${named}`;
}
