import { beforeEach, describe, expect, it } from "vitest";
import type { AnalysisRunStatus } from "#lib/domain/argo/analysis/types.ts";
import { viewExperiment } from "#sandbox/controllers/experiment-types.ts";
import { viewRollout } from "#sandbox/controllers/rollout-types.ts";
import { createWorld, replicaSetOf, type World } from "#sandbox/controllers/testing/sandbox-world.ts";

const LOGIN = "accounts/login";
const RANKING = "search/ranking";
const TRACKING = "logistics/tracking";

let world: World;
beforeEach(() => {
  world = createWorld({ only: [LOGIN, RANKING, TRACKING] });
  world.controllers.startScenarios();
  world.clock.advance(50_000);
});

function status(key: string) {
  return world.rollout(key).status;
}

function runPhases(key: string) {
  return world.runs(key).map((run) => (run.status as AnalysisRunStatus).phase);
}

function experimentPhases() {
  return world.experiments(RANKING).map((object) => viewExperiment(object).status.phase);
}

describe("blueGreen", () => {
  it("promoted: switches, is analysed again, becomes stable, and the old version goes", () => {
    const { stableRS, currentPodHash } = status(LOGIN);
    world.patchStatus(LOGIN, { pauseConditions: null });
    world.clock.advance(3_000);
    expect(status(LOGIN)).toMatchObject({
      phase: "Progressing",
      message: "waiting for analysis to complete",
      stableRS,
      blueGreen: { activeSelector: currentPodHash, postPromotionAnalysisRunStatus: { status: "Running" } },
    });
    world.clock.advance(12_000);
    expect(status(LOGIN)).toMatchObject({ phase: "Healthy", stableRS: currentPodHash });
    expect(runPhases(LOGIN)).toEqual(["Successful", "Successful"]);
    expect(replicaSetOf(world, LOGIN, stableRS)?.spec?.replicas).toBe(3);
    world.clock.advance(25_000);
    expect(replicaSetOf(world, LOGIN, stableRS)?.spec?.replicas).toBe(0);
  });

  it("aborted stays with the old version; retried it waits again after another analysis", () => {
    const { stableRS, currentPodHash } = status(LOGIN);
    world.patchStatus(LOGIN, { abort: true });
    world.clock.advance(15_000);
    expect(status(LOGIN)).toMatchObject({ phase: "Degraded", stableRS, blueGreen: { activeSelector: stableRS } });
    expect(replicaSetOf(world, LOGIN, currentPodHash)?.spec?.replicas).toBe(0);
    world.patchStatus(LOGIN, { abort: false });
    world.clock.advance(15_000);
    expect(status(LOGIN)).toMatchObject({ phase: "Paused", message: "BlueGreenPause" });
    expect(runPhases(LOGIN)).toEqual(["Successful", "Successful"]);
  });
});

describe("experiment", () => {
  it("measured again goes on with the experiment that the controller has started already", () => {
    const { currentExperiment } = status(RANKING).canary ?? {};
    world.patchStatus(RANKING, { pauseConditions: null });
    world.clock.advance(20_000);
    expect(status(RANKING)).toMatchObject({ phase: "Progressing", currentStepIndex: 1, canary: { currentExperiment } });
    expect(experimentPhases()).toEqual(["Inconclusive", "Running"]);
  });

  it("goes on as soon as a person ends the experiment, although the pause stands", () => {
    const past: string[] = [];
    world.store.subscribe(({ resource, object }) => {
      const { currentStepIndex = 0, pauseConditions = [] } = viewRollout(object).status;
      const isPast = resource === "rollouts" && object.metadata.name === "ranking" && currentStepIndex > 1;
      if (isPast) past.push(...pauseConditions.map(({ reason }) => reason));
    });
    const object = world.experiments(RANKING)[1];
    if (object === undefined) throw new Error("no experiment");
    world.store.update("experiments", { ...object, spec: { ...object.spec, terminate: true } }, { manager: "test" });
    world.clock.advance(30_000);
    expect(experimentPhases()).toEqual(["Inconclusive", "Successful"]);
    expect(past).toContain("InconclusiveExperiment");
    expect(status(RANKING).phase).toBe("Healthy");
  });

  it("skipped ends the experiment and goes on", () => {
    world.patchStatus(RANKING, { pauseConditions: null, currentStepIndex: 2 });
    world.clock.advance(30_000);
    expect(experimentPhases()).toEqual(["Inconclusive", "Successful"]);
    expect(status(RANKING).phase).toBe("Healthy");
  });

  it("aborted and retried starts a third one", () => {
    world.patchStatus(RANKING, { abort: true });
    world.clock.advance(5_000);
    expect(status(RANKING)).toMatchObject({ phase: "Degraded", abort: true });
    world.patchStatus(RANKING, { abort: false });
    world.clock.advance(5_000);
    expect(experimentPhases()).toEqual(["Inconclusive", "Successful", "Running"]);
  });
});

describe("workloadRef", () => {
  it("promoted goes on to its end; a new image in the Deployment starts the next release", () => {
    world.patchStatus(TRACKING, { pauseConditions: null });
    world.clock.advance(15_000);
    expect(status(TRACKING)).toMatchObject({ phase: "Healthy", stableRS: status(TRACKING).currentPodHash });
    const deployment = world.store.get("deployments", "logistics", "tracking");
    const template = structuredClone(deployment?.spec?.template) as { spec: { containers: { image: string }[] } };
    for (const container of template.spec.containers) container.image = "registry.internal/logistics/tracking:v3.4.0";
    if (deployment === undefined) throw new Error("no Deployment");
    world.store.update("deployments", { ...deployment, spec: { ...deployment.spec, template } }, { manager: "test" });
    world.clock.advance(20_000);
    expect(status(TRACKING)).toMatchObject({ phase: "Paused", workloadObservedGeneration: "4" });
    expect(world.rollout(TRACKING).metadata.annotations?.["rollout.argoproj.io/revision"]).toBe("3");
  });

  it("has scaled its Deployment down once it was healthy", () => {
    expect(world.store.get("deployments", "logistics", "tracking")?.spec?.replicas).toBe(0);
  });
});
