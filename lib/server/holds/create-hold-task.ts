import { findWantedAgain, findWantedHolds, type HoldToPlace } from "#lib/server/holds/find-wanted-holds.ts";
import { placeHold } from "#lib/server/holds/place-hold.ts";
import { createPlacing } from "#lib/server/holds/place-with-retries.ts";
import type { HoldPlace } from "#lib/server/holds/read-changed-rollouts.ts";
import { settleHolds } from "#lib/server/holds/settle-holds.ts";
import { toOversightScopes } from "#lib/server/platform/config/oversight-schema.ts";
import type { Runtime } from "#lib/server/process/runtime-types.ts";

/**
 * Returns the task that pauses rollouts whose Inconclusive result the controller may ignore, in scopes that turn it on.
 * It resolves with whether rows are committed that cannot be read yet.
 */
export function createHoldTask(runtime: Runtime, { now = () => performance.now() } = {}): () => Promise<boolean> {
  const { pool, log } = runtime;
  const place: HoldPlace = { cursor: undefined };
  const scopesNow = () => toOversightScopes(runtime.config().config.oversight);
  const placeWanted = createPlacing<HoldToPlace>({
    log,
    now,
    find: () => findWantedHolds({ pool, place, scopes: scopesNow() }),
    findAgain: (holds) => findWantedAgain({ pool, scopes: scopesNow(), holds }),
    async place(hold, { again }) {
      const { cluster, namespace, name } = hold.rollout;
      const result = await placeHold({ runtime, ...hold, again });
      if (result !== "repeated" && result !== "unsettled")
        log.warn({ cluster, namespace, name, ...hold.wanted, result }, "an Inconclusive result asks for a hold");
      return result;
    },
  });
  return async () => {
    // The process that tried one may be gone, and no change may ask for that hold again.
    await settleHolds(pool, "all").catch((error: unknown) =>
      log.warn({ error: String(error) }, "the outcome of earlier holds could not be looked up"),
    );
    return placeWanted();
  };
}
