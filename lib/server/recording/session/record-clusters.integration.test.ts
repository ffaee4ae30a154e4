import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { KubeObject } from "#sandbox/apiserver/store-types.ts";
import { storedGaps, storedMeasurements } from "#test/measurement-rows.ts";
import { at, measurements, rolloutStatus, sampleRollout, sampleRun } from "#test/recorder-samples.ts";
import { createRecorderWorld, type RecorderWorld, waitFor } from "#test/recorder-world.ts";

let world: RecorderWorld;
beforeAll(async () => {
  world = await createRecorderWorld();
});
afterEach(() => world.stopAll());
afterAll(() => world.close());

const manager = { manager: "rollouts-controller" };

function isRecord(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === "object";
}

function updateRun(run: KubeObject, next: ReturnType<typeof sampleRun>): KubeObject {
  const current = world.sandbox.store.get("analysisruns", run.metadata.namespace, run.metadata.name);
  if (current === undefined) throw new Error("the run is gone");
  const { spec, status } = next;
  const changed: KubeObject = { ...current };
  if (isRecord(spec)) changed.spec = spec;
  if (isRecord(status)) changed.status = status;
  return world.sandbox.store.update("analysisruns", changed, manager);
}

const seqsOf = async (uid: string): Promise<number[]> =>
  (
    await world.query<{ seq: number }>(`SELECT seq FROM ${storedMeasurements()} WHERE run_uid = $1 ORDER BY seq`, [uid])
  ).map((row) => row.seq);
const rowOf = async (uid: string) => (await world.query("SELECT * FROM analysis_run WHERE uid = $1", [uid]))[0];

