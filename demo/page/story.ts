import type { RolloutSummary } from "#lib/contract/rollout.ts";
import type { ObjectRef } from "#lib/domain/delivery/object-ref.ts";
import { groupOfReason } from "#lib/domain/waiting/rank-wait.ts";

export type StoryStep = ObjectRef & {
  kind: RolloutSummary["kind"];
  /** What is worth a look: the end of a sentence that begins with the place. */
  says: string;
};

const step = (namespace: string, name: string, says: string, kind: StoryStep["kind"] = "Rollout"): StoryStep => ({
  ...{ cluster: "demo", namespace, kind, name, says },
});

/** The decisions of a demo that begins with its history, in the order of the inbox. */
export const storySteps: readonly StoryStep[] = [
  step("storefront", "catalog", "latency rises while half of the traffic is on the new version."),
  step("shopfront", "basket", "Flagger waits for approval before it promotes.", "Canary"),
  step("payments", "checkout", "success-rate is Inconclusive."),
  step("edge", "assets-eu", "the same version waits in three zones: the inbox decides them together."),
  step("accounts", "login", "the preview is ready, and its promotion needs a second person."),
];

/** Beside the decisions: an aborted release, one that is marked Successful although its measurements failed, and zones. */
export const playedRollouts: readonly string[] = [
  ...storySteps.map(({ namespace, name }) => `${namespace}/${name}`),
  ...["search/query-api", "search/autocomplete"],
  ...["lab", "eu", "us", "ap", "sa"].map((zone) => `edge/assets-${zone}`),
];

type Found = Pick<RolloutSummary, "namespace" | "kind" | "name" | "phase" | "attention">;

export type StoryState =
  /** The first step that waits for a decision; `place` counts from 1. */
  | { is: "waiting"; step: StoryStep; place: number }
  /** No step waits, but this one is not at rest. */
  | { is: "under-way"; step: StoryStep }
  | { is: "over" };

/** Returns the next step of the story. */
export function findNextStep(rollouts: readonly Found[]): StoryState {
  const found = storySteps.map((step) => ({
    step,
    rollout: rollouts.find(
      ({ namespace, kind, name }) => namespace === step.namespace && kind === step.kind && name === step.name,
    ),
  }));
  const index = found.findIndex(
    ({ rollout }) => rollout?.attention != null && groupOfReason[rollout.attention.reason] === "decide",
  );
  const waiting = storySteps[index];
  if (waiting !== undefined) return { is: "waiting", step: waiting, place: index + 1 };
  const moving = found.find(({ rollout }) => rollout?.phase !== "Healthy" && rollout?.phase !== "Degraded");
  return moving === undefined ? { is: "over" } : { is: "under-way", step: moving.step };
}
