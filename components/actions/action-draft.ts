import type { ActTarget } from "#components/actions/act-target.ts";
import type { ActionParams } from "#lib/contract/action.ts";
import type { ActionName, AllowedAction } from "#lib/contract/rollout.ts";

/** The tick of break-glass: the action, and the freezes and sets that the dialog showed at that time. */
export type BreakTick = { action: ActionName; blocks: NonNullable<AllowedAction["needs"]["blocks"]> };

/** The input typed into a dialog. */
export type ActionDraft = { reason: string; breaks: BreakTick | undefined; params: ActionParams | undefined };

type Place = { target: Pick<ActTarget, "id" | "subject">; action: ActionName };
type Shelf = Pick<Storage, "getItem" | "setItem" | "removeItem">;

const lifetimeMs = 10 * 60_000;

/**
 * Keeps a dialog's input in this tab, on the way to the identity provider and back. Drafts last ten minutes, since an
 * older one would be a surprise. `shelf` returns the browser's session storage, which may be disabled.
 */
export function createDrafts({ shelf, now }: { shelf: () => Shelf; now: () => number }): {
  keep(place: Place, draft: ActionDraft): void;
  find(place: Place): ActionDraft | undefined;
  drop(place: Place): void;
} {
  const attempt = <Result>(work: (shelf: Shelf) => Result): Result | undefined => {
    try {
      return work(shelf());
    } catch {
      return undefined;
    }
  };
  return {
    keep: (place, draft) => {
      attempt((storage) => storage.setItem(keyOf(place), JSON.stringify({ ...draft, until: now() + lifetimeMs })));
    },
    find: (place) =>
      attempt((storage) => {
        const kept: unknown = JSON.parse(storage.getItem(keyOf(place)) ?? "null");
        return isDraft(kept) && kept.until > now() ? kept : undefined;
      }),
    drop: (place) => {
      attempt((storage) => storage.removeItem(keyOf(place)));
    },
  };
}

export const actionDrafts = createDrafts({ shelf: () => window.sessionStorage, now: () => Date.now() });

function keyOf({ target, action }: Place): string {
  return `gatehouse.draft ${target.id} ${target.subject?.uid ?? ""} ${action}`;
}

/** Returns whether the tick is for this action, and for all that it would override now. */
export function isTicked(breaks: BreakTick | undefined, { action, needs }: Pick<AllowedAction, "action" | "needs">) {
  if (breaks?.action !== action) return false;
  const ticked = new Set(breaks.blocks.map(keyOfBlock));
  return (needs.blocks ?? []).every((block) => ticked.has(keyOfBlock(block)));
}

function keyOfBlock({ kind, id = "", name }: BreakTick["blocks"][number]): string {
  return `${kind} ${id} ${name}`;
}

/** Trusts the stored value's shape: only this file writes drafts. */
function isDraft(kept: unknown): kept is ActionDraft & { until: number } {
  return typeof kept === "object" && kept !== null && "reason" in kept && "until" in kept;
}
