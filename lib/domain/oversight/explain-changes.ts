import { findEntry } from "#lib/domain/acting/action-catalogue.ts";
import type { UnaskedChange } from "#lib/domain/oversight/unasked-change.ts";

/** An action of ours that was sent, or may have been. */
export type SentAction = {
  id: string;
  action: string;
  /** Milliseconds since 1970, by the database's clock. */
  requestedAt: number;
  /** Whether its patches also lift `spec.paused`. */
  unpauses: boolean;
  /** When its effect was seen; null where it was not, or not yet. */
  effectiveAt: number | null;
  /** Whether its effect is still waited for. */
  isOpen: boolean;
  /** It had no effect by its deadline, and may still take effect hours later. */
  isWatched?: boolean;
};

/** `id effect`: one effect of one action explains one change. */
export type Explained = string;

/** The clocks of recorder and database may differ by so much. */
const toleranceMs = 60_000;
/** How long after the request its effect may still come, while the recorder watches. */
const withinMs = 15 * 60_000;

/**
 * Takes out what an action of ours did. An action explains each of its effects once: what comes again is another's.
 * `previousAt` is when the rollout was last seen to change before: where nobody watched in between, an action of that
 * time whose effect was not seen yet explains it too. Once the effect was seen, nothing that follows is explained by it.
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

/** Whether it was asked for by then, as far as two clocks can tell. */
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
  // Read in the cluster itself, an effect may be known long before a watch that hangs shows it as the next change.
  if (effectiveAt !== null) return observedAt <= effectiveAt + toleranceMs || requestedAt >= previousAt;
  return isWatched || requestedAt >= (isOpen ? previousAt : observedAt) - withinMs;
}

/** The effect of the action that such a change would be; undefined where it has none. */
function effectOf({ action, unpauses }: SentAction, change: UnaskedChange["action"]): string | undefined {
  if (takesFurther(change) && takesFurther(action)) return "going-on";
  // Seen as its flag, or, where that came and went unseen, as what it skipped: never as both.
  if (takesFurther(change) && action === "promote-full") return action;
  // An image that is set back makes a template that was there before, which looks like an undo.
  if (change === "undo" && action === "set-image") return change;
  return action === change || (unpauses && change === "unpause") ? change : undefined;
}

function takesFurther(action: string): boolean {
  return findEntry(action)?.takesFurther === true;
}
