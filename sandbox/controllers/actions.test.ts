import { beforeEach, describe, expect, it } from "vitest";
import type { AnalysisRunStatus } from "#lib/domain/argo/analysis/types.ts";
import { findCondition } from "./rollout-conditions.ts";
import { createWorld, replicaSetOf, type World } from "./testing/sandbox-world.ts";

const CHECKOUT = "payments/checkout";
const CATALOG = "storefront/catalog";
const QUERY_API = "search/query-api";
const GATEWAY = "platform/gateway";
const FLAGS = "platform/feature-flags";
const IDENTITY = "platform/identity";

let world: World;

beforeEach(() => {
  world = createWorld({ only: [CHECKOUT, CATALOG, QUERY_API, GATEWAY, FLAGS, IDENTITY] });
  world.controllers.startScenarios();
  world.clock.advance(50_000);
});

function runNames(key: string): string[] {
  return world.runs(key).map((run) => run.metadata.name);
}

function runStatuses(key: string): AnalysisRunStatus[] {
  return world.runs(key).map((run) => (run.status ?? {}) as AnalysisRunStatus);
}

function setReplicas(key: string, hash: string | undefined): unknown {
  return replicaSetOf(world, key, hash)?.spec?.replicas;
}

describe("on an Inconclusive step run", () => {
  it("accept-step goes past the step without another run", () => {
    const before = world.rollout(CHECKOUT).status;
    expect(before).toMatchObject({ controllerPause: true, currentStepIndex: 3 });
    const names = runNames(CHECKOUT);
    world.patchStatus(CHECKOUT, { pauseConditions: null, controllerPause: false, currentStepIndex: 4 });
    world.clock.advance(2_000);
    const { status } = world.rollout(CHECKOUT);
    expect(status).toMatchObject({
      phase: "Paused",
      message: "CanaryPauseStep",
      currentStepIndex: 5,
      canary: { weights: { canary: { weight: 70 } } },
    });
    expect(status.canary?.currentStepAnalysisRunStatus).toBeUndefined();
    world.clock.advance(20_000);
    expect(world.rollout(CHECKOUT).status).toMatchObject({
      phase: "Healthy",
      currentStepIndex: 6,
      stableRS: before.currentPodHash,
    });
    expect(runNames(CHECKOUT)).toEqual(names);
  });

  it("measure-again starts a run with the next suffix, and goes on when that is good", () => {
    const [first = ""] = runNames(CHECKOUT);
    world.patchStatus(CHECKOUT, { pauseConditions: null });
    world.clock.advance(1_000);
    expect(runNames(CHECKOUT)).toEqual([first, `${first}.1`]);
    const { status } = world.rollout(CHECKOUT);
    expect(status).toMatchObject({
      phase: "Progressing",
      currentStepIndex: 3,
      canary: { currentStepAnalysisRunStatus: { name: `${first}.1`, status: "Running" } },
    });
    expect(status.pauseConditions).toBeUndefined();
    expect(status.controllerPause).toBeUndefined();
    world.clock.advance(80_000);
    expect(runStatuses(CHECKOUT).map(({ phase }) => phase)).toEqual(["Inconclusive", "Successful"]);
    expect(world.rollout(CHECKOUT).status.phase).toBe("Healthy");
  });

  it("abort goes back to the stable version, retry starts at step 0 with a new run", () => {
    const { stableRS, currentPodHash } = world.rollout(CHECKOUT).status;
    world.patchStatus(CHECKOUT, { abort: true });
    world.clock.advance(10_000);
    const aborted = world.rollout(CHECKOUT).status;
    expect(aborted).toMatchObject({
      phase: "Degraded",
      message: "RolloutAborted: Rollout aborted update to revision 2",
      abort: true,
      currentStepIndex: 0,
      stableRS,
      currentPodHash,
      canary: { weights: { canary: { weight: 0 }, stable: { weight: 100 } } },
    });
    expect(aborted.abortedAt).toMatch(/^2026-01-05T09:00:50Z$/);
    expect(aborted.pauseConditions).toBeUndefined();
    expect(setReplicas(CHECKOUT, currentPodHash)).toBe(0);

    world.patchStatus(CHECKOUT, { abort: false });
    world.clock.advance(1_000);
    const retried = world.rollout(CHECKOUT).status;
    expect(retried.abort).toBeUndefined();
    expect(retried.abortedAt).toBeUndefined();
    expect(retried.currentStepIndex).toBeLessThan(2);
    world.clock.advance(6_000);
    expect(runNames(CHECKOUT)).toEqual([runNames(CHECKOUT)[0], `${runNames(CHECKOUT)[0]}.1`]);
  });

  it("promote-full ends the release at once", () => {
    const { currentPodHash } = world.rollout(CHECKOUT).status;
    world.patchStatus(CHECKOUT, { promoteFull: true });
    world.clock.advance(2_000);
    const { status } = world.rollout(CHECKOUT);
    expect(status).toMatchObject({ stableRS: currentPodHash, currentStepIndex: 6 });
    expect(status.promoteFull).toBeUndefined();
    world.clock.advance(10_000);
    expect(world.rollout(CHECKOUT).status.phase).toBe("Healthy");
  });

  it("a new image resets everything and takes a new revision", () => {
    world.setImage(CHECKOUT, "registry.internal/payments/checkout:v2.9.1");
    world.clock.advance(500);
    const { status, metadata } = world.rollout(CHECKOUT);
    expect(metadata.annotations?.["rollout.argoproj.io/revision"]).toBe("3");
    expect(status).toMatchObject({ phase: "Progressing", currentStepIndex: 0 });
    expect(status.pauseConditions).toBeUndefined();
    expect(status.canary?.currentStepAnalysisRunStatus).toBeUndefined();
    world.clock.advance(90_000);
    expect(world.rollout(CHECKOUT).status.phase).toBe("Healthy");
  });

  it("the stable image again skips all steps and gives the old template a new revision", () => {
    const { stableRS } = world.rollout(CHECKOUT).status;
    world.setImage(CHECKOUT, "registry.internal/payments/checkout:v2.8.0");
    world.clock.advance(8_000);
    const { status, metadata } = world.rollout(CHECKOUT);
    expect(status).toMatchObject({ phase: "Healthy", currentPodHash: stableRS, stableRS, currentStepIndex: 6 });
    expect(metadata.annotations?.["rollout.argoproj.io/revision"]).toBe("3");
    const set = replicaSetOf(world, CHECKOUT, stableRS);
    expect(set?.metadata.annotations).toMatchObject({
      "rollout.argoproj.io/revision": "3",
      "rollout.argoproj.io/revision-history": "1",
    });
  });
});