describe("recordClusters", () => {
  it("stores what the list has and what the watch brings", async () => {
    const { store } = world.sandbox;
    const listed = store.create("rollouts", sampleRollout({ name: "listed" }), { manager: "kubectl" });
    await world.start();
    const watched = store.create("rollouts", sampleRollout({ name: "watched" }), { manager: "kubectl" });
    store.update(
      "rollouts",
      { ...watched, status: rolloutStatus({ phase: "Healthy", message: "" }) },
      { ...manager, subresource: "status" },
    );
    const rows = await waitFor("both rollouts", async () => {
      const found = await world.query("SELECT name, uid, phase, revision_key FROM rollout ORDER BY name");
      return found.length === 2 && found[1]?.phase === "Healthy" ? found : undefined;
    });
    expect(rows).toMatchObject([
      { name: "listed", uid: listed.metadata.uid },
      { name: "watched", uid: watched.metadata.uid, revision_key: "aaa" },
    ]);
    expect(
      await world.query("SELECT ref, op FROM change_log WHERE kind = 'rollout' AND ref LIKE '%watched'"),
    ).toContainEqual({ ref: "test/shop/Rollout/watched", op: "upsert" });
  });

  it("keeps every measurement of a run that the cluster trims to ten, and its end when it is deleted at once", async () => {
    await world.start();
    const { store } = world.sandbox;
    const sample = (to: number, phase = "Running") =>
      sampleRun({
        name: "trimmed",
        phase,
        metrics: [{ name: "m", measurements: measurements(Math.max(1, to - 9), to), count: to }],
      });
    const run = store.create("analysisruns", sample(1), manager);
    for (let to = 2; to <= 25; to++) updateRun(run, sample(to));
    updateRun(run, sample(25, "Failed"));
    store.delete("analysisruns", "shop", "trimmed");
    await waitFor("the end of the run", async () => (await rowOf(run.metadata.uid))?.presence === "deleted");
    expect(await seqsOf(run.metadata.uid)).toEqual(Array.from({ length: 25 }, (_, index) => index + 1));
    expect(await world.query(`SELECT * FROM ${storedGaps()} WHERE run_uid = $1`, [run.metadata.uid])).toEqual([]);
    expect(await rowOf(run.metadata.uid)).toMatchObject({ phase: "Failed", completed_at: new Date(at(1000)) });
  });

  it("goes on after a restart without duplicates, sees ends that it missed, and stores the gap", async () => {
    const { store } = world.sandbox;
    const sample = (from: number, to: number, phase = "Running") =>
      sampleRun({ name: "resumed", phase, metrics: [{ name: "m", measurements: measurements(from, to), count: to }] });
    const first = await world.start();
    const run = store.create("analysisruns", sample(1, 5), manager);
    await waitFor("five measurements", async () => (await seqsOf(run.metadata.uid)).length === 5);
    await first.stop();
    // One version, in which the cluster has already dropped what came in between.
    updateRun(run, sample(16, 25));
    const ended = store.create("analysisruns", sampleRun({ name: "missed", phase: "Successful" }), manager);
    store.delete("analysisruns", "shop", "missed");
    await world.start();
    await waitFor("the rest", async () => (await seqsOf(run.metadata.uid)).length === 15);
    expect(
      await world.query(`SELECT metric, after_seq, count FROM ${storedGaps()} WHERE run_uid = $1`, [run.metadata.uid]),
    ).toEqual([{ metric: "m", after_seq: 5, count: 10 }]);
    expect(await rowOf(ended.metadata.uid)).toMatchObject({ presence: "deleted", phase: "Successful" });
  });

  it("lists workloads after the rollouts that name them, so that their pod templates are kept", async () => {
    const { store } = world.sandbox;
    const metadata = { name: "named", namespace: "shop" };
    const template = { spec: { containers: [{ name: "app", image: "shop:1" }] } };
    store.create("deployments", { apiVersion: "apps/v1", kind: "Deployment", metadata, spec: { template } }, manager);
    const targetRef = { apiVersion: "apps/v1", kind: "Deployment", name: "named" };
    store.create(
      "canaries",
      { apiVersion: "flagger.app/v1beta1", kind: "Canary", metadata, spec: { targetRef, analysis: {} } },
      manager,
    );
    const client = world.client();
    const slow: typeof client = {
      ...client,
      async request(request) {
        if (request.path.endsWith("/canaries")) await sleep(1000);
        return client.request(request);
      },
    };
    await world.start({ clientOf: () => slow });
    expect(
      await world.query("SELECT name FROM deployment WHERE name = 'named' AND template_digest IS NOT NULL"),
    ).toHaveLength(1);
    await client.close();
  });

  it("marks runs unobserved that vanished while the server forgot its history", async () => {
    const { store } = world.sandbox;
    const first = await world.start();
    const inFlight = { phase: "Running", startedAt: at(40) };
    const run = store.create(
      "analysisruns",
      sampleRun({
        name: "vanished",
        metrics: [{ name: "m", measurements: [...measurements(1, 3), inFlight], count: 3 }],
      }),
      manager,
    );
    await waitFor("four measurements", async () => (await seqsOf(run.metadata.uid)).length === 4);
    await first.stop();
    store.delete("analysisruns", "shop", "vanished");
    store.forgetHistory();
    await world.start();
    await waitFor("its presence", async () => (await rowOf(run.metadata.uid))?.presence === "unobserved");
    expect(
      await world.query(`SELECT metric, after_seq, count FROM ${storedGaps()} WHERE run_uid = $1`, [run.metadata.uid]),
    ).toEqual([{ metric: "m", after_seq: 3, count: 1 }]);
  });

  it("records freshness by the database's clock", async () => {
    await world.start();
    const [row] = await world.query<{ watch: number; read: number; objects: number }>(
      `SELECT extract(epoch FROM clock_timestamp() - watch_contact_at)::float8 AS watch,
              extract(epoch FROM clock_timestamp() - read_contact_at)::float8 AS read FROM source WHERE resource = 'rollouts'`,
    );
    expect(row?.watch).toBeGreaterThanOrEqual(0);
    expect(row?.watch).toBeLessThan(10);
    expect(row?.read).toBeGreaterThanOrEqual(0);
  });
});
