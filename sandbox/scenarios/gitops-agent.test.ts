import { beforeEach, describe, expect, it } from "vitest";
import type { ManagedFieldsEntry } from "#sandbox/apiserver/managed-fields.ts";
import { revisionOf } from "#sandbox/controllers/rollout-types.ts";
import { createWorld, type World } from "#sandbox/controllers/testing/sandbox-world.ts";
import { DELIVERY_TOOL } from "./gitops-agent.ts";

const KEY = "logistics/dispatch";

let world: World;
beforeEach(() => {
  world = createWorld({ only: [KEY, "platform/gateway"] });
  world.controllers.startScenarios();
  world.clock.advance(50_000);
});

function image(): string | undefined {
  return world.rollout(KEY).spec.template.spec.containers[0]?.image;
}

function specManager(): string | undefined {
  const entries = (world.rollout(KEY).metadata.managedFields ?? []) as ManagedFieldsEntry[];
  const template = entries.find(({ fieldsV1 }) => fieldsV1["f:spec"]?.["f:template"]?.["f:spec"]?.["f:containers"]);
  return template?.manager;
}

describe("a change of the spec", () => {
  it("of the script has been put back by the delivery tool, as managedFields say", () => {
    expect(image()).toBe("registry.internal/logistics/dispatch:v4.1.0");
    expect(specManager()).toBe(DELIVERY_TOOL);
    const sets = world.store.list("replicasets", "logistics").map((set) => JSON.stringify(set.spec?.template));
    expect(sets.some((template) => template.includes("v4.1.0-hotfix"))).toBe(true);
  });

  it.each([
    ["an image", () => world.setImage(KEY, "registry.internal/logistics/dispatch:v4.1.1")],
    ["a pause", () => world.patchSpec(KEY, { paused: true })],
    ["a replica count", () => world.patchSpec(KEY, { replicas: 7 })],
    ["a strategy", () => world.patchSpec(KEY, { strategy: { canary: { steps: [{ setWeight: 50 }, { pause: {} }] } } })],
  ])("such as %s lasts for five seconds", (_name, change) => {
    const before = world.rollout(KEY).spec;
    change();
    world.clock.advance(4_000);
    expect(world.rollout(KEY).spec).not.toEqual(before);
    world.clock.advance(2_000);
    expect(world.rollout(KEY).spec).toEqual(before);
    world.clock.advance(60_000);
    expect(world.rollout(KEY).status).toMatchObject({ phase: "Paused", message: "CanaryPauseStep" });
  });

  it("that was never applied stays, and so does a promotion", () => {
    world.patchSpec(KEY, { restartAt: "2026-01-05T09:00:50Z" });
    world.patchStatus(KEY, { pauseConditions: null });
    world.clock.advance(60_000);
    expect(world.rollout(KEY).spec.restartAt).toBe("2026-01-05T09:00:50Z");
    expect(world.rollout(KEY).status.phase).toBe("Healthy");
  });

  it("that was made while nobody watched is put back after a restart", () => {
    world.controllers.stop();
    world.patchSpec(KEY, { replicas: 7 });
    const next = createWorld({ store: world.store, clock: world.clock, only: [KEY] });
    next.controllers.startScenarios();
    next.clock.advance(10_000);
    expect(next.rollout(KEY).spec.replicas).toBe(3);
  });

  it("of a Rollout that is not tracked stays", () => {
    world.patchSpec("platform/gateway", { replicas: 7 });
    world.clock.advance(60_000);
    expect(world.rollout("platform/gateway").spec.replicas).toBe(7);
    expect(revisionOf(world.rollout("platform/gateway").metadata)).toBe(2);
  });
});
