import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { sourcesOf, watchedResources } from "#lib/server/clusters/sources/watched-resources.ts";
import { inTransaction } from "#lib/server/platform/db/in-transaction.ts";
import { createKindWriter } from "#lib/server/recording/kinds/create-kind-writer.ts";
import { createRecorderMetrics } from "#lib/server/recording/store/recorder-metrics.ts";
import { lockJoin } from "#lib/server/recording/store/view-lock.ts";
import { rederiveDue } from "#lib/server/recording/upkeep/rederive.ts";
import {
  podStatus,
  sampleEvent,
  sampleExperiment,
  samplePod,
  sampleReplicaSet,
  sampleTemplate,
} from "#test/kind-samples.ts";
import { storedGaps, storedMeasurements } from "#test/measurement-rows.ts";
import { at, measurements, sampleRollout, sampleRun } from "#test/recorder-samples.ts";
import { createRecorderWorld, type RecorderWorld, waitFor } from "#test/recorder-world.ts";

const manager = { manager: "rollouts-controller" };

let world: RecorderWorld;
beforeAll(async () => {
  world = await createRecorderWorld();
});
afterEach(() => world.stopAll());
afterAll(() => world.close());

describe("a restart", () => {
  it("moves no time and adds no version where it sees what is stored already", async () => {
    const { store } = world.sandbox;
    const first = await world.start();
    const rollout = store.create("rollouts", sampleRollout({ name: "still" }), manager).metadata;
    const owner = { kind: "Rollout", name: "still", uid: rollout.uid };
    const set = store.create("replicasets", sampleReplicaSet({ name: "still-a", hash: "a", owner }), manager).metadata;
    store.create(
      "pods",
      samplePod({ name: "p", owner: { kind: "ReplicaSet", name: "still-a", uid: set.uid } }),
      manager,
    );
    store.create("experiments", sampleExperiment({ name: "still-e", owner }), manager);
    store.create("analysistemplates", sampleTemplate({ name: "still-t" }), manager);
    store.create("clusteranalysistemplates", sampleTemplate({ name: "c", kind: "ClusterAnalysisTemplate" }), manager);
    store.create(
      "deployments",
      { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "d", namespace: "shop" } },
      manager,
    );
    store.create(
      "analysisruns",
      sampleRun({ name: "still-r", metrics: [{ name: "m", measurements: measurements(1, 2), count: 2 }] }),
      manager,
    );
    const tables = ["analysis_run", "replica_set", "experiment", "pod", "deployment", "analysis_template"];
    const times = async () => {
      const all = await Promise.all(
        tables.map((table) =>
          world.query<{ at: string }>(`SELECT uid, updated_at::text AS at FROM ${table} ORDER BY uid`),
        ),
      );
      return all.map((rows, index) => [tables[index], rows]);
    };
    const wanted = [1, 1, 1, 1, 1, 2];
    const before = await waitFor("one of each", async () => {
      const rows = await times();
      return rows.every(([, list], index) => list?.length === wanted[index]) ? rows : undefined;
    });
    const logged = async () => {
      const [row] = await world.query<{ count: number }>(
        "SELECT count(*)::int AS count FROM change_log WHERE kind <> 'source' AND ref NOT LIKE '%Rollout/still'",
      );
      return row?.count;
    };
    const changes = await logged();
    await first.stop();
    await world.start();
    expect(await times()).toEqual(before);
    expect(await logged()).toBe(changes);
    expect(await world.query("SELECT version FROM analysis_template_version")).toEqual([
      { version: 1 },
      { version: 1 },
    ]);
  });
});

describe("named namespaces", () => {
  it("leave one source of what has none; refused, it is denied and the others are live", async () => {
    const scoped = await createRecorderWorld({ cluster: { namespaces: ["shop"] } });
    try {
      const { store } = scoped.sandbox;
      store.create("analysistemplates", sampleTemplate({ name: "own" }), manager);
      scoped.sandbox.fault({ fault: "403", resource: "clusteranalysistemplates" });
      await scoped.start({ waitUntilLive: false, timing: { deniedRetryMs: 100 } });
      const states = () => scoped.query<{ id: string; state: string }>("SELECT id, state FROM source ORDER BY id");
      const settled = await waitFor("every source to settle", async () => {
        const rows = await states();
        return rows.length === watchedResources.length && rows.every(({ state }) => state !== "syncing")
          ? rows
          : undefined;
      });
      expect(settled.filter(({ state }) => state !== "live")).toEqual([
        { id: "test/clusteranalysistemplates", state: "denied" },
      ]);
      expect(settled.filter(({ id }) => !id.endsWith("/shop"))).toHaveLength(1);
      expect(await scoped.query("SELECT name FROM analysis_template")).toEqual([{ name: "own" }]);
      scoped.sandbox.fault({ fault: "none" });
      const shared = sampleTemplate({ name: "shared", kind: "ClusterAnalysisTemplate" });
      store.create("clusteranalysistemplates", shared, manager);
      await waitFor("the template of the cluster", async () => {
        const rows = await scoped.query("SELECT namespace, kind FROM analysis_template WHERE name = 'shared'");
        return rows.length === 1 && (await states()).every(({ state }) => state === "live");
      });
    } finally {
      await scoped.close();
    }
  });
});

