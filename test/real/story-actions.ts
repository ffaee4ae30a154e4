import { beforeAll, describe, expect, it } from "vitest";
import type { ActionParams } from "#lib/contract/action.ts";
import type { ActionName } from "#lib/contract/rollout.ts";
import { POST as planRunAction } from "../../app/api/v1/analysis-runs/[uid]/action-plan/route.ts";
import { POST as postRunAction } from "../../app/api/v1/analysis-runs/[uid]/actions/route.ts";
import type { Json } from "./real-cluster.ts";
import type { RealWorld } from "./real-world.ts";
import {
  pausesOf,
  poll,
  putTemplate,
  type RolloutStory,
  type Status,
  setMetric,
  startStory,
  stays,
} from "./rollout-story.ts";

type Case = {
  action: ActionName;
  given: string;
  strategy(name: string): Json;
  /** The metric's value; a template with the rollout's name exists. */
  metric?: number;
  params?: (world: RealWorld) => ActionParams;
  /** Returns whether the rollout is in the state before the action; `release: false` leaves it at its first version. */
  at(status: Status): boolean;
  release?: false;
  /** Actions before the tested one. */
  before?: { action: ActionName; at(status: Status): boolean }[];
  /** Returns whether the status shows a change that only the controller makes. */
  done(status: Status, before: Status): boolean;
};

const gates = { canary: { steps: [{ setWeight: 50 }, { pause: {} }, { setWeight: 100 }] } };
const analysed = (name: string) => ({
  canary: { steps: [{ setWeight: 50 }, { analysis: { templates: [{ templateName: name }] } }, { pause: {} }] },
});
const watched = (name: string) => ({
  canary: {
    analysis: { templates: [{ templateName: name }], startingStep: 1 },
    steps: [{ setWeight: 50 }, { pause: {} }, { setWeight: 100 }, { pause: {} }],
  },
});
const atGate = (status: Status) => status.currentStepIndex === 1 && pausesOf(status).includes("CanaryPauseStep");
const isInconclusive = (status: Status) => pausesOf(status).includes("InconclusiveAnalysisRun");
const isHealthy = ({ phase, stableRS, currentPodHash }: Status) => phase === "Healthy" && stableRS === currentPodHash;

const cases: Case[] = [
  { action: "continue", given: "a pause step", strategy: () => gates, at: atGate, done: isHealthy },
  {
    action: "accept-step",
    given: "an Inconclusive step",
    strategy: analysed,
    metric: 0.7,
    at: isInconclusive,
    done: (status) => status.currentStepIndex === 2 && pausesOf(status).join() === "CanaryPauseStep",
  },
  {
    action: "measure-again",
    given: "an Inconclusive step",
    strategy: analysed,
    metric: 0.7,
    at: isInconclusive,
    done: ({ canary }) => JSON.stringify(canary).includes("-2-1.1"),
  },
  {
    action: "continue-waive",
    given: "an Inconclusive background run at a gate",
    strategy: watched,
    metric: 0.7,
    at: (status) => atGate(status) && isInconclusive(status),
    done: ({ canary }) => canary?.currentBackgroundAnalysisRunStatus?.name.endsWith("-2.1") === true,
  },
  {
    action: "skip-step",
    given: "a running analysis",
    strategy: (name) => analysed(`${name}-long`),
    at: ({ canary, currentStepIndex }) => currentStepIndex === 1 && JSON.stringify(canary).includes("Running"),
    done: (status) => status.currentStepIndex === 2 && pausesOf(status).join() === "CanaryPauseStep",
  },
  { action: "skip-all", given: "a pause step", strategy: () => gates, at: atGate, done: isHealthy },
  { action: "promote-full", given: "a pause step", strategy: () => gates, at: atGate, done: isHealthy },
  {
    action: "abort",
    given: "a pause step",
    strategy: () => gates,
    at: atGate,
    done: ({ abort, phase }) => abort === true && phase === "Degraded",
  },
  {
    action: "retry",
    given: "an aborted update",
    strategy: () => gates,
    before: [{ action: "abort", at: atGate }],
    at: ({ abort, phase }) => abort === true && phase === "Degraded",
    done: atGate,
  },
  {
    action: "restart",
    given: "a rollout at rest",
    strategy: () => gates,
    release: false,
    at: isHealthy,
    done: ({ restartedAt }) => restartedAt !== undefined,
  },
  {
    action: "pause",
    given: "a pause step",
    strategy: () => gates,
    at: atGate,
    done: ({ message }) => message === "manually paused",
  },
  {
    action: "unpause",
    given: "a rollout that is paused",
    strategy: () => gates,
    before: [{ action: "pause", at: atGate }],
    at: ({ message }) => message === "manually paused",
    done: atGate,
  },
  {
    action: "undo",
    given: "a pause step",
    strategy: () => gates,
    at: atGate,
    done: (status, before) => isHealthy(status) && status.currentPodHash === before.stableRS,
  },
  {
    action: "set-image",
    given: "a pause step",
    strategy: () => gates,
    params: ({ target }) => ({ container: "app", image: target.images[2] }),
    at: atGate,
    done: (status, before) => atGate(status) && status.currentPodHash !== before.currentPodHash,
  },
];

