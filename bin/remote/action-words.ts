import { actionCatalogue, actionNames } from "#lib/domain/acting/action-catalogue.ts";

type ActionName = (typeof actionNames)[number];

/** Words that answer any wait of a rollout: each stands for the first of its actions that is allowed. */
const aliases: Readonly<Record<string, readonly ActionName[]>> = {
  accept: ["accept-step", "continue-waive", "continue", "approve"],
  promote: ["continue", "approve"],
};

/** The actions on a rollout, as words of the command line. */
const ofRollouts = actionNames.filter((name) => !("subjectOnly" in actionCatalogue[name]));

/** Every word that `gatehouse WORD NAME` takes. */
export const actionWords: readonly string[] = [...Object.keys(aliases), ...ofRollouts];

export function isActionWord(word: string): boolean {
  return actionWords.includes(word);
}

/** Returns the actions that a word stands for, the most fitting first. */
export function namedBy(word: string): readonly string[] {
  return (Object.hasOwn(aliases, word) ? aliases[word] : undefined) ?? [word];
}
