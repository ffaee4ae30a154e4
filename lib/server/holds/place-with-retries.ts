import type { Logger } from "pino";
import type { HeldRollout } from "#lib/server/holds/read-changed-rollouts.ts";

type AnyHold = { rollout: HeldRollout; wanted: { runKey: string; step: number } };

/** Names a hold: one for each rollout, version and step. */
export function keyOf({ rollout, wanted }: AnyHold): string {
  return `${rollout.id} ${wanted.runKey} ${wanted.step}`;
}

/** Results after which nothing has changed, or after which it is not known yet: the hold is tried again. */
const open: ReadonlySet<string> = new Set(["stale", "delayed", "unsettled"]);

/** After a refusal that may pass; each further one doubles it, up to about five minutes. */
const firstAgainMs = 5000;

/**
 * Returns the task that places the holds that changes ask for, and tries again those that could not be placed. It
 * resolves with whether rows are committed that cannot be read yet. A hold that fails keeps no other from its pause.
 */
export function createPlacing<Hold extends AnyHold>({
  log,
  now,
  find,
  findAgain,
  place,
}: {
  log: Logger;
  now: () => number;
  /** Finds the holds that changes since the last call ask for. */
  find: () => Promise<{ holds: Hold[]; hasPending: boolean }>;
  /** Returns those that are still called for, by the newest states, and those of which that is not known now. */
  findAgain: (holds: readonly Hold[]) => Promise<{ again: Hold[]; unknown: readonly Hold[] }>;
  place: (hold: Hold, options: { again: boolean }) => Promise<string>;
}): () => Promise<boolean> {
  /** Holds to try again. Kept only in the process: after its start, none is placed for an earlier change. */
  const delayed = new Map<string, { hold: Hold; tries: number; at: number }>();
  return async () => {
    const due = [...delayed.values()].filter(({ at }) => at <= now());
    const dueHolds = due.map(({ hold }) => hold);
    const { again, unknown } = await findAgain(dueHolds).catch((error: unknown) => {
      log.warn({ error: String(error) }, "the holds to try again could not be read");
      return { again: [], unknown: dueHolds };
    });
    // Last, since it reads each change once: what fails before it loses none.
    const { holds, hasPending } = await find();
    for (const each of due)
      if (unknown.includes(each.hold)) each.at = now() + firstAgainMs;
      else delayed.delete(keyOf(each.hold));
    const triesOf = new Map(due.map(({ hold, tries }) => [keyOf(hold), tries]));
    const all = new Map([...holds, ...again].map((hold) => [keyOf(hold), hold]));
    await Promise.all(
      [...all].map(async ([key, hold]) => {
        const { cluster, namespace, name } = hold.rollout;
        const tries = triesOf.get(key);
        const result = await place(hold, { again: tries !== undefined }).catch((error: unknown) => {
          log.warn({ cluster, namespace, name, error: String(error) }, "a hold could not be placed");
          return "delayed";
        });
        if (!open.has(result)) return;
        const count = (tries ?? 0) + 1;
        delayed.set(key, { hold, tries: count, at: now() + firstAgainMs * 2 ** Math.min(count - 1, 6) });
      }),
    );
    return hasPending;
  };
}