describe("on an Inconclusive background run at a pause step", () => {
  it("continue-waive clears both reasons, moves on, and starts another background run", () => {
    const [first = ""] = runNames(CATALOG);
    world.patchStatus(CATALOG, { pauseConditions: null });
    world.clock.advance(3_000);
    expect(runNames(CATALOG)).toEqual([first, `${first}.1`]);
    expect(world.rollout(CATALOG).status).toMatchObject({
      phase: "Paused",
      message: "CanaryPauseStep",
      currentStepIndex: 5,
      canary: {
        weights: { canary: { weight: 80 } },
        currentBackgroundAnalysisRunStatus: { name: `${first}.1`, status: "Running" },
      },
    });
    world.clock.advance(30_000);
    const { status } = world.rollout(CATALOG);
    expect(status.phase).toBe("Healthy");
    expect(status.canary?.currentBackgroundAnalysisRunStatus).toBeUndefined();
    expect(world.runs(CATALOG).at(-1)).toMatchObject({
      spec: { terminate: true },
      status: { phase: "Successful", message: "Run Terminated" },
    });
  });

  it("nothing scales while it waits, not even for a later step", () => {
    const { currentPodHash, stableRS } = world.rollout(CATALOG).status;
    expect(setReplicas(CATALOG, currentPodHash)).toBe(3);
    expect(setReplicas(CATALOG, stableRS)).toBe(6);
  });
});

