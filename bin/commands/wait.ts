import { rolloutApiPath } from "#lib/client/rollout-path.ts";
import type { RolloutDetail } from "#lib/contract/rollout.ts";
import { isGatehouseError } from "#packages/client/src/gatehouse-error.ts";
import { cleanText } from "../clean-text.ts";
import { CommandError, parseTimeFlag, parseWords, UsageError } from "../command-line.ts";
import { type RemoteApi, withApi } from "../remote/api.ts";
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

const goals = ["promoted", "paused", "aborted", "person"] as const;
/** `person`: it waits for a person, for any reason. */
export type Goal = (typeof goals)[number];

/** `missed`: the release ended, or another took its place, so the goal can no longer be reached. */
type WaitVerdict = { outcome: "waiting" | "reached" | "missed"; text: string };

type Seen = Pick<
  RolloutDetail,
  | "source"
  | "phase"
  | "aborted"
  | "revisionKey"
  | "stableRevisionKey"
  | "presence"
  | "images"
  | "attention"
  | "message"
  | "replicaSets"
>;

/**
 * Judges whether a release has reached the goal of a wait. The release is the one that was under way when the wait began,
 * or with `version` the first one with an image that contains it.
 */
export function judgeWait({
  rollout,
  first,
  goal,
  version,
}: {
  rollout: Seen;
  first: Seen;
  goal: Goal;
  version: string | undefined;
}): WaitVerdict {
  const named = describeVersion(rollout);
  // A state that is not up to date may be that of an earlier version.
  if (!rollout.source.fresh)
    return {
      outcome: "waiting",
      text: `Gatehouse is not up to date: ${rollout.source.reason ?? rollout.source.state}`,
    };
  if (rollout.presence !== "live") return { outcome: "missed", text: "the cluster has it no longer" };
  if (version === undefined && rollout.revisionKey !== first.revisionKey)
    return { outcome: "missed", text: `another version took its place: ${named}` };
  if (version !== undefined && !hasVersion(rollout, version))
    return { outcome: "waiting", text: `${version} is not being rolled out yet` };
  const state = stateOf(rollout);
  const text = rollout.message === "" ? `${state}: ${named}` : `${state}: ${named}. ${rollout.message}`;
  if (isReached(rollout, state, goal)) return { outcome: "reached", text };
  const isOver = state === "promoted" || state === "aborted";
  return { outcome: isOver ? "missed" : "waiting", text };
}

function hasVersion({ replicaSets, revisionKey, images }: Seen, version: string): boolean {
  const own = replicaSets.find(({ podHash }) => podHash === revisionKey)?.images;
  return (own ?? images.map(({ image }) => image)).some((image) => image.includes(version));
}

type State = "promoted" | "aborted" | "paused" | "progressing" | "degraded";

function stateOf({ aborted, phase, stableRevisionKey, revisionKey }: Seen): State {
  if (aborted) return "aborted";
  if (stableRevisionKey === revisionKey && phase === "Healthy") return "promoted";
  if (phase === "Paused") return "paused";
  return phase === "Degraded" ? "degraded" : "progressing";
}

function isReached({ attention }: Seen, state: State, goal: Goal): boolean {
  if (goal === "person") return attention !== null;
  return state === goal;
}
