import type { ActionName } from "#lib/contract/rollout.ts";

/** An action that was accepted and has no visible effect yet. */
export type FollowedAction = {
  id: string;
  action: ActionName;
  label: string;
  /** Of the rollout, run or Experiment that it targets. */
  name: string;
  auditSeq: number;
};

let followed: readonly FollowedAction[] = [];
const listeners = new Set<() => void>();

function replace(next: readonly FollowedAction[]): void {
  followed = next;
  for (const listener of listeners) listener();
}

/** A store outside React: the toast outlives the dialog and the page that started the action. */
export const followedActions = {
  add(action: FollowedAction): void {
    if (!followed.some(({ id }) => id === action.id)) replace([...followed, action]);
  },
  remove(id: string): void {
    replace(followed.filter((action) => action.id !== id));
  },
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  snapshot: (): readonly FollowedAction[] => followed,
};
