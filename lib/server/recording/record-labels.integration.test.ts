import { isDeepStrictEqual } from "node:util";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { sampleRollout } from "#test/recorder-samples.ts";
import { createRecorderWorld, type RecorderWorld, waitFor } from "#test/recorder-world.ts";

const kubectl = { manager: "kubectl" };
const names = ["team", "example.com/tier", "example.com/api-token"];

let world: RecorderWorld;
beforeAll(async () => {
  world = await createRecorderWorld();
});
afterEach(() => world.stopAll());
afterAll(() => world.close());

const labelsOf = async (name: string): Promise<unknown> =>
  (await world.query("SELECT labels FROM rollout WHERE name = $1", [name]))[0]?.labels;

function create(name: string, metadata: Record<string, unknown>): void {
  const sample = sampleRollout({ name });
  world.sandbox.store.create("rollouts", { ...sample, metadata: { ...sample.metadata, ...metadata } }, kubectl);
}

it("records the labels and annotations that the config names, of rollouts and canaries, without secrets", async () => {
  create("checkout", {
    labels: { team: "payments", app: "checkout" },
    annotations: { "example.com/tier": "1", "example.com/api-token": "s3cr3t-s3cr3t" },
  });
  world.sandbox.store.create(
    "canaries",
    {
      apiVersion: "flagger.app/v1beta1",
      kind: "Canary",
      metadata: { namespace: "shop", name: "web", labels: { team: "shop" } },
      spec: { targetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web" }, analysis: {} },
    },
    kubectl,
  );
  await world.start({ recordedLabels: names });
  await waitFor("both", async () => (await world.query("SELECT 1 FROM rollout")).length === 2);
  expect(await labelsOf("checkout")).toEqual({
    team: "payments",
    "example.com/tier": "1",
    "example.com/api-token": "[redacted]",
  });
  expect(await labelsOf("web")).toEqual({ team: "shop" });
});

it("follows a change of a label, without an observation", async () => {
  create("moved", { labels: { team: "payments" } });
  await world.start({ recordedLabels: names });
  await waitFor("the label", async () => (await labelsOf("moved")) !== undefined);
  const observations = () =>
    world.query("SELECT o.id FROM observation AS o JOIN rollout AS r ON r.id = o.rollout_id WHERE r.name = 'moved'");
  const before = await observations();
  const { store } = world.sandbox;
  const current = store.get("rollouts", "shop", "moved");
  if (current === undefined) throw new Error("the rollout is gone");
  store.update("rollouts", { ...current, metadata: { ...current.metadata, labels: { team: "shop" } } }, kubectl);
  await waitFor("the new label", async () => isDeepStrictEqual(await labelsOf("moved"), { team: "shop" }));
  expect(await observations()).toEqual(before);
});

it("records other labels of known rollouts once the config names others", async () => {
  create("renamed", { labels: { team: "payments", squad: "a" } });
  await (await world.start({ recordedLabels: names })).stop();
  expect(await labelsOf("renamed")).toEqual({ team: "payments" });
  await (await world.start({ recordedLabels: ["squad"] })).stop();
  expect(await labelsOf("renamed")).toEqual({ squad: "a" });
  await (await world.start()).stop();
  expect(await labelsOf("renamed")).toEqual({});
});
