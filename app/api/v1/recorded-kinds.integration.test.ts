import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { linkEvents } from "#lib/server/recorder/link-events.ts";
import { createFailClosedWorld, type FailClosedWorld, type ProbedRecorder } from "#test/fail-closed/world.ts";
import {
  podStatus,
  sampleEvent,
  sampleExperiment,
  samplePod,
  sampleReplicaSet,
  sampleTemplate,
} from "#test/kind-samples.ts";
import { sampleRollout, sampleRun } from "#test/recorder-samples.ts";
import { waitFor } from "#test/recorder-world.ts";

const manager = { manager: "rollouts-controller" };
const kubelet = { manager: "kubelet", subresource: "status" } as const;

let world: FailClosedWorld;
let recorder: ProbedRecorder;
beforeAll(async () => {
  world = await createFailClosedWorld();
  recorder = await world.start();
});
afterAll(() => world.close());

type Body = Record<string, unknown> & { items: Record<string, unknown>[] };
async function get(path: string): Promise<Body> {
  const { status, body } = await world.call("GET", path, { as: "viewer" });
  expect({ status, body: status === 200 ? undefined : body }).toEqual({ status: 200, body: undefined });
  return body as Body;
}
/** The answer once `isReady` holds of it. */
function getWhen(path: string, isReady: (body: Body) => boolean): Promise<Body> {
  return waitFor(`${path} as wanted`, async () => {
    const { status, body } = await world.call("GET", path, { as: "viewer" });
    return status === 200 && isReady(body as Body) ? (body as Body) : undefined;
  });
}

function addRollout(name: string, spec: object = {}): { name: string; uid: string } {
  const sample = sampleRollout({ name });
  const made = world.sandbox.store.create(
    "rollouts",
    { ...sample, spec: { ...(sample.spec as object), ...spec } },
    manager,
  );
  return { name, uid: made.metadata.uid };
}

function addReplicaSet(options: { name: string; hash?: string; owner: { kind: string; name: string; uid: string } }) {
  const { name, hash = "aaa", owner } = options;
  const { uid } = world.sandbox.store.create("replicasets", sampleReplicaSet({ name, hash, owner }), manager).metadata;
  return { kind: "ReplicaSet", name, uid };
}

const statusOf = (sample: object): Record<string, unknown> => (sample as { status: Record<string, unknown> }).status;
const specOf = (sample: object): Record<string, unknown> => (sample as { spec: Record<string, unknown> }).spec;
const pathOf = (name: string): string => `/api/v1/rollouts/test/shop/Rollout/${name}`;

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
    // The sandbox gives uids itself: the pod that the early event is about is recorded as the recorder would.
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
    // Nobody comes for the foreign pod's event: it goes, and those of our kinds stay.
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
    // What is measured after the move must not go where the run was before.
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

