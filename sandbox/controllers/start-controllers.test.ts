import { describe, expect, it } from "vitest";
import { createStore } from "#sandbox/apiserver/store.ts";
import type { KubeObjectInput } from "#sandbox/apiserver/store-types.ts";
import { startControllers } from "./start-controllers.ts";
import { createFakeClock } from "./testing/fake-clock.ts";
import { createWorld } from "./testing/sandbox-world.ts";

function newRollout(fields: { namespace: string; strategy?: Record<string, unknown> }): KubeObjectInput {
  const name = "app";
  return {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "Rollout",
    metadata: { name, namespace: fields.namespace },
    spec: {
      replicas: 2,
      selector: { matchLabels: { app: name } },
      template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: "app", image: "app:v1" }] } },
      strategy: fields.strategy ?? { canary: { steps: [{ setWeight: 50 }, { pause: {} }] } },
    },
  };
}

describe("startControllers", () => {
  it("leads a Rollout that a person creates to Healthy", () => {
    const world = createWorld();
    world.store.create("rollouts", newRollout({ namespace: "default" }), { manager: "test" });
    world.clock.advance(5_000);
    expect(world.rollout("default/app").status).toMatchObject({
      phase: "Healthy",
      observedGeneration: "1",
      currentStepIndex: 2,
      replicas: 2,
      availableReplicas: 2,
    });
  });

  it("leaves frozen namespaces exactly as they are", () => {
    const clock = createFakeClock();
    const store = createStore({ now: () => new Date(clock.now()), uid: () => crypto.randomUUID() });
    const isFrozenNamespace = (namespace: string) => namespace === "loaded";
    startControllers({ store, clock, speed: 1, seed: 1, isFrozenNamespace });
    store.create("namespaces", { apiVersion: "v1", kind: "Namespace", metadata: { name: "loaded" } }, { manager: "t" });
    const created = store.create("rollouts", newRollout({ namespace: "loaded" }), { manager: "test" });
    clock.advance(60_000);
    expect(store.get("rollouts", "loaded", "app")).toEqual(created);
    expect(store.list("replicasets", "loaded")).toEqual([]);
  });

  it("leaves a Rollout with two strategies, or none, as it is", () => {
    const world = createWorld();
    const both = { canary: {}, blueGreen: { activeService: "a" } };
    const created = [both, {}].map((strategy, index) => {
      const input = newRollout({ namespace: "default", strategy });
      return world.store.create(
        "rollouts",
        { ...input, metadata: { ...input.metadata, name: `r${index}` } },
        { manager: "t" },
      );
    });
    world.clock.advance(60_000);
    expect(created.map(({ metadata }) => world.store.get("rollouts", "default", metadata.name))).toEqual(created);
  });

  it("does nothing more once stopped", () => {
    const world = createWorld();
    world.controllers.startScenarios();
    world.clock.advance(10_000);
    world.controllers.stop();
    const before = world.store.list("rollouts").map(({ metadata }) => metadata.resourceVersion);
    world.clock.advance(60_000);
    expect(world.store.list("rollouts").map(({ metadata }) => metadata.resourceVersion)).toEqual(before);
  });

  it("measures a run that nobody owns, and lets its time to live end it", () => {
    const world = createWorld();
    const run: KubeObjectInput = {
      apiVersion: "argoproj.io/v1alpha1",
      kind: "AnalysisRun",
      metadata: { name: "by-hand", namespace: "default" },
      spec: {
        metrics: [
          { name: "success-rate", successCondition: "result[0] >= 0.9", provider: { prometheus: { query: "up" } } },
          { name: "dry", successCondition: "result[0] > 5", provider: { prometheus: { query: "up" } } },
          { name: "unknown", provider: { datadog: { query: "x" } }, consecutiveErrorLimit: 0 },
        ],
        dryRun: [{ metricName: "dry|unknown" }],
        ttlStrategy: { secondsAfterCompletion: 30 },
      },
    };
    world.store.create("analysisruns", run, { manager: "test" });
    world.clock.advance(5_000);
    expect(world.store.get("analysisruns", "default", "by-hand")?.status).toMatchObject({
      phase: "Successful",
      runSummary: { count: 1, successful: 1 },
      dryRunSummary: { count: 2, failed: 1, error: 1 },
    });
    world.clock.advance(60_000);
    expect(world.store.get("analysisruns", "default", "by-hand")).toBeUndefined();
  });

  it("never spins on an interval below a second", () => {
    const world = createWorld();
    const metric = { name: "m", interval: "200ms", successCondition: "result[0] >= 0", provider: { prometheus: {} } };
    const run = { apiVersion: "argoproj.io/v1alpha1", kind: "AnalysisRun", spec: { metrics: [metric] } };
    world.store.create("analysisruns", { ...run, metadata: { name: "fast", namespace: "default" } }, { manager: "t" });
    world.clock.advance(10_000);
    const results = world.store.get("analysisruns", "default", "fast")?.status?.metricResults as { count: number }[];
    expect(results[0]?.count).toBeGreaterThan(40);
    expect(results[0]?.count).toBeLessThan(55);
  });
});
