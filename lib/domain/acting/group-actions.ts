import { entryOf, type RolloutActionName } from "#lib/domain/acting/action-catalogue.ts";
import { cleanLine } from "#lib/util/text.ts";
import { formatCount } from "#lib/util/words.ts";

/**
 * The actions that can be requested for many rollouts at once, in the order of the buttons. They need no parameters. The
 * plan of each rollout says which steps it skips and which results it waives.
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

/** Members in these states were carried out. Those in `not-effective` and `partial` are counted apart. */
export const doneStates = ["applied", "effective"] as const;

/** Rollouts in one request. */
export const mostMembers = 500;

/** How many members there are in all, and in some states. */
export type GroupTally = { total: number; done: number; open: number; idle: number; partial: number };

/**
 * Returns `aborted 12 of 14 of "v2.31.0"`; while some are open, `asked to abort 14 of "v2.31.0", 5 done`. What the
 * rollouts have in common is free text of the request, hence the quotes.
 */
export function formatGroupSentence({
  action,
  of,
  total,
  done,
  open,
  idle,
  partial,
}: GroupTally & { action: GroupAction; of: string | undefined }): string {
  const { did, toDo } = entryOf(action);
  const named =
    of === undefined ? (total === 1 ? " rollout" : " rollouts") : ` of "${cleanLine(of).replaceAll('"', "'")}"`;
  const rest =
    (idle === 0 ? "" : `, no known effect in ${formatCount(idle)}`) +
    (partial === 0 ? "" : `, partly in ${formatCount(partial)}`);
  if (open > 0) return `asked to ${toDo} ${formatCount(total)}${named}, ${formatCount(done)} done${rest}`;
  return `${did} ${formatCount(done)} of ${formatCount(total)}${named}${rest}`;
}
