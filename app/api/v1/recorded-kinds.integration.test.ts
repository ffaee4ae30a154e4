import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { linkEvents } from "#lib/server/recording/kinds/link-events.ts";
import { createFailClosedWorld, type FailClosedWorld, type ProbedRecorder } from "#test/fail-closed/world.ts";
import { podStatus, sampleEvent, sampleExperiment, samplePod } from "#test/kind-samples.ts";
import { controller as manager, openKindsDesk, rolloutPath as pathOf, statusOf } from "#test/recorded-kinds.ts";
import { sampleRun } from "#test/recorder-samples.ts";
import { waitFor } from "#test/recorder-world.ts";

const kubelet = { manager: "kubelet", subresource: "status" } as const;

let world: FailClosedWorld;
let recorder: ProbedRecorder;
beforeAll(async () => {
  world = await createFailClosedWorld();
  recorder = await world.start();
});
afterAll(() => world.close());
const { get, getWhen, addRollout, addReplicaSet } = openKindsDesk(() => world);

describe("pods of a rollout", () => {
  it("are counted per ReplicaSet and listed, those that are gone too, whichever was seen first", async () => {
    const { store } = world.sandbox;
    const owner = { kind: "Rollout", ...addRollout("with-pods") };
    await getWhen(pathOf("with-pods"), () => true);
    const set = addReplicaSet({ name: "with-pods-aaa", owner });
    const [well, sick, gone] = ["a", "b", "c"].map((name) =>
      store.create("pods", samplePod({ name: `with-pods-${name}`, owner: set }), manager),
    );
    if (well === undefined || sick === undefined || gone === undefined) throw new Error("no pods");
    store.create("pods", samplePod({ name: "of-nobody" }), manager);
    store.update("pods", { ...well, status: podStatus({ ready: true, restarts: 1 }) }, kubelet);
    const waiting = { reason: "CrashLoopBackOff", message: "see https://user:planted-password@logs/x" };
    store.update("pods", { ...sick, status: podStatus({ ready: false, restarts: 6, waiting }) }, kubelet);
    store.delete("pods", "shop", "with-pods-c");
    const { items } = await getWhen(
      `${pathOf("with-pods")}/pods`,
      ({ items }) =>
        ["deleted", "live"].every((presence) =>
          items.some((item) => item.presence === presence && item.phase !== ""),
        ) &&
        items.some((item) => item.reason === "CrashLoopBackOff") &&
        items.some((item) => item.ready === true),
    );
    const byName = new Map(items.map((item) => [item.name, item]));
    expect(byName.get("with-pods-a")).toMatchObject({
      replicaSet: "with-pods-aaa",
      ready: true,
      containers: 1,
      readyContainers: 1,
      restarts: 1,
      node: "node-1",
      startedAt: "2026-11-20T10:00:00.000Z",
    });
    expect(byName.get("with-pods-b")).toMatchObject({ reason: "CrashLoopBackOff", restarts: 6, ready: false });
    expect(byName.get("with-pods-c")).toMatchObject({ presence: "deleted", goneAt: expect.any(String) });
    expect(items).toHaveLength(3);
    const live = await get(`${pathOf("with-pods")}/pods?presence=live&replicaSet=with-pods-aaa`);
    expect(live.items.map((item) => item.name).toSorted()).toEqual(["with-pods-a", "with-pods-b"]);
    expect((await get(pathOf("with-pods"))).replicaSets).toMatchObject([{ pods: { total: 2, ready: 1, restarts: 7 } }]);
    const stored = JSON.stringify(await world.query("SELECT * FROM pod"));
    expect(stored).not.toContain("planted");
  });

  it("are paged newest first", async () => {
    const owner = { kind: "Rollout", ...addRollout("paged") };
    const set = addReplicaSet({ name: "paged-aaa", owner });
    for (let index = 0; index < 5; index++)
      world.sandbox.store.create("pods", samplePod({ name: `paged-${index}`, owner: set }), manager);
    await getWhen(`${pathOf("paged")}/pods`, ({ items }) => items.length === 5);
    const names: unknown[] = [];
    let cursor: unknown = null;
    do {
      const page = await get(`${pathOf("paged")}/pods?limit=2${cursor === null ? "" : `&cursor=${String(cursor)}`}`);
      names.push(...page.items.map((item) => item.name));
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(names.toSorted()).toEqual(["paged-0", "paged-1", "paged-2", "paged-3", "paged-4"]);
  });
});

describe("events of a rollout", () => {
  it("are those of everything that belongs to it, also where an event came before its object", async () => {
    const { store } = world.sandbox;
    const rollout = addRollout("eventful");
    const early = sampleEvent({
      name: "early",
      involved: { apiVersion: "v1", kind: "Pod", name: "eventful-a", uid: "pod-uid-of-later" },
      message: "Bearer planted-bearer-1",
    });
    store.create("events", early, kubelet);
    store.create(
      "events",
      sampleEvent({
        name: "own",
        involved: { apiVersion: "argoproj.io/v1alpha1", kind: "Rollout", ...rollout },
        reason: "RolloutPaused",
      }),
      manager,
    );
    const others = [
      { apiVersion: "v1", kind: "Node", name: "n", uid: "node" },
      { apiVersion: "v1", kind: "Pod", name: "foreign", uid: "foreign-pod" },
    ];
    for (const [index, involved] of others.entries())
      store.create("events", sampleEvent({ name: `other-${index}`, involved }), manager);
    await getWhen(`${pathOf("eventful")}/events`, ({ items }) => items.length === 1);
    const set = addReplicaSet({ name: "eventful-aaa", owner: { kind: "Rollout", ...rollout } });
    await waitFor(
      "the ReplicaSet",
      async () => (await world.query("SELECT FROM replica_set WHERE uid = $1", [set.uid])).length === 1,
    );
    // The sandbox assigns uids itself, so the early event's pod is recorded as the recorder would.
    await world.query(
      `INSERT INTO pod (uid, cluster, namespace, name, owner_uid, phase, ready, containers, ready_containers, restarts,
         resource_version, created_at, updated_at)
       VALUES ('pod-uid-of-later', 'test', 'shop', 'eventful-a', $1, 'Running', true, 1, 1, 0, '1', now(), now())`,
      [set.uid],
    );
    await linkEvents(recorder.pool);
    const { items } = await getWhen(`${pathOf("eventful")}/events`, ({ items }) => items.length === 2);
    expect(items.map((item) => item.reason).toSorted()).toEqual(["Killing", "RolloutPaused"]);
    expect(items.find((item) => item.reason === "Killing")).toMatchObject({
      involved: { kind: "Pod", name: "eventful-a" },
      type: "Warning",
      count: 1,
      reporter: "kubelet",
      message: "Bearer [redacted]",
    });
    expect(await world.query("SELECT FROM kube_event WHERE involved_kind = 'Node'")).toEqual([]);
    // No recorded object claims the foreign pod's event, so it is deleted; those of our kinds stay.
    await world.query("UPDATE kube_event SET updated_at = updated_at - interval '6 minutes'");
    await linkEvents(recorder.pool);
    expect(await world.query("SELECT involved_name FROM kube_event ORDER BY 1")).toEqual([
      { involved_name: "eventful" },
      { involved_name: "eventful-a" },
    ]);
  });

  it("outlive the cluster's own memory, and are counted up in place", async () => {
    const { store } = world.sandbox;
    const rollout = addRollout("repeating");
    const made = store.create(
      "events",
      sampleEvent({ name: "repeated", involved: { apiVersion: "argoproj.io/v1alpha1", kind: "Rollout", ...rollout } }),
      manager,
    );
    await getWhen(`${pathOf("repeating")}/events`, ({ items }) => items.length === 1);
    store.update("events", { ...made, count: 8 }, manager);
    await getWhen(`${pathOf("repeating")}/events`, ({ items }) => items[0]?.count === 8);
    store.delete("events", "shop", "repeated");
    store.create(
      "events",
      sampleEvent({ name: "after", involved: { apiVersion: "argoproj.io/v1alpha1", kind: "Rollout", ...rollout } }),
      manager,
    );
    await getWhen(`${pathOf("repeating")}/events`, ({ items }) => items.length === 2);
    const warnings = await get(`${pathOf("repeating")}/events?type=Normal`);
    expect(warnings.items).toEqual([]);
  });
});

describe("experiments", () => {
  it("take their runs to the rollout at the top, though the run is seen first and goes on after", async () => {
    const { store } = world.sandbox;
    const rollout = addRollout("experimenting");
    world.fault("403", "experiments");
    await getWhen("/api/v1/sources", ({ items }) =>
      items.some(({ kind, state }) => kind === "Experiment" && state === "denied"),
    );
    const experiment = store.create(
      "experiments",
      sampleExperiment({ name: "experimenting-2", owner: { kind: "Rollout", ...rollout } }),
      manager,
    );
    const measured = (count: number, phase = "Running") =>
      sampleRun({
        name: "compare",
        phase,
        owner: { kind: "Experiment", name: "experimenting-2", uid: experiment.metadata.uid },
        metrics: [
          {
            name: "m",
            count,
            measurements: Array.from({ length: count }, (_, index) => ({
              phase: "Successful",
              value: "1",
              startedAt: `2026-11-20T10:00:0${index}Z`,
              finishedAt: `2026-11-20T10:00:0${index}Z`,
            })),
          },
        ],
      });
    const run = store.create("analysisruns", measured(2), manager);
    const runPath = `/api/v1/analysis-runs/${run.metadata.uid}`;
    expect(await getWhen(runPath, ({ measurements }) => measurements === 2)).toMatchObject({ rollout: null });
    world.fault("none");
    const experimentPath = `/api/v1/experiments/${experiment.metadata.uid}`;
    await getWhen(runPath, ({ rollout: owner }) => owner !== null);
    // Measurements taken after the move must not go to the run's former location.
    const now = store.get("analysisruns", "shop", "compare");
    if (now === undefined) throw new Error("the run is gone");
    store.update("analysisruns", { ...now, status: statusOf(measured(4, "Successful")) }, manager);
    expect(await getWhen(runPath, ({ phase }) => phase === "Successful")).toMatchObject({
      measurements: 4,
      rollout: { name: "experimenting" },
      type: "Experiment",
    });
    const runs = await get(`${pathOf("experimenting")}/analysis-runs`);
    expect(runs.items.map((item) => item.name)).toEqual(["compare"]);
    expect(await get(experimentPath)).toMatchObject({
      name: "experimenting-2",
      rollout: { name: "experimenting" },
      revision: 2,
      phase: "Pending",
      presence: "live",
      duration: "5m",
      runs: { total: 1, byPhase: { Successful: 1 } },
      templates: [
        { name: "baseline", desired: 1 },
        { name: "canary", desired: 1 },
      ],
      analyses: [{ name: "compare", template: { kind: "AnalysisTemplate", name: "success-rate" }, run: null }],
      analysisRuns: [{ uid: run.metadata.uid }],
    });
    // An Experiment that has ended may call a run Running for ever.
    const ended = store.get("experiments", "shop", "experimenting-2");
    if (ended === undefined) throw new Error("the Experiment is gone");
    const analysisRuns = [{ name: "compare", analysisRun: "compare", phase: "Running" }];
    store.update("experiments", { ...ended, status: { phase: "Successful", analysisRuns } }, manager);
    expect(await getWhen(experimentPath, ({ phase }) => phase === "Successful")).toMatchObject({
      analyses: [{ name: "compare", phase: "Successful", run: { name: "compare", uid: run.metadata.uid } }],
    });
  });

  it("show what the controller says of them, also when they are gone, and are filtered", async () => {
    const { store } = world.sandbox;
    const made = store.create("experiments", sampleExperiment({ name: "alone" }), manager);
    store.update(
      "experiments",
      {
        ...made,
        status: {
          phase: "Failed",
          message: "analysis failed",
          availableAt: "2026-11-20T10:00:05Z",
          conditions: [{ type: "Completed", status: "True", lastTransitionTime: "2026-11-20T10:01:00Z" }],
          templateStatuses: [{ name: "canary", status: "Successful", replicas: 1, availableReplicas: 1 }],
          analysisRuns: [{ name: "compare", analysisRun: "alone-compare", phase: "Failed", message: "no" }],
        },
      },
      manager,
    );
    store.delete("experiments", "shop", "alone");
    const path = `/api/v1/experiments/${made.metadata.uid}`;
    expect(await getWhen(path, ({ presence }) => presence === "deleted")).toMatchObject({
      rollout: null,
      phase: "Failed",
      message: "analysis failed",
      availableAt: "2026-11-20T10:00:05.000Z",
      completedAt: "2026-11-20T10:01:00.000Z",
      templates: [
        { name: "baseline", status: "" },
        { name: "canary", status: "Successful", available: 1 },
      ],
      analyses: [{ required: true, phase: "Failed", message: "no", run: { name: "alone-compare", uid: null } }],
    });
    const list = async (query: string) =>
      (await get(`/api/v1/experiments?${query}`)).items.map((item) => item.name).toSorted();
    expect(await list("")).toEqual(["alone", "experimenting-2"]);
    expect(await list("phase=Failed")).toEqual(["alone"]);
    expect(await list("rollout=experimenting")).toEqual(["experimenting-2"]);
    expect(await list("q=LON")).toEqual(["alone"]);
    expect(await list("namespace=other")).toEqual([]);
  });
});

describe("a workloadRef", () => {
  it("shows the Deployment that it names, which was there before", async () => {
    const { store } = world.sandbox;
    const deployment = store.create(
      "deployments",
      {
        apiVersion: "apps/v1",
        kind: "Deployment",
        metadata: { name: "legacy", namespace: "shop" },
        spec: { replicas: 3, template: { spec: { containers: [{ name: "app", image: "shop:9" }] } } },
      } as never,
      manager,
    );
    await waitFor("the Deployment", async () => (await world.query("SELECT FROM deployment")).length === 1);
    addRollout("with-ref", { workloadRef: { apiVersion: "apps/v1", kind: "Deployment", name: "legacy" } });
    expect(await getWhen(pathOf("with-ref"), () => true)).toMatchObject({
      workload: {
        kind: "Deployment",
        name: "legacy",
        recorded: { images: ["shop:9"], desired: 3, ready: 0, presence: "live" },
      },
    });
    const changes = `SELECT FROM change_log WHERE kind = 'rollout' AND ref LIKE '%/with-ref'`;
    const before = (await world.query(changes)).length;
    store.update(
      "deployments",
      { ...deployment, status: { replicas: 3, readyReplicas: 2, availableReplicas: 2 } },
      { manager: "deployment-controller", subresource: "status" },
    );
    await getWhen(pathOf("with-ref"), ({ workload }) => {
      return (workload as { recorded: { ready: number } }).recorded.ready === 2;
    });
    expect((await world.query(changes)).length).toBeGreaterThan(before);
    expect((await getWhen(pathOf("with-pods"), () => true)).workload).toBeNull();
  });
});

describe("the change log", () => {
  it("tells of each kind under the name by which it is fetched", async () => {
    const rows = await world.query<{ kind: string; refs: string[] }>(
      "SELECT kind, array_agg(DISTINCT ref) AS refs FROM change_log GROUP BY kind",
    );
    const refs = new Map(rows.map((row) => [row.kind, row.refs]));
    expect(refs.get("rollout-pods")).toContain("test/shop/Rollout/with-pods");
    expect(refs.get("rollout-events")).toContain("test/shop/Rollout/eventful");
    const experiments = await world.query<{ uid: string }>("SELECT uid FROM experiment");
    expect(refs.get("experiment")?.toSorted()).toEqual(experiments.map(({ uid }) => uid).toSorted());
  });
});
