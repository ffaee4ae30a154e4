import { describe, expect, it } from "vitest";
import { revisionOf } from "#sandbox/controllers/rollout-types.ts";
import { createWorld, type World } from "#sandbox/controllers/testing/sandbox-world.ts";
import { allScenarios } from "./all-scenarios.ts";
import { nextVersion } from "./scenario-player.ts";

const KINDS = [
  "rollouts",
  "replicasets",
  "pods",
  "services",
  "deployments",
  "events",
  "analysisruns",
  "experiments",
  "analysistemplates",
  "namespaces",
] as const;

function snapshot(world: World): Record<string, string> {
  const objects = KINDS.flatMap((kind) =>
    world.store.list(kind).map((object) => ({ kind, metadata: object.metadata })),
  );
  return Object.fromEntries(objects.map(({ kind, metadata }) => [`${kind}/${metadata.uid}`, metadata.resourceVersion]));
}

/** Stops the controllers as a crash would, and starts others on the same objects. */
function restart(world: World): World {
  world.controllers.stop();
  const next = createWorld({ store: world.store, clock: world.clock });
  next.controllers.startScenarios();
  return next;
}

describe("a restart", () => {
  it("changes nothing on what stands still", () => {
    const world = createWorld();
    world.controllers.startScenarios();
    world.clock.advance(50_000);
    const before = snapshot(world);
    const next = restart(world);
    next.clock.advance(0);
    const changed = Object.entries(snapshot(next)).filter(([key, version]) => before[key] !== version);
    expect(changed).toEqual([]);
  });

  it.each([300, 2_500, 9_000, 17_300, 26_000])("after %i ms still leads every scenario to its state", (crashMs) => {
    const world = createWorld();
    world.controllers.startScenarios();
    world.clock.advance(crashMs);
    const next = restart(world);
    next.clock.advance(60_000);
    for (const { namespace, name, expected } of allScenarios) {
      if (expected !== undefined) {
        const { status, metadata } = next.rollout(`${namespace}/${name}`);
        const step = status.currentStepIndex ?? -1;
        expect({ name, phase: status.phase, step, revision: revisionOf(metadata) }).toEqual({
          name,
          phase: expected.phase,
          step: expected.stepIndex,
          revision: expected.revision,
        });
      }
    }
  });

  it("does not bring back what a person deleted, nor undo what a person did", () => {
    const world = createWorld();
    world.controllers.startScenarios();
    world.clock.advance(50_000);
    world.store.delete("rollouts", "platform", "gateway");
    world.patchStatus("payments/checkout", { abort: true });
    world.clock.advance(20_000);
    const next = restart(world);
    next.clock.advance(60_000);
    expect(next.store.get("rollouts", "platform", "gateway")).toBeUndefined();
    expect(next.rollout("payments/checkout").status).toMatchObject({ phase: "Degraded", abort: true });
  });

  it("starting the scenarios twice plays them once", () => {
    const world = createWorld();
    world.controllers.startScenarios();
    world.controllers.startScenarios();
    world.clock.advance(50_000);
    expect(revisionOf(world.rollout("payments/ledger").metadata)).toBe(11);
  });
});

describe("the live rollouts", () => {
  it("go on without growing", () => {
    const world = createWorld({ only: ["storefront/cart"] });
    world.controllers.startScenarios();
    world.clock.advance(45 * 60_000);
    expect(revisionOf(world.rollout("storefront/cart").metadata)).toBeGreaterThan(13);
    const sets = world.store
      .list("replicasets", "storefront")
      .filter(({ metadata }) => metadata.labels?.app === "cart");
    expect(sets.length).toBeLessThanOrEqual(12);
    expect(world.runs("storefront/cart").length).toBeLessThanOrEqual(6);
  });

  it("wait while a person holds one", () => {
    const world = createWorld({ only: ["storefront/cart"] });
    world.controllers.startScenarios();
    world.clock.advance(60_000);
    world.patchSpec("storefront/cart", { paused: true });
    world.clock.advance(1_000);
    const { resourceVersion } = world.rollout("storefront/cart").metadata;
    world.clock.advance(3_600_000);
    expect(world.rollout("storefront/cart").metadata.resourceVersion).toBe(resourceVersion);
  });
});

describe("history", () => {
  it("plays its releases in order, and the cluster forgets the first ones", () => {
    const world = createWorld();
    const runs = new Map<string, string | undefined>();
    world.store.subscribe(({ resource, object }) => {
      if (resource === "analysisruns" && object.metadata.name.startsWith("ledger-")) {
        runs.set(object.metadata.name, object.status?.phase as string | undefined);
      }
    });
    world.controllers.startScenarios();
    world.clock.advance(50_000);
    expect([...runs.values()]).toEqual([
      "Successful",
      "Failed",
      "Successful",
      "Successful",
      "Inconclusive",
      "Successful",
      "Failed",
      "Successful",
      "Inconclusive",
      "Successful",
      "Successful",
      "Successful",
    ]);
    const left = new Set(world.runs("payments/ledger").map((run) => run.metadata.name));
    const firstGone = [...runs.keys()].slice(0, 6).filter((name) => left.has(name));
    expect(firstGone).toEqual([]);
  });
});

describe("inconclusiveInline", () => {
  it("has taken more measurements than the run keeps", () => {
    const world = createWorld();
    world.controllers.startScenarios();
    world.clock.advance(50_000);
    const results = world.runs("payments/checkout")[0]?.status?.metricResults as {
      name: string;
      count: number;
      measurements: unknown[];
    }[];
    const rates = results.find(({ name }) => name === "success-rate");
    expect({ count: rates?.count, kept: rates?.measurements.length }).toEqual({ count: 13, kept: 10 });
  });
});

describe("speed", () => {
  it("10 brings every scenario to its state in a tenth of the time", () => {
    const world = createWorld({ speed: 10 });
    world.controllers.startScenarios();
    world.clock.advance(8_000);
    expect(world.rollout("payments/checkout").status).toMatchObject({ phase: "Paused", currentStepIndex: 3 });
    expect(world.rollout("storefront/catalog").status.pauseConditions).toHaveLength(2);
    expect(world.rollout("search/query-api").status.phase).toBe("Degraded");
    expect(revisionOf(world.rollout("payments/ledger").metadata)).toBe(11);
  });
});

describe("nextVersion", () => {
  it.each([
    ["v1.4.9", "v1.4.10"],
    ["v0.43.0", "v0.43.1"],
    ["latest", "latest-1"],
    ["latest-1", "latest-2"],
  ])("%s is followed by %s", (tag, expected) => {
    expect(nextVersion(tag)).toBe(expected);
  });
});
