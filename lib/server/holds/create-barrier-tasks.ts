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
  placeBarrierHold,
} from "#lib/server/holds/place-barrier-hold.ts";
import { createPlacing } from "#lib/server/holds/place-with-retries.ts";
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

export function createBarrierTasks(
  runtime: Runtime,
  { readEveryMs = unchangedMs, now = () => performance.now() } = {},
): BarrierTasks {
  const { log } = runtime;
  const changed: HoldPlace = { cursor: undefined };
  const place = createPlacing<BarrierHoldToPlace>({
    log,
    now,
    find: () => findBarrierHolds({ runtime, place: changed }),
    findAgain: (holds) => findHoldsAgain(runtime, holds),
    async place(hold, { again }) {
      const { cluster, namespace, name } = hold.rollout;
      const result = await placeBarrierHold({ runtime, ...hold, again });
      if (result !== "repeated" && result !== "unsettled")
        log.info({ cluster, namespace, name, ...hold.wanted, result }, "a timed pause waits for its set");
      return result;
    },
  });
  const watched: HoldPlace = { cursor: undefined };
  const aborts = createAbortsPlace();
  const held: HeldBackPlace = { bySet: new Map() };
  let watchedAt = Number.NEGATIVE_INFINITY;
  return {
    place,
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
