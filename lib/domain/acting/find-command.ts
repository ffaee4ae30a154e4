import { entryOf, type RolloutActionName, rolloutActions } from "#lib/domain/acting/action-catalogue.ts";

export type Command = {
  /** The actions that the first words may mean. */
  actions: RolloutActionName[];
  /** The words after them, which name a rollout. */
  rest: string;
};

/** Returns the names of an action: its label, and for an undo also the word of the plugin. */
function namesOf(action: RolloutActionName): string[] {
  const { label } = entryOf(action);
  return action === "undo" ? [label, "Undo"] : [label];
}

/** Labels have so many words at most. */
const mostWords = Math.max(...rolloutActions.map((action) => entryOf(action).label.split(" ").length));

/**
 * Reads words such as "abort checkout" or "promote fully payments/checkout". The first word must be an action's first
 * word in full. Returns undefined if there is no such action, or if no words follow.
 */
export function findCommand(query: string): Command | undefined {
  const words = query.trim().split(/\s+/);
  for (let count = Math.min(words.length - 1, mostWords); count > 0; count--) {
    const said = words.slice(0, count).join(" ").toLowerCase();
    const actions = rolloutActions.filter((action) =>
      namesOf(action).some((name) => `${name.toLowerCase()} `.startsWith(`${said} `)),
    );
    if (actions.length > 0) return { actions, rest: words.slice(count).join(" ") };
  }
  return undefined;
}
