import type { UnaskedChange } from "./find-unasked-changes.ts";

/** An action of ours that was sent, or may have been. */
export type SentAction = {
  id: string;
  action: string;
  /** Milliseconds since 1970, by the database's clock. */
  requestedAt: number;
  /** Whether its patches also lift `spec.paused`. */
  unpauses: boolean;
};

/** `id action`: one effect of one action explains one change. */
export type Explained = string;

/** The clocks of recorder and database may differ by so much. */
const toleranceMs = 60_000;
/** An action's effect is observed at once, or when the recorder is back. */
const withinMs = 15 * 60_000;

/** Takes out what an action of ours did. An action explains each of its effects once: what comes again is another's. */
export function explainChanges({
  changes,
  observedAt,
  actions,
  explained,
}: {
  changes: readonly UnaskedChange[];
  observedAt: number;
  actions: readonly SentAction[];
  explained: readonly Explained[];
}): { unasked: UnaskedChange[]; explained: Explained[] } {
  const used = new Set(explained);
  const unasked = changes.filter(({ action: change }) => {
    const cause = actions
      .filter((action) => doesIt(action, change))
      .filter(({ requestedAt }) => isInTime({ requestedAt, observedAt }))
      .find(({ id }) => !used.has(`${id} ${change}`));
    if (cause === undefined) return true;
    used.add(`${cause.id} ${change}`);
    return false;
  });
  return { unasked, explained: [...used] };
}

function isInTime({ requestedAt, observedAt }: { requestedAt: number; observedAt: number }): boolean {
  return requestedAt <= observedAt + toleranceMs && requestedAt >= observedAt - withinMs;
}

/** Whether something that was asked for at one of these times can be what was observed. */
export function isExplainedInTime({
  askedAt,
  observedAt,
}: {
  askedAt: readonly number[];
  observedAt: number;
}): boolean {
  return askedAt.some((requestedAt) => isInTime({ requestedAt, observedAt }));
}

/** An image that is set back makes a template that was there before, which looks like an undo. */
function doesIt({ action, unpauses }: SentAction, change: UnaskedChange["action"]): boolean {
  return action === change || (unpauses && change === "unpause") || (action === "set-image" && change === "undo");
}