describe("events of other people's pods", () => {
  const event = (name: string, minutesAgo: number) =>
    sampleEvent({
      name,
      involved: { apiVersion: "v1", kind: "Pod", name, uid: name },
      at: new Date(Date.now() - minutesAgo * 60_000),
    });
  const storedNames = async (of: RecorderWorld) =>
    (await of.query<{ name: string }>("SELECT involved_name AS name FROM kube_event ORDER BY 1")).map(
      ({ name }) => name,
    );

  it("wait for a moment where they are fresh, by our clock or by the source's own", async () => {
    const own = await createRecorderWorld();
    try {
      const { store } = own.sandbox;
      // A source whose clock is an hour behind: its newest event is as recent as possible by that clock.
      store.create("events", event("newest-there", 60), manager);
      store.create("events", event("old-there", 70), manager);
      const first = await own.start();
      expect(await storedNames(own)).toEqual(["newest-there"]);
      await first.stop();
      store.create("events", event("now", 0), manager);
      await own.query("DELETE FROM kube_event");
      await own.start();
      expect(await storedNames(own)).toEqual(["now"]);
    } finally {
      await own.close();
    }
  });
});

describe("a run that vanishes unseen", () => {
  it("leaves an open gap in each metric that had not ended, until it turns out to be there", async () => {
    const { store } = world.sandbox;
    const first = await world.start();
    const inFlight = { phase: "Running", startedAt: at(40) };
    const sample = sampleRun({
      name: "vanishing",
      metrics: [
        { name: "in-flight", measurements: [...measurements(1, 3), inFlight], count: 3 },
        { name: "between", measurements: measurements(1, 2), count: 2 },
        { name: "never", measurements: [], count: 0 },
        { name: "ended", measurements: measurements(1, 2), count: 2 },
      ],
    });
    const status = (sample as object as { status: { metricResults: { phase: string }[] } }).status;
    const ended = status.metricResults.at(-1);
    if (ended !== undefined) ended.phase = "Failed";
    const run = store.create("analysisruns", sample, manager);
    await waitFor("its measurements", async () => {
      const rows = await world.query(`SELECT FROM ${storedMeasurements()} WHERE run_uid = $1`, [run.metadata.uid]);
      return rows.length === 8;
    });
    await first.stop();
    store.delete("analysisruns", "shop", "vanishing");
    store.forgetHistory();
    const second = await world.start();
    const gaps = () =>
      world.query(`SELECT metric, after_seq, count, open FROM ${storedGaps()} WHERE run_uid = $1 ORDER BY metric`, [
        run.metadata.uid,
      ]);
    await waitFor("the gaps", async () => (await gaps()).length === 3);
    expect(await gaps()).toEqual([
      { metric: "between", after_seq: 2, count: 0, open: true },
      { metric: "in-flight", after_seq: 3, count: 1, open: true },
      { metric: "never", after_seq: 0, count: 0, open: true },
    ]);
    expect(await world.query("SELECT presence, phase FROM analysis_run WHERE uid = $1", [run.metadata.uid])).toEqual([
      { presence: "unobserved", phase: "Running" },
    ]);
    // A restored server shows it again, further on: what it reports then replaces the guess.
    const source = sourcesOf(world.config).find(({ resource }) => resource === "analysisruns");
    if (source === undefined) throw new Error("no source");
    const writer = createKindWriter(source, createRecorderMetrics());
    const later = sampleRun({
      name: "vanishing",
      metrics: [{ name: "in-flight", measurements: measurements(6, 8), count: 8 }],
    });
    const object = { ...later, metadata: { ...run.metadata, resourceVersion: "999999" } };
    const tx = await second.pool.connect();
    await writer.write(tx, [
      { op: "upsert", uid: run.metadata.uid, resourceVersion: "999999", object, receivedAt: new Date() },
    ]);
    tx.release();
    expect(await gaps()).toEqual([{ metric: "in-flight", after_seq: 3, count: 2, open: false }]);
  });
});

describe("a workload", () => {
  it("waits for the rollouts that are being written, since their views rest on it", async () => {
    const recorder = await world.start();
    const stored = () => world.query("SELECT uid FROM deployment WHERE name = 'beside'");
    const waiting = () =>
      world.query(`SELECT pid FROM pg_locks JOIN pg_database AS d ON d.oid = database
        WHERE locktype = 'advisory' AND NOT granted AND datname = current_database()`);
    await inTransaction(recorder.pool, async (tx) => {
      await lockJoin(tx, "rollout-view", world.cluster);
      const metadata = { name: "beside", namespace: "shop" };
      world.sandbox.store.create("deployments", { apiVersion: "apps/v1", kind: "Deployment", metadata }, manager);
      await waitFor("its writer waits", async () => (await waiting()).length > 0);
      expect(await stored()).toEqual([]);
    });
    await waitFor("it is stored", async () => (await stored()).length > 0);
  });
});