export function describeActions(world: () => RealWorld): void {
  describe("each action until its effect", () => {
    const stories = new Map<string, RolloutStory>();
    const nameOf = (row: Case) => `act-${row.action}`;

    beforeAll(async () => {
      await Promise.all(
        cases.map(async (row) => {
          const name = nameOf(row);
          await setMetric(world(), name, row.metric ?? 1);
          await putTemplate(world(), { name, count: 3, inconclusiveLimit: 1 });
          await putTemplate(world(), { name: `${name}-long`, count: 1000 });
          stories.set(name, await startStory(world(), { name, strategy: row.strategy(name) }));
        }),
      );
    });

    it.each(cases)("$action: $given", async (row) => {
      const story = stories.get(nameOf(row));
      if (story === undefined) throw new Error("the story did not start");
      if (row.release !== false) await story.release(world().target.images[1]);
      for (const { action, at } of row.before ?? []) {
        await actWhen(world(), { story, action, at });
      }
      const before = await story.until(row.given, row.at);
      const params = row.params?.(world()) ?? {};
      const { id, state } = await actWhen(world(), { story, action: row.action, at: row.at, params });
      expect(state).toBe("applied");
      const done = await story.until(`the controller did ${row.action}`, (status) => row.done(status, before));
      const action = await world().actionIn(id, ["effective", "not-effective", "partial"]);
      expect(action, JSON.stringify(done)).toMatchObject({ state: "effective" });
    });

    it("leaves an Event on the rollout that says what was done and why", async () => {
      const { cluster, namespace, target } = world();
      const story = await startStory(world(), { name: "act-event", strategy: gates });
      await story.release(target.images[1]);
      const { id } = await actWhen(world(), { story, action: "continue", at: atGate });
      const { body } = await poll({
        what: "the Event",
        read: () => cluster.request("GET", `/api/v1/namespaces/${namespace}/events/gatehouse.${id}`),
        fits: ({ status }) => status === 200,
        withinMs: 15_000,
      });
      expect(body).toMatchObject({
        involvedObject: { kind: "Rollout", name: "act-event" },
        reason: "GatehouseContinue",
        message: expect.stringMatching(/ continued act-event: a story https?:/),
      });
    });

    it("terminate: a running run", async () => {
      const name = "act-terminate";
      await putTemplate(world(), { name, count: 1000 });
      const story = await startStory(world(), { name, strategy: analysed(name) });
      await story.release(world().target.images[1]);
      const { currentRuns } = await story.seen("a running run", ({ currentRuns: [run] }) => run?.phase === "Running");
      const uid = currentRuns[0]?.uid ?? "";
      const view = await world().call(planRunAction, { params: { uid }, body: { action: "terminate" } });
      const { viewDigest } = view.view as { viewDigest: string };
      const answer = await world().call(postRunAction, {
        params: { uid },
        body: { action: "terminate", reason: "a story", expect: { viewDigest, uid } },
      });
      await world().actionIn(String(answer.id), ["effective"]);
      await story.until("it goes on", ({ currentStepIndex }) => currentStepIndex === 2);
    });

    it("promote-full while no pod is ready: pending, and an abort beside it is dropped", async () => {
      const story = await startStory(world(), { name: "act-pending", strategy: gates });
      await story.release(world().target.unreadyImage);
      const isStuck = ({ currentStepIndex, phase }: Status) => currentStepIndex === 0 && phase === "Progressing";
      const { id } = await actWhen(world(), { story, action: "promote-full", at: isStuck });
      await story.until("the controller passed the steps", ({ currentStepIndex }) => currentStepIndex === 3);
      await stays(
        "promoteFull is a flag",
        async () => {
          const { promoteFull, stableRS, currentPodHash } = await story.status();
          const { state } = await world().actionIn(id, ["applied", "effective", "not-effective"]);
          return promoteFull === true && stableRS !== currentPodHash && state === "applied";
        },
        5_000,
      );
      await world().cluster.patch(story.path, { status: { abort: true } }, "status");
      const dropped = await story.until("the abort is dropped", ({ abort }) => abort !== true);
      expect(dropped).toMatchObject({ promoteFull: true, currentStepIndex: 3 });
    });
  });
}

/** Acts once Gatehouse has seen the state: a request with an older view is refused. */
export async function actWhen<S = Status>(
  world: RealWorld,
  options: { story: RolloutStory<S>; action: ActionName; at(status: S): boolean; params?: ActionParams },
) {
  const { story, action, at, params = {} } = options;
  await story.until(`ready for ${action}`, at);
  await story.seen(`${action} is allowed`, ({ allowedActions }) =>
    allowedActions.some((candidate) => candidate.action === action && candidate.allowed),
  );
  return world.act(story.name, { action, ...params }, story.kind);
}
