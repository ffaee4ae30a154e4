import type { RolloutDetail } from "#lib/contract/rollout.ts";
import { describeVersion } from "./rollouts.ts";

export const goals = ["promoted", "paused", "aborted", "person"] as const;
/** `person`: it waits for a person, for any reason. */
export type Goal = (typeof goals)[number];

/** `missed`: the release ended, or another took its place, so the goal can no longer be reached. */
export type WaitVerdict = { outcome: "waiting" | "reached" | "missed"; text: string };

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
