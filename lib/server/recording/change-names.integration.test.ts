import { afterAll, beforeAll, expect, it } from "vitest";
import { sampleExperiment, samplePod, sampleReplicaSet } from "#test/kind-samples.ts";
import { rolloutStatus, sampleRollout, sampleRun } from "#test/recorder-samples.ts";
import { createRecorderWorld, type RecorderWorld, waitFor } from "#test/recorder-world.ts";

let world: RecorderWorld;
beforeAll(async () => {
  world = await createRecorderWorld();
});
afterAll(() => world.close());

const manager = { manager: "test" };

/** Returns the names in the lines of the change log that match. */
async function namesOf(kind: string, ref?: string): Promise<(string | null)[]> {
  const rows = await world.query<{ name: string | null }>(
    "SELECT name FROM change_log WHERE kind = $1 AND ($2::text IS NULL OR ref = $2) GROUP BY name ORDER BY max(id)",
    [kind, ref ?? null],
  );
  return rows.map(({ name }) => name);
}

it("names the rollout in each line of what belongs to it, and nobody where that is not known", async () => {
  const { store } = world.sandbox;
  const uidOf = (resource: string, name: string) => store.get(resource, "shop", name)?.metadata.uid ?? "";
  const created = store.create("rollouts", sampleRollout({ name: "checkout" }), manager);
  store.update("rollouts", { ...created, status: rolloutStatus() }, { ...manager, subresource: "status" });
  const rollout = { kind: "Rollout", name: "checkout", uid: uidOf("rollouts", "checkout") };
  store.create("replicasets", sampleReplicaSet({ name: "set", hash: "aaa", owner: rollout }), manager);
  const set = { kind: "ReplicaSet", name: "set", uid: uidOf("replicasets", "set") };
  store.create("pods", samplePod({ name: "pod", hash: "aaa", owner: set }), manager);
  store.create("experiments", sampleExperiment({ name: "owned", owner: rollout }), manager);
  store.create("experiments", sampleExperiment({ name: "alone" }), manager);
  const experiment = (name: string) => ({ kind: "Experiment", name, uid: uidOf("experiments", name) });
  for (const [name, owner] of [
    ["of-rollout", rollout],
    ["of-owned", experiment("owned")],
    ["of-alone", experiment("alone")],
    ["of-nobody", undefined],
  ] as const)
    store.create("analysisruns", sampleRun({ name, ...(owner === undefined ? {} : { owner }) }), manager);
  world.sandbox.fault({ fault: "403", resource: "experiments" });
  const blind = await world.start({ waitUntilLive: false });
  const runNames = (name: string) => namesOf("analysis-run", uidOf("analysisruns", name));
  for (const name of ["of-owned", "of-alone", "of-nobody"])
    await waitFor(`the run ${name} is recorded`, async () => (await runNames(name)).length > 0);
  expect(await runNames("of-owned")).toEqual([null]);
  expect(await runNames("of-alone")).toEqual([null]);
  await blind.stop();
  world.sandbox.fault({ fault: "none" });
  await world.start();
  await waitFor("the run has moved", async () => (await runNames("of-owned")).length > 1);
  for (const name of ["owned", "alone"])
    await waitFor("the experiment", async () => (await namesOf("experiment", uidOf("experiments", name))).length > 0);

  expect(await runNames("of-owned")).toEqual([null, "checkout"]);
  expect(await runNames("of-rollout")).toEqual(["checkout"]);
  expect(await runNames("of-nobody")).toEqual(["of-nobody"]);
  expect(await namesOf("experiment", uidOf("experiments", "owned"))).toEqual(["checkout"]);
  expect(await namesOf("experiment", uidOf("experiments", "alone"))).toEqual(["alone"]);
  // Pods that are stored before their rollout notify nobody: the rollout's own line does.
  const pod = store.get("pods", "shop", "pod");
  if (pod !== undefined)
    store.update("pods", { ...pod, status: { phase: "Failed" } }, { ...manager, subresource: "status" });
  for (const kind of ["rollout", "release", "rollout-pods"]) {
    await waitFor(`a line about a ${kind}`, async () => (await namesOf(kind)).length > 0);
    expect(await namesOf(kind)).toEqual(["checkout"]);
  }
  expect(await namesOf("source")).toEqual([null]);

  // Changed and deleted objects are named as well.
  for (const name of ["of-owned", "of-alone"]) {
    const run = store.get("analysisruns", "shop", name);
    if (run !== undefined) store.update("analysisruns", { ...run, status: { phase: "Successful" } }, manager);
  }
  await waitFor("the run's end is recorded", async () => (await runNames("of-alone")).length > 1);
  expect(await runNames("of-alone")).toEqual([null, "alone"]);
  const uid = uidOf("analysisruns", "of-owned");
  await world.stopAll();
  await world.query("DELETE FROM change_log");
  store.delete("analysisruns", "shop", "of-owned");
  await world.start();
  await waitFor("it is gone", async () => (await namesOf("analysis-run", uid)).length > 0);
  expect(await namesOf("analysis-run", uid)).toEqual(["checkout"]);
});
