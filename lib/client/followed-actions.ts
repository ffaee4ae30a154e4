import type { ActionName } from "#lib/contract/rollout.ts";

/** An action that was accepted and has no visible effect yet. */
export type FollowedAction = {
  id: string;
  action: ActionName;
  label: string;
  /** Of the rollout, run or Experiment that it targets. */
  name: string;
  /** Unknown until the action is read, if it was taken by accepting a proposal. */
  auditSeq?: number;
};

type FollowedActions = {
  add(action: FollowedAction): void;
  remove(id: string): void;
  subscribe(listener: () => void): () => void;
  snapshot(): readonly FollowedAction[];
};

const key = "gatehouse.followed";

/**
 * Keeps the actions that this tab follows, outside React and over a reload: the toast outlives the dialog and the page
 * that started the action. `shelf` returns the browser's session storage, which may be disabled.
 */
export function createFollowedActions(shelf: () => Pick<Storage, "getItem" | "setItem">): FollowedActions {
  let followed: readonly FollowedAction[] | undefined;
  const listeners = new Set<() => void>();

  function read(): readonly FollowedAction[] {
    try {
      const kept: unknown = JSON.parse(shelf().getItem(key) ?? "[]");
      return Array.isArray(kept) ? kept : [];
    } catch {
      return [];
    }
  }

  // The same list until it changes, as React asks of a snapshot.
  const snapshot = (): readonly FollowedAction[] => {
    followed ??= read();
    return followed;
  };

  function replace(next: readonly FollowedAction[]): void {
    followed = next;
    try {
      shelf().setItem(key, JSON.stringify(next));
    } catch {
      // Followed until the page is reloaded.
    }
    for (const listener of listeners) listener();
  }

  return {
    add(action) {
      if (!snapshot().some(({ id }) => id === action.id)) replace([...snapshot(), action]);
    },
    remove(id) {
      replace(snapshot().filter((action) => action.id !== id));
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    snapshot,
  };
}

export const followedActions = createFollowedActions(() => window.sessionStorage);
