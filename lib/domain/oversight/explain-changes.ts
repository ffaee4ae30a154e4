import { findEntry } from "#lib/domain/acting/action-catalogue.ts";
import type { UnaskedChange } from "#lib/domain/oversight/provider-reports.ts";

/** An action of ours that was sent, or may have been sent. */
export type SentAction = {
  id: string;
  action: string;
  /** Milliseconds since 1970, by the database's clock. */
  requestedAt: number;
  /** Whether its patches also lift `spec.paused`. */
  unpauses: boolean;
  /** When its effect was seen; null if it has not been seen (yet). */
  effectiveAt: number | null;
  /** Whether we still wait for its effect. */
  isOpen: boolean;
  /** It had no effect by its deadline, but may still take effect hours later. */
  isWatched?: boolean;
};

/** `id effect`: one effect of one action explains one change. */
export type Explained = string;

/** How far the clocks of the recorder and the database may differ. */
const toleranceMs = 60_000;
/** How long after the request its effect may still come while the recorder watches. */
const withinMs = 15 * 60_000;

/**
 * Removes the changes that our actions caused. An action explains each of its effects once; if the same change comes
 * again, another client made it. `previousAt` is when the rollout was last seen to change before this. If the rollout
 * was not watched in between, an action of that time with an unseen effect explains the change too. Once its effect was
 * seen, an action explains no later change.
 */
export function explainChanges({
  changes,
  observedAt,
  previousAt,
  actions,
  explained,
}: {
  changes: readonly UnaskedChange[];
  observedAt: number;
  previousAt: number;
  actions: readonly SentAction[];
  explained: readonly Explained[];
}): { unasked: UnaskedChange[]; explained: Explained[] } {
  const used = new Set(explained);
  const unasked = changes.filter(({ action: change }) => {
    const causes = actions
      .filter((action) => wasAskedBy(action.requestedAt, observedAt))
      .filter((action) => isRecent({ action, observedAt, previousAt }))
      .flatMap((action) => {
        const effect = effectOf(action, change);
        return effect === undefined ? [] : [{ key: `${action.id} ${effect}`, isExact: action.action === change }];
      })
      .filter(({ key }) => !used.has(key));
    const cause = causes.find(({ isExact }) => isExact) ?? causes[0];
    if (cause === undefined) return true;
    used.add(cause.key);
    return false;
  });
  return { unasked, explained: [...used] };
}

/** Returns whether the action was requested by then, as far as two clocks can tell. */
export function wasAskedBy(requestedAt: number, observedAt: number): boolean {
  return requestedAt <= observedAt + toleranceMs;
}

function isRecent({
  action: { requestedAt, effectiveAt, isOpen, isWatched = false },
  observedAt,
  previousAt,
}: {
  action: SentAction;
  observedAt: number;
  previousAt: number;
}): boolean {
  // The effect was read in the cluster itself, perhaps long before a watch that hangs reports it as the next change.
  if (effectiveAt !== null) return observedAt <= effectiveAt + toleranceMs || requestedAt >= previousAt;
  return isWatched || requestedAt >= (isOpen ? previousAt : observedAt) - withinMs;
}

/** Returns which effect of the action explains such a change; undefined if none does. */
function effectOf({ action, unpauses }: SentAction, change: UnaskedChange["action"]): string | undefined {
  if (takesFurther(change) && takesFurther(action)) return "going-on";
  // Seen as its flag or, if the flag came and went unseen, as the steps that it skipped: never as both.
  if (takesFurther(change) && action === "promote-full") return action;
  // Setting an image back recreates an earlier template, which looks like an undo.
  if (change === "undo" && action === "set-image") return change;
  return action === change || (unpauses && change === "unpause") ? change : undefined;
}

function takesFurther(action: string): boolean {
  return findEntry(action)?.takesFurther === true;
}
