import { describe, expect, it } from "vitest";
import type { KubeObject } from "#sandbox/apiserver/store-types.ts";
import type { DeploymentStatus } from "./deployment-types.ts";
import { POD_START_ANNOTATION } from "./reconcile-replica-set.ts";
import { podTemplate, SELECTOR } from "./testing/own-rollout.ts";
import { createWorld, type World } from "./testing/sandbox-world.ts";

function putDeployment(world: World, spec: Record<string, unknown> = {}): void {
  const deployment = { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "app", namespace: "default" } };
  const full = { replicas: 2, selector: SELECTOR, template: podTemplate(), ...spec };
  world.store.create("deployments", { ...deployment, spec: full }, { manager: "test" });
}

function deployment(world: World): KubeObject {
  const object = world.store.get("deployments", "default", "app");
  if (object === undefined) throw new Error("no Deployment");
  return object;
}

function patchSpec(world: World, patch: Record<string, unknown>): void {
  const object = deployment(world);
  world.store.update("deployments", { ...object, spec: { ...object.spec, ...patch } }, { manager: "test" });
}

function reasons(world: World): string[] {
  const { conditions = [] } = deployment(world).status as DeploymentStatus;
  return conditions.map(({ type, status, reason }) => `${type}=${status} ${reason}`).sort();
}

/** Follows the counts of the Deployment's status: replicas/updated/available. */
function followCounts(world: World): string[] {
  const counts: string[] = [];
  world.store.subscribe(({ resource, object }) => {
    if (resource !== "deployments") return;
    const { replicas = 0, updatedReplicas = 0, availableReplicas = 0 } = (object.status ?? {}) as DeploymentStatus;
    const text = `${replicas}/${updatedReplicas}/${availableReplicas}`;
    if (text !== counts.at(-1)) counts.push(text);
  });
  return counts;
}

const v2 = (podStart?: string) => {
  const { metadata, spec } = podTemplate("app:v2");
  const annotations = podStart === undefined ? {} : { [POD_START_ANNOTATION]: podStart };
  return { metadata: { ...metadata, annotations }, spec };
};

describe("a Deployment without a Rollout", () => {
  it("runs its pods and becomes available", () => {
    const world = createWorld({ only: [] });
    putDeployment(world);
    world.clock.advance(5_000);
    expect(deployment(world).status).toMatchObject({ observedGeneration: 1, replicas: 2, availableReplicas: 2 });
    expect(reasons(world)).toEqual([
      "Available=True MinimumReplicasAvailable",
      "Progressing=True NewReplicaSetAvailable",
    ]);
    expect(world.store.list("pods", "default")).toHaveLength(2);
  });

  it("replaces pods one by one, and never has fewer than it must", () => {
    const world = createWorld({ only: [] });
    putDeployment(world);
    world.clock.advance(5_000);
    const counts = followCounts(world);
    patchSpec(world, { template: v2() });
    world.clock.advance(10_000);
    // As f-ok-primary in the recording of Flagger 1.44.0.
    expect(counts).toEqual(["2/2/2", "2/0/2", "3/1/2", "3/1/3", "2/1/2", "3/2/2", "3/2/3", "2/2/2"]);
    expect(deployment(world).metadata.annotations).toMatchObject({ "deployment.kubernetes.io/revision": "2" });
  });

  it("with Recreate first removes the old pods", () => {
    const world = createWorld({ only: [] });
    putDeployment(world, { strategy: { type: "Recreate" } });
    world.clock.advance(5_000);
    const counts = followCounts(world);
    patchSpec(world, { template: v2() });
    world.clock.advance(10_000);
    expect(counts).toEqual(["2/2/2", "2/0/2", "0/0/0", "2/2/0", "2/2/2"]);
  });

  it("exceeds its deadline when pods never become ready", () => {
    const world = createWorld({ only: [] });
    putDeployment(world, { progressDeadlineSeconds: 60 });
    world.clock.advance(5_000);
    patchSpec(world, { template: v2("never") });
    world.clock.advance(58_000);
    expect(reasons(world)).toEqual(["Available=True MinimumReplicasAvailable", "Progressing=True ReplicaSetUpdated"]);
    world.clock.advance(5_000);
    expect(reasons(world)).toEqual([
      "Available=True MinimumReplicasAvailable",
      "Progressing=False ProgressDeadlineExceeded",
    ]);
    patchSpec(world, { template: podTemplate() });
    world.clock.advance(5_000);
    expect(reasons(world)).toEqual([
      "Available=True MinimumReplicasAvailable",
      "Progressing=True NewReplicaSetAvailable",
    ]);
  });

  it("stays complete while it is scaled from zero, but is not available", () => {
    const world = createWorld({ only: [] });
    putDeployment(world, { replicas: 0, template: v2("20s") });
    world.clock.advance(5_000);
    expect(reasons(world)).toEqual([
      "Available=True MinimumReplicasAvailable",
      "Progressing=True NewReplicaSetAvailable",
    ]);
    patchSpec(world, { replicas: 2 });
    world.clock.advance(5_000);
    expect(reasons(world)).toEqual([
      "Available=False MinimumReplicasUnavailable",
      "Progressing=True NewReplicaSetAvailable",
    ]);
    world.clock.advance(20_000);
    expect(reasons(world)).toEqual([
      "Available=True MinimumReplicasAvailable",
      "Progressing=True NewReplicaSetAvailable",
    ]);
  });
});
