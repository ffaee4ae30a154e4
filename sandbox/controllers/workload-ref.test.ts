import { beforeEach, describe, expect, it } from "vitest";
import type { KubeObject } from "#sandbox/apiserver/store-types.ts";
import { podTemplate, putRollout, SELECTOR } from "./testing/own-rollout.ts";
import { createWorld, replicaSetOf, type World } from "./testing/sandbox-world.ts";

const KEY = "default/app";
const STEPS = [{ setWeight: 50 }, { pause: {} }];

let world: World;
beforeEach(() => {
  world = createWorld();
});

function putDeployment(image = "app:v1"): void {
  const deployment = { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "app", namespace: "default" } };
  const spec = { replicas: 2, selector: SELECTOR, template: podTemplate(image) };
  world.store.create("deployments", { ...deployment, spec }, { manager: "test" });
}

function putReferring(workloadRef: Record<string, unknown> = {}): void {
  const reference = { apiVersion: "apps/v1", kind: "Deployment", name: "app", ...workloadRef };
  putRollout(world, { workloadRef: reference, strategy: { canary: { steps: STEPS } } });
}

function deployment(): KubeObject {
  const object = world.store.get("deployments", "default", "app");
  if (object === undefined) throw new Error("no Deployment");
  return object;
}

function setImage(image: string): void {
  const object = deployment();
  world.store.update(
    "deployments",
    { ...object, spec: { ...object.spec, template: podTemplate(image) } },
    { manager: "t" },
  );
}

function status() {
  return world.rollout(KEY).status;
}

describe("workloadRef", () => {
  it("takes template and selector from the Deployment, and follows its changes", () => {
    putDeployment();
    putReferring();
    world.clock.advance(3_000);
    expect(status()).toMatchObject({ phase: "Healthy", workloadObservedGeneration: "1", selector: "app=app" });
    expect(world.rollout(KEY).metadata.annotations?.["rollout.argoproj.io/workload-generation"]).toBe("1");
    expect(world.store.get("rollouts", "default", "app")?.spec).not.toHaveProperty("template");

    setImage("app:v2");
    world.clock.advance(3_000);
    expect(status()).toMatchObject({ phase: "Paused", message: "CanaryPauseStep", workloadObservedGeneration: "2" });
    const set = replicaSetOf(world, KEY, status().currentPodHash);
    expect(set?.spec).toMatchObject({ replicas: 1, template: { spec: { containers: [{ image: "app:v2" }] } } });
    expect(world.rollout(KEY).metadata.annotations).toMatchObject({
      "rollout.argoproj.io/revision": "2",
      "rollout.argoproj.io/workload-generation": "2",
    });
  });

  it.each([
    [{}, 2],
    [{ scaleDown: "never" }, 2],
    [{ scaleDown: "onsuccess" }, 0],
    [{ scaleDown: "progressively" }, 0],
  ] as const)("with %j leaves the Deployment at %i replicas", (workloadRef, replicas) => {
    putDeployment();
    putReferring(workloadRef);
    world.clock.advance(5_000);
    expect(status().phase).toBe("Healthy");
    expect(deployment().spec?.replicas).toBe(replicas);
    expect(deployment().status).toMatchObject({ observedGeneration: deployment().metadata.generation });
  });

  it("scales the Deployment only for the first revision", () => {
    putDeployment();
    putReferring({ scaleDown: "onsuccess" });
    world.clock.advance(5_000);
    const object = deployment();
    world.store.update("deployments", { ...object, spec: { ...object.spec, replicas: 2 } }, { manager: "test" });
    setImage("app:v2");
    world.clock.advance(3_000);
    world.patchStatus(KEY, { pauseConditions: null });
    world.clock.advance(5_000);
    expect(status().phase).toBe("Healthy");
    expect(deployment().spec?.replicas).toBe(2);
  });

  it.each([
    [{}, false, /^InvalidSpec: The Rollout "app" is invalid: deployments\.apps "app" not found$/],
    [{ apiVersion: "batch/v1", kind: "Job" }, true, /workload of type batch\/Job is not supported$/],
  ] as const)("says what is wrong with %j", (workloadRef, hasDeployment, message) => {
    if (hasDeployment) putDeployment();
    putReferring(workloadRef);
    world.clock.advance(1_000);
    expect(status().message).toMatch(message);
  });

  it("becomes valid when the Deployment comes", () => {
    putReferring();
    world.clock.advance(1_000);
    putDeployment();
    world.clock.advance(5_000);
    expect(status().phase).toBe("Healthy");
  });
});