describe("a controller that is another version", () => {
  it("shows its rollouts again: what it does if the primary fails depends on it", async () => {
    await world.start();
    const run = (version: string) => {
      const containers = [{ name: "flagger", image: `ghcr.io/fluxcd/flagger:${version}` }];
      put("deployments", "flagger", { spec: { template: { spec: { containers } } } });
    };
    const late = { type: "Progressing", status: "False", reason: "ProgressDeadlineExceeded" };
    put("deployments", "versioned-primary", {
      spec: { replicas: 2 },
      status: { observedGeneration: 9, replicas: 2, updatedReplicas: 2, conditions: [late] },
    });
    run("1.43.0");
    put("canaries", "versioned", {
      spec: canarySpec("versioned"),
      status: { phase: "Promoting", canaryWeight: 50, lastAppliedSpec: "B", lastPromotedSpec: "A" },
    });
    const says = (words: RegExp) => async () => {
      const sql = "SELECT message FROM rollout WHERE name = 'versioned' AND kind = 'Canary'";
      return words.test((await world.query<{ message: string }>(sql))[0]?.message ?? "");
    };
    await waitFor("it is at risk", says(/not ready while it takes/));
    run("1.36.0");
    await waitFor("it waits for ever", says(/waits for ever/));
  });
});

describe("a Canary that is recorded before its workloads", () => {
  it("gets the images of its release once they are known, also if it does not change any more", async () => {
    const { pool } = await world.start();
    put("canaries", "early", {
      spec: canarySpec("early"),
      status: { phase: "Progressing", canaryWeight: 50, lastAppliedSpec: "B", lastPromotedSpec: "A" },
    });
    const releases = () =>
      world.query<{ images: string[] }>(
        "SELECT l.images FROM release l JOIN rollout r ON r.id = l.rollout_id WHERE r.name = 'early' AND l.run_key = 'B'",
      );
    await waitFor("its release", async () => (await releases()).length === 1);
    expect(await releases()).toEqual([{ images: [] }]);
    // The primary has the version before: the target's record is newer than that.
    for (const [name, image] of [
      ["early-primary", "shop:1"],
      ["early", "shop:2"],
    ] as const)
      put("deployments", name, { spec: { replicas: 1, template: { spec: { containers: [{ name: "app", image }] } } } });
    await waitFor("its history to be due", async () => {
      const due = await world.query("SELECT id FROM rollout WHERE name = 'early' AND derivation_version = 0");
      return due.length === 1;
    });
    while ((await rederiveDue(pool)) > 0);
    expect(await releases()).toEqual([{ images: ["shop:2"] }]);
  });
});

/** Creates or replaces an object of the sandbox. */
function put(resource: string, name: string, { status = {}, ...object }: { status?: object; spec: object }) {
  const { store } = world.sandbox;
  const known = store.get(resource, "shop", name) ?? store.create(resource, sample(resource, name), manager);
  const updated = store.update(resource, { ...known, ...object } as typeof known, manager);
  store.update(resource, { ...updated, status } as typeof known, { ...manager, subresource: "status" });
}

function canarySpec(target: string) {
  return {
    targetRef: { apiVersion: "apps/v1", kind: "Deployment", name: target },
    analysis: { interval: "10s", threshold: 3, maxWeight: 50, stepWeight: 50 },
  };
}

function sample(resource: string, name: string) {
  const metadata = { namespace: "shop", name };
  return resource === "canaries"
    ? { apiVersion: "flagger.app/v1beta1", kind: "Canary", metadata }
    : { apiVersion: "apps/v1", kind: "Deployment", metadata };
}

describe("what waits in the queue of kinds with very many objects", () => {
  it.each([
    { resource: "pods", object: { ...samplePod({ name: "p" }), status: podStatus({ ready: true }) } },
    {
      resource: "deployments",
      object: {
        kind: "Deployment",
        metadata: { name: "d", annotations: { note: "planted-env" } },
        // Its pod template waits as well: a rollout that names it may be recorded meanwhile.
        spec: { template: { spec: { containers: [{ image: "shop:1" }] } }, selector: { note: "planted-env" } },
      },
    },
    {
      resource: "events",
      object: {
        kind: "Event",
        metadata: { namespace: "shop", annotations: { note: "planted-env" } },
        involvedObject: { kind: "Node", name: "n", uid: "n", apiVersion: "v1" },
        message: "planted-env",
      },
    },
  ])("is no more than what is stored of $resource", ({ resource, object }) => {
    const source = sourcesOf(world.config).find((each) => each.resource === resource);
    if (source === undefined) throw new Error("no source");
    const whole = {
      ...object,
      metadata: { ...object.metadata, uid: "u", resourceVersion: "1", managedFields: [{ manager: "kubelet" }] },
    };
    const entry = {
      op: "upsert" as const,
      uid: "u",
      resourceVersion: "1",
      object: whole as unknown,
      receivedAt: new Date(),
    };
    createKindWriter(source, createRecorderMetrics()).prepare?.(entry);
    const kept = JSON.stringify(entry.object);
    expect(kept).not.toContain("planted-env");
    expect(kept).not.toContain("managedFields");
    expect(kept.length).toBeLessThan(600);
  });
});
