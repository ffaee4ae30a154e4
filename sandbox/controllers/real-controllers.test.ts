import { describe, expect, it } from "vitest";
import type { AnalysisRunStatus, MetricResult } from "#lib/domain/argo/analysis/types.ts";
import type { KubeObject } from "#sandbox/apiserver/store-types.ts";
import { readRealStream, statesOf } from "#test/real-streams.ts";
import { readStory } from "#test/recorded-story.ts";
import { POD_START_ANNOTATION } from "./reconcile-replica-set.ts";
import { TAKEN_AGAIN_ANNOTATION } from "./taken-again.ts";
import { metricOf, podTemplate, putRollout, putTemplate, SELECTOR } from "./testing/own-rollout.ts";
import { replayStory } from "./testing/replay-story.ts";
import { createWorld, replicaSetOf, type World } from "./testing/sandbox-world.ts";

const stories = [
  // A background run ends Inconclusive: during a setWeight, in a timed pause, and in parallel with the step's own run.
  { stream: "background-inconclusive/bg2-gate0", name: "bg2-gate0" },
  { stream: "background-inconclusive/bg2-inline", name: "bg2-inline" },
  { stream: "background-inconclusive/bg4", name: "bg4" },
  { stream: "background-inconclusive/s2-timed", name: "s2-timed" },
  // All actions in a row; a restart to its end; a refused spec.
  { stream: "s6", name: "s6-acts" },
  { stream: "s6", name: "s6-restart" },
  { stream: "s3", name: "s3-twice" },
  { stream: "s1", name: "s1-again" },
  { stream: "s1", name: "s1-abort" },
  { stream: "s1", name: "s1-accept" },
  { stream: "s1", name: "s1-skip" },
  { stream: "s1b", name: "s1b-accept" },
  { stream: "s1b", name: "s1b-promote" },
  { stream: "s4", name: "s4-manual" },
  { stream: "s4", name: "s4-auto" },
  { stream: "s4", name: "s4-preinc" },
  { stream: "s4", name: "s4-preincauto" },
  { stream: "s4", name: "s4-postinc" },
  { stream: "s4", name: "s4-postfail" },
] as const;

describe("the sandbox's controllers write the states that the real ones wrote", () => {
  it.each(stories)("$name", ({ stream, name }) => {
    const story = readStory(stream, name);
    expect(story.states.length).toBeGreaterThan(3);
    expect(replayStory(story)).toEqual(story.states);
  });
});

const KEY = "default/app";

/** Deploys app:v1 to Healthy, then app:v2 with pods that never become ready. */
function stuckRelease(steps: unknown[], canary: Record<string, unknown> = {}): World {
  const world = createWorld({ only: [] });
  const template = podTemplate();
  putRollout(world, { replicas: 4, selector: SELECTOR, template, strategy: { canary: { ...canary, steps } } });
  world.clock.advance(5_000);
  release(world, "never");
  world.clock.advance(5_000);
  return world;
}

function release(world: World, podStart: string): void {
  const { metadata, spec } = podTemplate("app:v2");
  const annotations = { [POD_START_ANNOTATION]: podStart };
  world.patchSpec(KEY, { template: { metadata: { ...metadata, annotations }, spec } });
}

/** Lets the pods of the new version become ready. */
function freePods(world: World): void {
  const set = replicaSetOf(world, KEY, world.rollout(KEY).status.currentPodHash);
  if (set === undefined) throw new Error("no ReplicaSet");
  const annotations = { ...set.metadata.annotations, [POD_START_ANNOTATION]: "1s" };
  world.store.update("replicasets", { ...set, metadata: { ...set.metadata, annotations } }, { manager: "test" });
  world.clock.advance(10_000);
}

describe("while the new version is not ready", () => {
  it("a full promotion is a flag, and an abort beside it is dropped", () => {
    const world = stuckRelease([{ setWeight: 25 }, { pause: {} }]);
    const { stableRS, currentPodHash } = world.rollout(KEY).status;
    world.patchStatus(KEY, { promoteFull: true });
    world.clock.advance(5_000);
    expect(world.rollout(KEY).status).toMatchObject({ promoteFull: true, currentStepIndex: 2, stableRS });
    world.patchStatus(KEY, { abort: true });
    world.clock.advance(5_000);
    const { status } = world.rollout(KEY);
    expect(status).toMatchObject({ phase: "Progressing", promoteFull: true, stableRS });
    expect([status.abort, status.abortedAt]).toEqual([undefined, undefined]);
    freePods(world);
    expect(world.rollout(KEY).status).toMatchObject({ phase: "Healthy", stableRS: currentPodHash });
    expect(world.rollout(KEY).status.promoteFull).toBeUndefined();
  });

  it("the last index is not yet 100 %: neither pods nor weight are there", () => {
    const router = { trafficRouting: { nginx: { stableIngress: "app" } } };
    for (const canary of [{}, router]) {
      const world = stuckRelease([{ setWeight: 25 }, { pause: {} }], canary);
      const { stableRS, currentPodHash } = world.rollout(KEY).status;
      world.patchStatus(KEY, { pauseConditions: null, currentStepIndex: 2 });
      world.clock.advance(5_000);
      const { status } = world.rollout(KEY);
      expect(status).toMatchObject({ currentStepIndex: 2, stableRS, phase: "Progressing" });
      expect(status.canary?.weights?.canary.weight ?? 0).toBe(0);
      expect(replicaSetOf(world, KEY, currentPodHash)?.status?.availableReplicas).toBeUndefined();
      expect(replicaSetOf(world, KEY, stableRS)?.status?.availableReplicas).toBeGreaterThanOrEqual(3);
    }
  });

  it("a restart replaces no more than may be unavailable, and restartedAt stays empty", () => {
    const world = stuckRelease([{ setWeight: 25 }, { pause: {} }]);
    const names = () => world.store.list("pods", "default").map(({ metadata }) => metadata.name);
    const before = names();
    world.patchSpec(KEY, { restartAt: new Date(world.clock.now()).toISOString().replace(/\.\d+/, "") });
    world.clock.advance(60_000);
    expect(world.rollout(KEY).status).toMatchObject({ phase: "Progressing", message: "rollout is restarting" });
    expect(world.rollout(KEY).status.restartedAt).toBeUndefined();
    expect(before.filter((name) => !names().includes(name)).length).toBeLessThanOrEqual(1);
  });
});

