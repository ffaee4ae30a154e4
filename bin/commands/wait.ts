import { rolloutApiPath } from "#lib/client/rollout-path.ts";
import type { RolloutDetail } from "#lib/contract/rollout.ts";
import { isGatehouseError } from "#packages/client/src/gatehouse-error.ts";
import { cleanText } from "../clean-text.ts";
import { CommandError, parseTimeFlag, parseWords, UsageError } from "../command-line.ts";
import { type RemoteApi, withApi } from "../remote/api.ts";
import { type Goal, goals, judgeWait, type WaitVerdict } from "../remote/judge-wait.ts";
import { lookUntil } from "../remote/look-until.ts";
import { describeVersion, findRollout } from "../remote/rollouts.ts";

/** Exit statuses, for pipelines. */
const statuses = { reached: 0, missed: 3, timeout: 4 };

/**
 * Runs `gatehouse wait NAME --for GOAL`: follows the release that is under way until it is promoted, paused, aborted or
 * waits for a person. Exit status 0: reached; 3: it ended in another way; 4: not within the timeout.
 */
export async function runWait(args: string[]): Promise<number> {
  const { words, flags } = parseWords(args, ["NAME"], {
    for: { type: "string" },
    version: { type: "string" },
    timeout: { type: "string" },
  });
  const goal = goals.find((each) => each === flags.for);
  if (goal === undefined)
    throw new UsageError(`--for must be ${goals.join(", ")}, not ${JSON.stringify(flags.for ?? "")}`);
  const timeoutMs = parseTimeFlag("--timeout", flags.timeout ?? "30m");
  return withApi(async (api) => {
    const first = await findRollout(api, words[0]);
    const verdict = await follow(api, first, { goal, version: flags.version, timeoutMs });
    process.stdout.write(`${cleanText(`${first.namespace}/${first.name}: ${verdict.text}`)}\n`);
    return statuses[verdict.outcome];
  });
}

type Wait = { goal: Goal; version: string | undefined; timeoutMs: number };
type Ended = { outcome: keyof typeof statuses; text: string };

async function follow(api: RemoteApi, first: RolloutDetail, { goal, version, timeoutMs }: Wait): Promise<Ended> {
  let verdict: WaitVerdict = judgeWait({ rollout: first, first, goal, version });
  const look = async (): Promise<boolean> => {
    try {
      if (verdict.outcome === "waiting") verdict = judgeWait({ rollout: await read(api, first), first, goal, version });
    } catch (error) {
      // A pipeline outlasts a restart of Gatehouse.
      if (!isGatehouseError(error) || !error.isTransient) throw error;
      verdict = { outcome: "waiting", text: error.message };
    }
    return verdict.outcome !== "waiting";
  };
  await lookUntil({ api, signal: AbortSignal.timeout(timeoutMs), concerns: ({ id }) => id === first.id, look });
  const { outcome, text } = verdict;
  return outcome === "waiting"
    ? { outcome: "timeout", text: `not ${goal} within the time; ${text}` }
    : { outcome, text };
}

async function read(api: RemoteApi, { id: _, ...rollout }: RolloutDetail): Promise<RolloutDetail> {
  try {
    return await api.get<RolloutDetail>(rolloutApiPath(rollout));
  } catch (error) {
    if (isGatehouseError(error, "not_found"))
      throw new CommandError(
        `${rollout.namespace}/${rollout.name} (${describeVersion(rollout)}) is gone`,
        statuses.missed,
      );
    throw error;
  }
}