describe("on an aborted release", () => {
  it("stands at the stable version with all its replicas", () => {
    const { stableRS, currentPodHash } = world.rollout(QUERY_API).status;
    expect(setReplicas(QUERY_API, stableRS)).toBe(8);
    expect(setReplicas(QUERY_API, currentPodHash)).toBe(0);
  });

  it("retry measures again and fails again, since the version is the same", () => {
    const [first = ""] = runNames(QUERY_API);
    world.patchStatus(QUERY_API, { abort: false });
    world.clock.advance(300);
    expect(findCondition(world.rollout(QUERY_API).status, "Progressing")?.reason).toMatch(
      /^(RolloutRetry|ReplicaSetUpdated)$/,
    );
    world.clock.advance(30_000);
    expect(runNames(QUERY_API)).toEqual([first, `${first}.1`]);
    expect(runStatuses(QUERY_API).map(({ phase }) => phase)).toEqual(["Failed", "Failed"]);
    expect(world.rollout(QUERY_API).status).toMatchObject({ phase: "Degraded", abort: true });
  });

  it("promote-full drops the abort", () => {
    world.patchStatus(QUERY_API, { promoteFull: true });
    world.clock.advance(3_000);
    const { status } = world.rollout(QUERY_API);
    expect(status.phase).toBe("Healthy");
    expect(status.abort).toBeUndefined();
  });

  it("a plain continue changes nothing", () => {
    world.patchStatus(QUERY_API, { pauseConditions: null });
    world.clock.advance(3_000);
    expect(world.rollout(QUERY_API).status).toMatchObject({ phase: "Degraded", abort: true, currentStepIndex: 0 });
  });
});

describe("on a manual pause", () => {
  it("continue goes on to the next step", () => {
    world.patchStatus(GATEWAY, { pauseConditions: null });
    world.clock.advance(2_000);
    expect(world.rollout(GATEWAY).status).toMatchObject({
      phase: "Paused",
      currentStepIndex: 3,
      canary: { weights: { canary: { weight: 50 } } },
    });
    expect(findCondition(world.rollout(GATEWAY).status, "Paused")?.status).toBe("True");
  });

  it("skip-step takes the index it is given", () => {
    world.patchStatus(GATEWAY, { pauseConditions: null, currentStepIndex: 4 });
    world.clock.advance(10_000);
    expect(world.rollout(GATEWAY).status).toMatchObject({ phase: "Healthy", currentStepIndex: 4 });
  });

  it("a timed pause ends by itself", () => {
    world.patchStatus(GATEWAY, { pauseConditions: null });
    world.clock.advance(45_000);
    expect(world.rollout(GATEWAY).status.phase).toBe("Healthy");
  });
});

describe("on a user pause", () => {
  it("unpause lets the release go on", () => {
    expect(world.rollout(FLAGS).status).toMatchObject({ phase: "Paused", message: "manually paused" });
    world.patchSpec(FLAGS, { paused: false });
    world.clock.advance(75_000);
    expect(world.rollout(FLAGS).status.phase).toBe("Healthy");
  });

  it("pause holds a release between two steps, and its replicas", () => {
    world.patchStatus(GATEWAY, { pauseConditions: null });
    world.clock.advance(1_000);
    world.patchSpec(GATEWAY, { paused: true });
    world.clock.advance(60_000);
    expect(world.rollout(GATEWAY).status).toMatchObject({ phase: "Paused", message: "manually paused" });
    world.patchSpec(GATEWAY, { paused: false });
    world.clock.advance(60_000);
    expect(world.rollout(GATEWAY).status.phase).toBe("Healthy");
  });

  it("a change of replicas scales all the same", () => {
    const { stableRS } = world.rollout(FLAGS).status;
    world.patchSpec(FLAGS, { replicas: 10 });
    world.clock.advance(2_000);
    expect(setReplicas(FLAGS, stableRS)).toBe(6);
  });
});