describe("a spec that is refused", () => {
  it("reconciles nothing: no action has an effect until it is valid again", () => {
    const world = createWorld({ only: [] });
    const stepsOf = (setWeight: number) => ({ canary: { steps: [{ setWeight: 25 }, { pause: {} }, { setWeight }] } });
    putRollout(world, { replicas: 2, selector: SELECTOR, template: podTemplate(), strategy: stepsOf(50) });
    world.clock.advance(5_000);
    world.setImage(KEY, "app:v2");
    world.clock.advance(5_000);
    world.patchSpec(KEY, { strategy: stepsOf(175) });
    world.clock.advance(5_000);
    const held = world.rollout(KEY).status;
    // The message of argo-rollouts 1.10.2 and 1.9.3.
    const problem = "spec.strategy.steps[2].setWeight: Invalid value: 175: SetWeight needs to be between 0 and 100";
    expect(held).toMatchObject({ phase: "Degraded", message: `InvalidSpec: The Rollout "app" is invalid: ${problem}` });
    for (const patch of [{ abort: true }, { promoteFull: true }, { pauseConditions: null }]) {
      world.patchStatus(KEY, patch);
      world.clock.advance(30_000);
    }
    const { message, currentStepIndex, stableRS, abortedAt } = world.rollout(KEY).status;
    expect({ message, currentStepIndex, stableRS, abortedAt }).toEqual({
      message: held.message,
      currentStepIndex: 1,
      stableRS: held.stableRS,
      abortedAt: undefined,
    });
    world.patchStatus(KEY, { promoteFull: null });
    world.patchSpec(KEY, { strategy: stepsOf(50) });
    world.clock.advance(5_000);
    expect(world.rollout(KEY).status).toMatchObject({
      abort: true,
      phase: "Degraded",
      message: expect.stringMatching(/^RolloutAborted/),
    });
  });
});

/** Returns counter and list length at each write of a metric, and whether the newest measurement was replaced. */
function courseOf(states: { status?: unknown }[]): string[] {
  let last: { total: number; newest: string } | undefined;
  return states.flatMap(({ status }) => {
    const [result]: readonly MetricResult[] = (status as AnalysisRunStatus | undefined)?.metricResults ?? [];
    const newest = JSON.stringify(result?.measurements?.at(-1));
    const total = (result?.count ?? 0) + (result?.error ?? 0);
    if (result === undefined || (newest === last?.newest && total === last.total)) return [];
    const isReplaced = total === last?.total;
    last = { total, newest };
    return [`${total} counted, ${result.measurements?.length} listed${isReplaced ? ", taken again" : ""}`];
  });
}

describe("measurements that are taken again", () => {
  it.each([
    { run: "s3-long-645868bf66-2-1", plan: "10:1,11:1,12:1", count: 30, retention: 10 },
    { run: "s3-retain-6cc6c4784f-2-1", plan: "1:1,5:1,6:1", count: 25, retention: 3 },
  ])("$run: the newest one is replaced, and the counter stands", ({ run, plan, count, retention }) => {
    const recorded = courseOf(statesOf(readRealStream("s3"), "AnalysisRun", run));
    const world = createWorld({ only: [] });
    putTemplate(world, "many", [{ ...metricOf("good"), count }]);
    const analysis = {
      templates: [{ templateName: "many" }],
      measurementRetention: [{ metricName: "success-rate", limit: retention }],
      analysisRunMetadata: { annotations: { [TAKEN_AGAIN_ANNOTATION]: plan } },
    };
    const strategy = { canary: { steps: [{ setWeight: 50 }, { analysis }] } };
    putRollout(world, { replicas: 2, selector: SELECTOR, template: podTemplate(), strategy });
    world.clock.advance(5_000);
    const states: KubeObject[] = [];
    world.store.subscribe(({ resource, object }) => {
      if (resource === "analysisruns") states.push(object);
    });
    world.setImage(KEY, "app:v2");
    world.clock.advance(60_000);
    expect(courseOf(states)).toEqual(recorded);
    expect(recorded.filter((line) => line.endsWith("taken again"))).toHaveLength(3);
  });
});
