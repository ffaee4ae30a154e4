import { beforeEach, describe, expect, it } from "vitest";
import type { AnalysisRunStatus } from "#lib/domain/argo/analysis/types.ts";
import { HASH_LABEL } from "./rollout-types.ts";
import { metricOf, podTemplate, putRollout, putService, putTemplate, SELECTOR } from "./testing/own-rollout.ts";
import { createWorld, replicaSetOf, type World } from "./testing/sandbox-world.ts";

const KEY = "default/app";
const SERVICES = { stableService: "stable", canaryService: "canary" };

let world: World;
beforeEach(() => {
  world = createWorld();
  for (const name of ["stable", "canary"]) putService(world, name);
});

function releaseV2(canary: Record<string, unknown>, spec: Record<string, unknown> = {}): void {
  const strategy = { canary: { ...SERVICES, trafficRouting: { istio: {} }, ...canary } };
  putRollout(world, { replicas: 1, selector: SELECTOR, template: podTemplate(), strategy, ...spec });
  world.clock.advance(3_000);
  world.setImage(KEY, "app:v2");
}

function status() {
  return world.rollout(KEY).status;
}

function selected(): unknown[] {
  return ["stable", "canary"].map((name) => {
    const selector = world.store.get("services", "default", name)?.spec?.selector as Record<string, string>;
    return selector[HASH_LABEL];
  });
}

function sizes(): unknown[] {
  return [status().stableRS, status().currentPodHash].map((hash) => replicaSetOf(world, KEY, hash)?.spec?.replicas);
}

describe("a single replica behind a router", () => {
  it("sets weights with one pod of each version, and switches the Services", () => {
    releaseV2({ steps: [{ setWeight: 5 }, { pause: {} }, { setWeight: 60 }, { pause: {} }] });
    world.clock.advance(3_000);
    const { stableRS, currentPodHash } = status();
    expect(status().canary?.weights).toMatchObject({ canary: { weight: 5 }, stable: { weight: 95 } });
    expect(sizes()).toEqual([1, 1]);
    expect(selected()).toEqual([stableRS, currentPodHash]);
    world.patchStatus(KEY, { pauseConditions: null });
    world.clock.advance(2_000);
    expect(status().canary?.weights).toMatchObject({ canary: { weight: 60 }, stable: { weight: 40 } });
    expect(sizes()).toEqual([1, 1]);
    world.patchStatus(KEY, { abort: true });
    world.clock.advance(2_000);
    expect(status().canary?.weights).toMatchObject({ canary: { weight: 0 }, stable: { weight: 100 } });
    expect(selected()).toEqual([stableRS, stableRS]);
  });

  it("walks past an Inconclusive background run once a timed pause is over", () => {
    putTemplate(world, "unclear", [metricOf("unclear")]);
    const steps = [{ setWeight: 5 }, { pause: { duration: "10s" } }, { setWeight: 60 }, { pause: { duration: "1h" } }];
    releaseV2({ steps, analysis: { templates: [{ templateName: "unclear" }], startingStep: 1 } });
    world.clock.advance(8_000);
    expect(status().pauseConditions?.map(({ reason }) => reason)).toEqual([
      "CanaryPauseStep",
      "InconclusiveAnalysisRun",
    ]);
    expect(status().message).toBe("CanaryPauseStep");
    world.clock.advance(10_000);
    expect(status()).toMatchObject({ phase: "Healthy", stableRS: status().currentPodHash });
    const phases = world.runs(KEY).map((run) => (run.status as AnalysisRunStatus).phase);
    expect(phases).toEqual(["Inconclusive"]);
  });
});

describe("setCanaryScale", () => {
  it("scales apart from the weight, until matchTrafficWeight", () => {
    const pause = { pause: {} };
    const scales = [{ replicas: 3 }, { weight: 50 }, { matchTrafficWeight: true }];
    const steps = [{ setWeight: 10 }, ...scales.flatMap((setCanaryScale) => [{ setCanaryScale }, pause])];
    releaseV2({ steps }, { replicas: 4 });
    const seen = scales.map(() => {
      world.clock.advance(3_000);
      const [, canary] = sizes();
      const weight = status().canary?.weights?.canary.weight;
      world.patchStatus(KEY, { pauseConditions: null });
      return { canary, weight };
    });
    expect(seen).toEqual([
      { canary: 3, weight: 10 },
      { canary: 2, weight: 10 },
      { canary: 1, weight: 10 },
    ]);
  });

  it("counts for nothing without a router", () => {
    releaseV2(
      { steps: [{ setCanaryScale: { replicas: 3 } }, { pause: {} }], trafficRouting: undefined },
      { replicas: 4 },
    );
    world.clock.advance(3_000);
    expect(sizes()).toEqual([4, 0]);
  });
});

describe("rollbackWindow", () => {
  it.each([
    [1, "Healthy"],
    [0, "Paused"],
  ])("of %i revisions leads back to the version before: %s", (revisions, phase) => {
    releaseV2({ steps: [{ setWeight: 5 }, { pause: {} }] }, { rollbackWindow: { revisions } });
    world.clock.advance(3_000);
    world.patchStatus(KEY, { pauseConditions: null });
    world.clock.advance(3_000);
    expect(status().phase).toBe("Healthy");
    world.setImage(KEY, "app:v1");
    world.clock.advance(3_000);
    expect(status().phase).toBe(phase);
  });
});

it("a Service that another Rollout manages makes the spec invalid", () => {
  releaseV2({ steps: [{ setWeight: 5 }, { pause: {} }] });
  const strategy = { canary: { ...SERVICES, steps: [] } };
  const rollout = {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "Rollout",
    metadata: { name: "other", namespace: "default" },
    spec: { replicas: 1, selector: SELECTOR, template: podTemplate(), strategy },
  };
  world.store.create("rollouts", rollout, { manager: "test" });
  world.clock.advance(1_000);
  expect(world.rollout("default/other").status.message).toMatch(/"stable" is managed by another Rollout$/);
  world.store.delete("rollouts", "default", "app");
  world.clock.advance(5_000);
  const { stableRS, phase } = world.rollout("default/other").status;
  expect({ phase, selected: selected() }).toEqual({ phase: "Healthy", selected: [stableRS, stableRS] });
});