describe("on a Rollout at rest", () => {
  it("an abort is dropped", () => {
    world.patchStatus(IDENTITY, { abort: true });
    world.clock.advance(2_000);
    expect(world.rollout(IDENTITY).status.abort).toBeUndefined();
    expect(world.rollout(IDENTITY).status.phase).toBe("Healthy");
  });

  it("a restart shows as progress, then as restartedAt", () => {
    const restartAt = "2026-01-05T09:00:50Z";
    world.patchSpec(IDENTITY, { restartAt });
    world.clock.advance(1_000);
    expect(world.rollout(IDENTITY).status).toMatchObject({ phase: "Progressing", message: "rollout is restarting" });
    world.clock.advance(5_000);
    expect(world.rollout(IDENTITY).status).toMatchObject({ phase: "Healthy", restartedAt: restartAt });
  });

  it("a template that is gone makes the spec invalid, until it is back", () => {
    const template = world.store.delete("analysistemplates", "platform", "identity-slo");
    world.setImage(IDENTITY, "registry.internal/platform/identity:v1.14.0");
    world.clock.advance(1_000);
    expect(world.rollout(IDENTITY).status.phase).toBe("Degraded");
    expect(world.rollout(IDENTITY).status.message).toMatch(/^InvalidSpec: .*'identity-slo' not found$/);
    const { name, namespace } = template?.metadata ?? { name: "" };
    const again = { apiVersion: "argoproj.io/v1alpha1", kind: "AnalysisTemplate", spec: template?.spec };
    world.store.create("analysistemplates", { ...again, metadata: { name, namespace } }, { manager: "test" });
    world.clock.advance(60_000);
    expect(world.rollout(IDENTITY).status.phase).toBe("Healthy");
  });
});

describe("on a running analysis", () => {
  it("terminate ends it as Successful and lets the release through", () => {
    world.patchStatus(CHECKOUT, { pauseConditions: null });
    world.clock.advance(5_000);
    const run = world.runs(CHECKOUT).at(-1);
    if (run === undefined) {
      throw new Error("no run");
    }
    world.store.update("analysisruns", { ...run, spec: { ...run.spec, terminate: true } }, { manager: "test" });
    world.clock.advance(1_000);
    expect(runStatuses(CHECKOUT).at(-1)).toMatchObject({ phase: "Successful", message: "Run Terminated" });
    expect(world.rollout(CHECKOUT).status.currentStepIndex).toBeGreaterThan(3);
  });

  it("a new image terminates it", () => {
    world.patchStatus(CHECKOUT, { pauseConditions: null });
    world.clock.advance(5_000);
    const { name = "" } = world.runs(CHECKOUT).at(-1)?.metadata ?? {};
    world.setImage(CHECKOUT, "registry.internal/payments/checkout:v2.9.1");
    world.clock.advance(1_000);
    expect(world.store.get("analysisruns", "payments", name)).toMatchObject({
      spec: { terminate: true },
      status: { phase: "Successful", message: "Run Terminated" },
    });
  });

  it("undo brings the template of an earlier ReplicaSet back under a new revision", () => {
    const { stableRS } = world.rollout(IDENTITY).status;
    const earlier = world.store
      .list("replicasets", "platform")
      .filter((set) => set.metadata.name.startsWith("identity-"))
      .find((set) => set.metadata.annotations?.["rollout.argoproj.io/revision"] === "2");
    const template = structuredClone(earlier?.spec?.template) as { metadata: { labels: Record<string, string> } };
    delete template.metadata.labels["rollouts-pod-template-hash"];
    world.patchSpec(IDENTITY, { template });
    world.clock.advance(30_000);
    const { status, metadata } = world.rollout(IDENTITY);
    expect(status.stableRS).not.toBe(stableRS);
    expect(`identity-${status.stableRS}`).toBe(earlier?.metadata.name);
    expect(metadata.annotations?.["rollout.argoproj.io/revision"]).toBe("4");
  });

  it("abort terminates it", () => {
    world.patchStatus(CHECKOUT, { pauseConditions: null });
    world.clock.advance(5_000);
    world.patchStatus(CHECKOUT, { abort: true });
    world.clock.advance(1_000);
    expect(world.runs(CHECKOUT).at(-1)).toMatchObject({ spec: { terminate: true }, status: { phase: "Successful" } });
    expect(world.rollout(CHECKOUT).status.canary?.currentStepAnalysisRunStatus).toBeUndefined();
  });
});
