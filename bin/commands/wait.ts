import type { RolloutDetail } from "#lib/contract/rollout.ts";
import { parseTimeFlag, parseWords, UsageError } from "../command-line.ts";
import { withApi } from "../remote/api.ts";
import { followRollout } from "../remote/follow-rollout.ts";
import { report } from "../remote/report.ts";
import { describeVersion, findRollout } from "../remote/rollouts.ts";

/** Exit statuses, for pipelines. */
const statuses = { reached: 0, missed: 3, waiting: 4 };

/**
 * Runs `gatehouse wait NAME --for GOAL`: follows the release that is under way until it is promoted, paused, aborted or
 * waits for a person. Exit status 0: reached; 3: it ended in another way; 4: not within the timeout.
 */
export async function runWait(args: string[]): Promise<number> {
  const { words, flags } = parseWords(args, ["NAME"], {
    for: { type: "string" },
    version: { type: "string" },
    timeout: { type: "string" },
    summary: { type: "string" },
  });
  const goal = goals.find((each) => each === flags.for);
  if (goal === undefined)
    throw new UsageError(`--for must be ${goals.join(", ")}, not ${JSON.stringify(flags.for ?? "")}`);
  const timeoutMs = parseTimeFlag("--timeout", flags.timeout ?? "30m");
  const { version, summary } = flags;
  const follow = () =>
    withApi(async (api) => {
      const first = await findRollout(api, words[0]);
      const judge = judgeRelease({ first, goal, version });
      const { verdict, rollout } = await followRollout({ api, first, judge, timeoutMs });
      const { outcome, text } = verdict;
      const status = statuses[outcome];
      if (outcome !== "waiting") return { status, rollout, outcome, text };
      return { status, rollout, outcome: "timeout", text: `not ${goal} within the time; ${text}` };
    });
  return report({ title: `wait ${words[0]} --for ${goal}`, file: summary }, follow);
}

const goals = ["promoted", "paused", "aborted", "person"] as const;
/** `person`: it waits for a person, for any reason. */
export type Goal = (typeof goals)[number];

/** `missed`: the release ended, or another took its place, so the goal can no longer be reached. */
type WaitVerdict = { outcome: "waiting" | "reached" | "missed"; text: string };

type Seen = Pick<
  RolloutDetail,
  | "source"
  | "advanceRefused"
  | "phase"
  | "providerPhase"
  | "aborted"
  | "revisionKey"
  | "stableRevisionKey"
  | "presence"
  | "images"
  | "attention"
  | "message"
  | "replicaSets"
>;

type Waiting = { first: Seen; goal: Goal; version: string | undefined };

/**
 * Returns the judge of a wait: whether a release has reached the goal. The release is the one that was under way when
 * the wait began, or with `version` the first one with an image that contains it.
 */
export function judgeRelease(waiting: Waiting): (rollout: Seen) => WaitVerdict {
  const { version } = waiting;
  // A Canary that failed has no pods of the version any more.
  let begun: string | undefined;
  return (rollout) => {
    if (version !== undefined && hasVersion(rollout, version)) begun = rollout.revisionKey;
    return judgeWait(rollout, { ...waiting, hasBegun: begun === rollout.revisionKey });
  };
}

function judgeWait(rollout: Seen, { first, goal, version, hasBegun }: Waiting & { hasBegun: boolean }): WaitVerdict {
  const named = describeVersion(rollout);
  // A state that is not up to date may be that of an earlier version.
  if (!rollout.source.fresh)
    return {
      outcome: "waiting",
      text: `Gatehouse is not up to date: ${rollout.source.reason ?? rollout.source.state}`,
    };
  if (rollout.advanceRefused?.reasonCode === "unreadable")
    return { outcome: "waiting", text: rollout.advanceRefused.reason };
  if (rollout.presence !== "live") return { outcome: "missed", text: "the cluster has it no longer" };
  if (version === undefined && rollout.revisionKey !== first.revisionKey)
    return { outcome: "missed", text: `another version took its place: ${named}` };
  if (version !== undefined && !hasBegun) return { outcome: "waiting", text: `${version} is not being rolled out yet` };
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

/** Names the state of the release that is under way, or of the last one. */
export function stateOf({
  aborted,
  phase,
  providerPhase,
  attention,
  stableRevisionKey,
  revisionKey,
}: Pick<Seen, "aborted" | "phase" | "providerPhase" | "attention" | "stableRevisionKey" | "revisionKey">): State {
  // After a failed promotion users may still be on the new version: that is critical. A suspended Canary is Paused.
  const hasFailed = providerPhase === "Failed" && phase === "Degraded" && attention?.severity !== "critical";
  if (aborted || hasFailed) return "aborted";
  if (stableRevisionKey === revisionKey && phase === "Healthy") return "promoted";
  if (phase === "Paused") return "paused";
  return phase === "Degraded" ? "degraded" : "progressing";
}

function isReached({ attention }: Seen, state: State, goal: Goal): boolean {
  if (goal === "person") return attention !== null;
  return state === goal;
}