describe("templates", () => {
  const path = "/api/v1/templates/test/shop/AnalysisTemplate/rules";

  it("keep every spec with its writer and time, and tell which held when", async () => {
    const { store } = world.sandbox;
    const made = store.create("analysistemplates", sampleTemplate({ name: "rules" }), { manager: "helm" });
    await getWhen(path, ({ version }) => version === 1);
    // The cluster's times have seconds: the second spec must be of a later one.
    await sleep(1100);
    const changed = { ...made, spec: specOf(sampleTemplate({ name: "rules", condition: "result >= 0.99" })) };
    const second = store.update("analysistemplates", changed, { manager: "kubectl-edit" });
    await getWhen(path, ({ version }) => version === 2);
    store.update(
      "analysistemplates",
      { ...second, metadata: { ...second.metadata, labels: { team: "shop" } } },
      { manager: "labeler" },
    );
    const detail = await getWhen(path, ({ version, updatedAt }) => version === 2 && updatedAt !== undefined);
    expect(detail).toMatchObject({
      id: "test/shop/AnalysisTemplate/rules",
      presence: "live",
      writer: "kubectl-edit",
      metrics: [
        {
          name: "success-rate",
          provider: "prometheus",
          interval: "30s",
          successCondition: "result >= 0.99",
          count: null,
        },
      ],
      args: [
        { name: "service", value: null, secret: false },
        { name: "key", value: null, secret: true },
      ],
    });
    const { items } = await get(`${path}/versions`);
    expect(items).toMatchObject([
      { version: 2, current: true, writer: "kubectl-edit", until: null },
      { version: 1, current: false, writer: "helm", until: items[0]?.writtenAt },
    ]);
    expect(items[0]?.specHash).not.toBe(items[1]?.specHash);
    const at = async (time: unknown) =>
      (await get(`${path}/versions?at=${String(time)}`)).items.map((item) => item.version);
    expect(await at(items[1]?.writtenAt)).toEqual([1]);
    expect(await at(items[0]?.writtenAt)).toEqual([2]);
    expect(await at("2020-01-01T00:00:00Z")).toEqual([]);
    // Back to the first spec: a version of its own, with the same content.
    const now = store.get("analysistemplates", "shop", "rules");
    if (now === undefined) throw new Error("the template is gone");
    store.update("analysistemplates", { ...now, spec: specOf(made) }, { manager: "helm" });
    const back = await getWhen(`${path}/versions`, ({ items }) => items.length === 3);
    expect(back.items.filter((item) => item.specHash === items[1]?.specHash)).toHaveLength(2);
    const stored = JSON.stringify(await world.query("SELECT * FROM analysis_template_version"));
    expect(stored).not.toContain("planted");
    expect(stored).toContain("token=[redacted]");
  });

  it("are found again from a run that was made of them, by what they said then", async () => {
    const { store } = world.sandbox;
    const made = store.create("analysistemplates", sampleTemplate({ name: "then" }), { manager: "helm" });
    store.create("analysistemplates", sampleTemplate({ name: "other", condition: "true" }), { manager: "helm" });
    const run = store.create(
      "analysisruns",
      { ...sampleRun({ name: "made-then" }), spec: { ...specOf(sampleTemplate({ name: "then" })), args: [] } },
      manager,
    );
    await getWhen("/api/v1/templates/test/shop/AnalysisTemplate/then", ({ version }) => version === 1);
    const runPath = `/api/v1/analysis-runs/${run.metadata.uid}`;
    const was = { id: "test/shop/AnalysisTemplate/then", kind: "AnalysisTemplate", name: "then", version: 1 };
    const before = await getWhen(runPath, ({ templates }) => (templates as unknown[]).length > 0);
    expect(before.templates).toContainEqual({ ...was, namespace: "shop", current: true });
    await sleep(1100);
    store.update(
      "analysistemplates",
      { ...made, spec: specOf(sampleTemplate({ name: "then", condition: "false" })) },
      manager,
    );
    await getWhen("/api/v1/templates/test/shop/AnalysisTemplate/then", ({ version }) => version === 2);
    const { templates } = await get(runPath);
    expect(templates).toContainEqual({ ...was, namespace: "shop", current: false });
    expect((templates as { name: string }[]).map(({ name }) => name)).not.toContain("other");
  });

  it("know who uses them: rollouts of their namespace, or of the cluster, and other templates", async () => {
    const { store } = world.sandbox;
    store.create("analysistemplates", sampleTemplate({ name: "used" }), manager);
    store.create(
      "clusteranalysistemplates",
      sampleTemplate({ name: "used", kind: "ClusterAnalysisTemplate" }),
      manager,
    );
    store.create(
      "analysistemplates",
      sampleTemplate({ name: "made-of", templates: [{ templateName: "used" }] }),
      manager,
    );
    const canary = (clusterScope: boolean) => ({
      strategy: { canary: { steps: [{ analysis: { templates: [{ templateName: "used", clusterScope }] } }] } },
    });
    addRollout("uses-own", canary(false));
    addRollout("uses-shared", canary(true));
    const own = await getWhen("/api/v1/templates/test/shop/AnalysisTemplate/used", ({ usedBy, composedInto }) => {
      return usedBy === 1 && (composedInto as unknown[]).length === 1;
    });
    expect(own).toMatchObject({
      rollouts: [{ id: "test/shop/Rollout/uses-own" }],
      composedInto: ["test/shop/AnalysisTemplate/made-of"],
    });
    const shared = await getWhen("/api/v1/templates/test/-/ClusterAnalysisTemplate/used", ({ usedBy }) => usedBy === 1);
    expect(shared).toMatchObject({ namespace: null, rollouts: [{ id: "test/shop/Rollout/uses-shared" }] });
    const list = async (query: string) =>
      (await get(`/api/v1/templates?${query}`)).items.map((item) => `${item.kind}/${item.name}`);
    expect(await list("kind=ClusterAnalysisTemplate")).toEqual(["ClusterAnalysisTemplate/used"]);
    expect(await list("q=USED&namespace=shop")).toEqual(["AnalysisTemplate/used"]);
    expect(await list("cluster=other")).toEqual([]);
    store.delete("analysistemplates", "shop", "made-of");
    await waitFor("one less", async () => !(await list("")).includes("AnalysisTemplate/made-of"));
    const gone = await get("/api/v1/templates/test/shop/AnalysisTemplate/made-of");
    expect(gone).toMatchObject({ presence: "deleted", composedOf: ["AnalysisTemplate/used"] });
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
    expect(refs.get("template")).toEqual(
      expect.arrayContaining(["test/shop/AnalysisTemplate/rules", "test/-/ClusterAnalysisTemplate/used"]),
    );
    const experiments = await world.query<{ uid: string }>("SELECT uid FROM experiment");
    expect(refs.get("experiment")?.toSorted()).toEqual(experiments.map(({ uid }) => uid).toSorted());
  });
});
