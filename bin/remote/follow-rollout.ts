import { rolloutApiPath } from "#lib/client/rollout-path.ts";
import type { RolloutDetail } from "#lib/contract/rollout.ts";
import { isGatehouseError } from "#packages/client/src/gatehouse-error.ts";
import { CommandError } from "../command-line.ts";
import type { RemoteApi } from "./api.ts";
import { lookUntil } from "./look-until.ts";
import { describeVersion } from "./rollouts.ts";

type Verdict<Outcome extends string> = { outcome: Outcome | "waiting"; text: string };

/** Exit status if the cluster no longer has the rollout: what was wanted can no longer be. */
const goneStatus = 3;

/**
 * Judges the rollout now and after each change, until the outcome is another than `waiting` or the time is over. Returns
 * the last verdict, and the rollout as it was last read.
 */
export async function followRollout<Outcome extends string>({
  api,
  first,
  judge,
  timeoutMs,
}: {
  api: RemoteApi;
  first: RolloutDetail;
  judge: (rollout: RolloutDetail) => Verdict<Outcome>;
  timeoutMs: number;
}): Promise<{ verdict: Verdict<Outcome>; rollout: RolloutDetail }> {
  let rollout = first;
  let verdict = judge(first);
  const look = async (): Promise<boolean> => {
    try {
      if (verdict.outcome === "waiting") {
        rollout = await read(api, first);
        verdict = judge(rollout);
      }
    } catch (error) {
      // A pipeline outlasts a restart of Gatehouse.
      if (!isGatehouseError(error) || !error.isTransient) throw error;
      verdict = { outcome: "waiting", text: error.message };
    }
    return verdict.outcome !== "waiting";
  };
  await lookUntil({ api, signal: AbortSignal.timeout(timeoutMs), concerns: ({ id }) => id === first.id, look });
  return { verdict, rollout };
}

async function read(api: RemoteApi, { id: _, ...rollout }: RolloutDetail): Promise<RolloutDetail> {
  try {
    return await api.get<RolloutDetail>(rolloutApiPath(rollout));
  } catch (error) {
    if (isGatehouseError(error, "not_found"))
      throw new CommandError(`${rollout.namespace}/${rollout.name} (${describeVersion(rollout)}) is gone`, goneStatus);
    throw error;
  }
}
