import { liftBarrierHolds } from "#lib/server/holds/lift-barrier-holds.ts";
import { findBarrierHolds, placeBarrierHold } from "#lib/server/holds/place-barrier-hold.ts";
import type { HoldPlace } from "#lib/server/holds/read-changed-rollouts.ts";
import type { Runtime } from "#lib/server/process/runtime-types.ts";

/** Keeps members of a set at their timed pauses until all have reached theirs. */
export type BarrierTasks = {
  /** Places the holds that changes ask for. Resolves with whether rows are committed that cannot be read yet. */
  place(): Promise<boolean>;
  /** Lifts the holds that are not needed any more. */
  lift(): Promise<void>;
};

export function createBarrierTasks(runtime: Runtime): BarrierTasks {
  const { log } = runtime;
  const place: HoldPlace = { cursor: undefined };
  return {
    async place() {
      const { holds, hasPending } = await findBarrierHolds({ runtime, place });
      await Promise.all(
        holds.map(async ({ rollout, wanted }) => {
          const { cluster, namespace, name } = rollout;
          const result = await placeBarrierHold({ runtime, rollout, wanted }).catch((error: unknown) => String(error));
          if (result !== "repeated")
            log.info({ cluster, namespace, name, ...wanted, result }, "a timed pause waits for its set");
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
  };
}
