import type { MemberSet } from "#lib/domain/acting/barrier.ts";
import type { ObjectRef } from "#lib/domain/delivery/object-ref.ts";
import { isInScope } from "#lib/domain/policy/rights.ts";
import { readTogether } from "#lib/server/acting/permission/read-barriers.ts";
import { createAbortsPlace, followSetAborts } from "#lib/server/holds/follow-set-aborts.ts";
import { liftBarrierHolds } from "#lib/server/holds/lift-barrier-holds.ts";
import {
  type BarrierHoldToPlace,
  findBarrierHolds,
  findHoldsAgain,
  keyOf,
  placeBarrierHold,
} from "#lib/server/holds/place-barrier-hold.ts";
import { type HeldBackPlace, publishHeldBack } from "#lib/server/holds/publish-held-back.ts";
import { type HoldPlace, readChangedRollouts } from "#lib/server/holds/read-changed-rollouts.ts";
import type { Runtime } from "#lib/server/process/runtime-types.ts";

/** Keeps members of a set at their timed pauses until all have reached theirs, and aborts them together. */
export type BarrierTasks = {
  /** Places the holds that changes ask for. Resolves with whether rows are committed that cannot be read yet. */
  place(): Promise<boolean>;
  /** Lifts the holds that are not needed any more. */
  lift(): Promise<void>;
  /**
   * Tells pages when a set begins or ceases to hold a member back, and aborts with a member the others of its set. Reads
   * the sets of what has changed, and all once a while has passed. `finished` resolves once all have ended;
   * `hasPending`: rows are committed that cannot be read yet.
   */
  watch(): Promise<{ hasPending: boolean; finished: Promise<unknown> }>;
};

/** A source that becomes stale changes no rollout. */
const unchangedMs = 5000;

/** After a refusal that may pass; each further one doubles it, up to about five minutes. */
const firstAgainMs = 5000;

export function createBarrierTasks(
  runtime: Runtime,
  { readEveryMs = unchangedMs, now = () => performance.now() } = {},
): BarrierTasks {
  const { log } = runtime;
  const place: HoldPlace = { cursor: undefined };
  /** Holds to try again. Kept only in the process: after its start, none is placed for an earlier change. */
  const delayed = new Map<string, { hold: BarrierHoldToPlace; tries: number; at: number }>();
  const watched: HoldPlace = { cursor: undefined };
  const aborts = createAbortsPlace();
  const held: HeldBackPlace = { bySet: new Map() };
  let watchedAt = Number.NEGATIVE_INFINITY;
  return {
    async place() {
      const due = [...delayed.values()].filter(({ at }) => at <= now());
      const dueHolds = due.map(({ hold }) => hold);
      const { again, unknown } = await findHoldsAgain(runtime, dueHolds).catch((error: unknown) => {
        log.warn({ error: String(error) }, "the holds to try again could not be read");
        return { again: [], unknown: dueHolds };
      });
      // Last, since it reads each change once: what fails before it loses none.
      const { holds, hasPending } = await findBarrierHolds({ runtime, place });
      for (const each of due)
        if (unknown.includes(each.hold)) each.at = now() + firstAgainMs;
        else delayed.delete(keyOf(each.hold));
      const triesOf = new Map(due.map(({ hold, tries }) => [keyOf(hold), tries]));
      const all = new Map([...holds, ...again].map((hold) => [keyOf(hold), hold]));
      await Promise.all(
        [...all].map(async ([key, hold]) => {
          const { rollout, wanted } = hold;
          const { cluster, namespace, name } = rollout;
          const tries = triesOf.get(key);
          const result = await placeBarrierHold({ runtime, rollout, wanted, again: tries !== undefined }).catch(
            (error: unknown) => {
              log.warn({ cluster, namespace, name, error: String(error) }, "a hold for a set could not be placed");
              return "delayed" as const;
            },
          );
          if (result !== "repeated" && result !== "unsettled")
            log.info({ cluster, namespace, name, ...wanted, result }, "a timed pause waits for its set");
          if (result === "stale" || result === "delayed" || result === "unsettled") {
            const count = (tries ?? 0) + 1;
            delayed.set(key, { hold, tries: count, at: now() + firstAgainMs * 2 ** Math.min(count - 1, 6) });
          }
        }),
      );
      return hasPending;
    },
    async lift() {
      await liftBarrierHolds({
        runtime,
        onError: (error, at) => log.warn({ ...at, error: String(error) }, "the hold for a set could not be looked at"),
      });
    },
    async watch() {
      const { pool } = runtime;
      const { sets: configured } = runtime.config().config;
      const all: MemberSet[] = configured.filter(({ together }) => together);
      const isWanted = (target: ObjectRef) => all.some((set) => isInScope(set, target));
      const { rows, hasPending, advance } = await readChangedRollouts({ pool, place: watched, isWanted });
      const isDue = now() - watchedAt >= readEveryMs;
      const sets = isDue ? all : all.filter((set) => rows.some((row) => isInScope(set, row)));
      if (sets.length === 0) {
        advance();
        return { hasPending, finished: Promise.resolve() };
      }
      if (isDue) watchedAt = now();
      const members = [...(await readTogether({ pool, all: configured, sets })).values()];
      // First, since aborts are urgent. Pages are told whether or not they could be asked for.
      const { finished } = await followSetAborts({ runtime, place: aborts, sets, members }).finally(() =>
        publishHeldBack({ pool, place: held, all, sets, members, changed: rows }).catch((error: unknown) =>
          log.warn({ error: String(error) }, "pages could not be told which members a set holds back"),
        ),
      );
      advance();
      return { hasPending, finished };
    },
  };
}
