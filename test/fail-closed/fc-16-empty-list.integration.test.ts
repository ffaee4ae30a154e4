import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Source } from "#lib/contract/system.ts";
import type { ClusterClient } from "#lib/server/clusters/kubernetes/cluster-client-types.ts";
import { storedGaps } from "#test/measurement-rows.ts";
import { at, measurements, sampleRun } from "#test/recorder-samples.ts";
import { waitFor } from "#test/recorder-world.ts";
import { createFailClosedWorld, type FailClosedWorld } from "./world.ts";

let world: FailClosedWorld;
beforeEach(async () => {
  world = await createFailClosedWorld();
});
afterEach(() => world.close());

const manager = { manager: "rollouts-controller" };
const presencesNow = async (): Promise<string[]> => [...new Set(Object.values(await world.presences()))];

function addSix(): void {
  for (const index of [1, 2, 3, 4, 5, 6]) world.addRollout(`shop-${index}`);
}

describe("FC-16 an empty list after a non-empty one", () => {
  it("is held until two more complete reads say the same; the source is suspect meanwhile", async () => {
    addSix();
    let may = false;
    await world.start({ mayMarkAbsent: () => may });
    const before = await world.rows();
    const held = await world.metricDelta("gatehouse_snapshot_held_total", { kind: "Rollout", reason: "empty" });
    const absent = await world.metricDelta("gatehouse_objects_marked_absent_total", { kind: "Rollout" });
    world.fault("empty", "rollouts");
    await world.relist("rollouts");
    const source = await world.becomes("Rollout", "suspect");
    expect(source.hold).toMatchObject({ reason: "empty", count: 6, releasing: false });
    expect(await held()).toBe(1);
    expect(await world.metric("gatehouse_objects_loaded", { kind: "Rollout" })).toBe(6);
    expect(await world.rows()).toEqual(before);
    expect(await world.act({ name: "shop-1", action: "continue" })).toMatchObject({
      status: 409,
      body: { code: "source_stale" },
    });
    expect(await world.act({ name: "shop-2", action: "abort" })).toMatchObject({ status: 202 });
    // Both answer from what they read a moment ago.
    const { web, recorder } = await waitFor("the hold in both processes' status", async () => {
      const probes = await world.probes();
      const isShown = ({ sources }: { sources?: unknown }) =>
        (sources as Source[]).some(
          ({ kind, state, hold }) => kind === "Rollout" && state === "suspect" && hold !== null,
        );
      return isShown(probes.web.status) && isShown(probes.recorder.status) && probes;
    });
    expect([web.livez, web.readyz, recorder.livez, recorder.readyz]).toEqual([200, 200, 200, 200]);
    const shown = expect.objectContaining({ kind: "Rollout", state: "suspect", hold: source.hold });
    expect(web.status.sources).toContainEqual(shown);
    expect(recorder.status.sources).toContainEqual(shown);
    may = true;
    await world.becomes("Rollout", "live");
    expect(await presencesNow()).toEqual(["absent"]);
    expect(await absent()).toBe(6);
    expect((await world.source("Rollout")).hold).toBeNull();
    expect(await world.metric("gatehouse_objects_loaded", { kind: "Rollout" })).toBe(0);
    // History stays.
    const after = await world.rows();
    for (const table of ["rollout", "observation", "release", "timeline_event"])
      expect(after[table]?.count).toBeGreaterThanOrEqual(before[table]?.count ?? 0);
    // Objects that return are recorded again.
    world.fault("none");
    await world.relist("rollouts");
    await waitFor("all of them", async () => (await presencesNow()).join() === "live");
  });

  it("takes a read after each of the times, and not one less", async () => {
    addSix();
    const confirmAfterMs = [700, 1200];
    const real = world.client();
    const lists: number[] = [];
    let listed = Number.NaN;
    const request: ClusterClient["request"] = async (sent) => {
      // The first confirming read is slow to begin: what follows must count from when it was made.
      if (sent.path.endsWith("/kube-system") && lists.length === listed + 1) await sleep(400);
      const isList = sent.path.endsWith("/rollouts") && sent.query?.limit !== 1;
      if (isList) lists.push(performance.now());
      return real.request(sent);
    };
    await world.start({ clientOf: () => ({ ...real, request }), timing: { confirmAfterMs } });
    listed = lists.length;
    world.fault("empty", "rollouts");
    await world.relist("rollouts");
    await world.becomes("Rollout", "suspect");
    await world.becomes("Rollout", "live");
    expect(await presencesNow()).toEqual(["absent"]);
    // The hold begins with the first empty list; another one may follow at once. Timers may be a millisecond early.
    const first = lists[listed] ?? 0;
    const [second = 0, third = 0] = lists.slice(-2);
    expect(second - first).toBeGreaterThan(699);
    expect(third - second).toBeGreaterThan(1199);
    await real.close();
  });

  it("is settled at once where they are back", async () => {
    addSix();
    await world.start({ timing: { confirmAfterMs: [300, 600_000] } });
    world.fault("empty", "rollouts");
    await world.relist("rollouts");
    await world.becomes("Rollout", "suspect");
    world.fault("none");
    const source = await world.becomes("Rollout", "live");
    expect(source.hold).toBeNull();
    expect(await presencesNow()).toEqual(["live"]);
    expect(await world.metric("gatehouse_objects_marked_absent_total")).toBe(0);
    await waitFor("a continue", async () => (await world.act({ name: "shop-1", action: "continue" })).status === 202);
  });

  it("goes on being held over a restart, whose reads count anew", async () => {
    addSix();
    const first = await world.start({ timing: { confirmAfterMs: [300, 600_000] } });
    world.fault("empty", "rollouts");
    await world.relist("rollouts");
    const before = await world.becomes("Rollout", "suspect");
    await first.stop();
    expect((await world.source("Rollout")).hold).toEqual(before.hold);
    // To a process that had forgotten the held objects, new ones would make the loss look like a minority.
    world.fault("none");
    for (const index of [1, 2, 3, 4, 5, 6]) world.deleteRollout(`shop-${index}`);
    for (let index = 0; index < 20; index++) world.addRollout(`new-${index}`);
    world.sandbox.store.forgetHistory();
    await world.start({ waitUntilLive: false, timing: { confirmAfterMs: [1000, 500] } });
    const after = await waitFor("the hold of the second recorder", async () => {
      // The first one's last word does not count; only the second one knows the new objects.
      const isListed = (await world.presences())["new-1"] === "live";
      const source = await world.source("Rollout");
      return isListed && source.state === "suspect" && source;
    });
    expect(after.hold).toMatchObject({ count: 6, since: before.hold?.since });
    expect((await world.presences())["shop-1"]).toBe("live");
    await world.becomes("Rollout", "live");
    expect((await world.presences())["shop-1"]).toBe("absent");
    expect((await world.presences())["new-1"]).toBe("live");
  });

  it("is not believed by reads that fail, nor by those of another cluster", async () => {
    addSix();
    await world.start({ timing: { confirmAfterMs: [200, 200] } });
    world.fault("empty", "rollouts");
    await world.relist("rollouts");
    await world.becomes("Rollout", "suspect");
    world.fault("wrong-cluster");
    const seen = await world.metricDelta("gatehouse_source_identity_mismatch_total", { kind: "Rollout" });
    await waitFor("three looks at the other cluster", async () => (await seen()) >= 3);
    expect(await presencesNow()).toEqual(["live"]);
    expect(await world.metric("gatehouse_objects_marked_absent_total")).toBe(0);
  });

  it("is not believed while nothing may be marked absent", async () => {
    addSix();
    let may = false;
    const labels = { "rollouts-pod-template-hash": "aaa" };
    const set = { apiVersion: "apps/v1", kind: "ReplicaSet", metadata: { name: "set", namespace: "shop", labels } };
    world.sandbox.store.create("replicasets", { ...set, spec: { replicas: 1 } }, manager);
    await world.start({ mayMarkAbsent: () => may, timing: { confirmAfterMs: [50, 50] } });
    const setPresence = async () => (await world.query("SELECT presence FROM replica_set"))[0]?.presence;
    world.fault("empty", "rollouts");
    await world.relist("rollouts");
    world.fault("empty", "replicasets");
    await world.relist("replicasets");
    await world.becomes("ReplicaSet", "live");
    await world.becomes("Rollout", "suspect");
    const reads = await world.metricDelta("gatehouse_watch_restarts_total", { kind: "Rollout", reason: "closed" });
    await waitFor("two more watches", async () => (await reads()) >= 2);
    expect(await presencesNow()).toEqual(["live"]);
    expect(await setPresence()).toBe("live");
    may = true;
    await world.becomes("Rollout", "live");
    expect(await presencesNow()).toEqual(["absent"]);
    await waitFor("the exempt kind's turn", async () => (await setPresence()) === "deleted");
  });

  it("runs and experiments that vanished unseen are ended unobserved, with a gap; ReplicaSets are exempt", async () => {
    const { store } = world.sandbox;
    const run = sampleRun({
      name: "running",
      metrics: [
        {
          name: "m",
          measurements: [...measurements(1, 2), { phase: "Running", startedAt: at(30) }],
          count: 2,
        },
      ],
    });
    const { uid } = store.create("analysisruns", run, manager).metadata;
    const labels = { "rollouts-pod-template-hash": "aaa" };
    const set = { apiVersion: "apps/v1", kind: "ReplicaSet", metadata: { name: "set", namespace: "shop", labels } };
    store.create("replicasets", { ...set, spec: { replicas: 1 } }, manager);
    const first = await world.start();
    await first.stop();
    store.delete("analysisruns", "shop", "running");
    store.delete("replicasets", "shop", "set");
    // Changes in the meantime are dropped from the history: no watch can tell.
    store.forgetHistory();
    await world.start();
    const gone = await waitFor("the run's end", async () => {
      const rows = await world.query("SELECT presence, phase FROM analysis_run WHERE presence <> 'live'");
      return rows.length > 0 && rows;
    });
    expect(gone).toEqual([{ presence: "unobserved", phase: "Running" }]);
    expect(await world.query(`SELECT 1 FROM ${storedGaps()}`)).toHaveLength(1);
    const { body } = await world.call("GET", `/api/v1/analysis-runs/${uid}`, { as: "viewer" });
    expect(body).toMatchObject({ presence: "unobserved", phase: "Running" });
    expect(await world.query("SELECT presence FROM replica_set")).toEqual([{ presence: "deleted" }]);
    for (const kind of ["AnalysisRun", "Experiment", "ReplicaSet"]) {
      expect((await world.source(kind)).hold).toBeNull();
      expect(await world.metric("gatehouse_snapshot_held_total", { kind })).toBe(0);
    }
  });
});
