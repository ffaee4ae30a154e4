import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { storedMeasurements } from "#test/measurement-rows.ts";
import { at, measurements, sampleRollout, sampleRun } from "#test/recorder-samples.ts";
import { createRecorderWorld, type RecorderWorld, waitFor } from "#test/recorder-world.ts";

let world: RecorderWorld;
beforeAll(async () => {
  world = await createRecorderWorld();
});
afterEach(async () => {
  world.sandbox.fault({ fault: "none" });
  await world.stopAll();
});
afterAll(() => world.close());

const manager = { manager: "rollouts-controller" };
const isStored = async (uid: string): Promise<boolean> =>
  (await world.query("SELECT 1 FROM analysis_run WHERE uid = $1", [uid])).length > 0;

describe("what is refused", () => {
  it("puts a run whose counters cannot be true into quarantine and stores the others", async () => {
    await world.start();
    const { store } = world.sandbox;
    const huge = 2 ** 31 - 1;
    const uids = ["good-1", "bad", "good-2"].map(
      (name) =>
        store.create(
          "analysisruns",
          sampleRun({
            name,
            metrics: [{ name: "m", measurements: measurements(1, 2), count: name === "bad" ? huge : 2 }],
          }),
          manager,
        ).metadata.uid,
    );
    await waitFor("the good ones", async () => (await isStored(uids[0] ?? "")) && (await isStored(uids[2] ?? "")));
    expect(await isStored(uids[1] ?? "")).toBe(false);
    const quarantined = await world.query("SELECT ref, source_id, reason FROM quarantine");
    expect(quarantined).toEqual([
      { ref: uids[1], source_id: "test/analysisruns", reason: expect.stringContaining(".count: ") },
    ]);
    // A later version that can be stored removes it from quarantine.
    const bad = store.get("analysisruns", "shop", "bad");
    if (bad === undefined) throw new Error("the run is gone");
    const { status } = sampleRun({ name: "bad", metrics: [{ name: "m", measurements: measurements(1, 2), count: 2 }] });
    store.update("analysisruns", { ...bad, status: status as Record<string, unknown> }, manager);
    await waitFor("the bad one", () => isStored(uids[1] ?? ""));
    await waitFor("an empty quarantine", async () => (await world.query("SELECT 1 FROM quarantine")).length === 0);
  });

  it("keeps an object of drifted schema aside with the reason", async () => {
    await world.start();
    const { store } = world.sandbox;
    const rollout = sampleRollout({ name: "drifted" });
    const uid = store.create(
      "rollouts",
      { ...rollout, spec: { ...(rollout.spec as object), strategy: "Canary" } },
      manager,
    ).metadata.uid;
    const rows = await waitFor("its quarantine", async () => {
      const found = await world.query("SELECT reason, raw FROM quarantine WHERE ref = $1", [uid]);
      return found.length > 0 ? found : undefined;
    });
    expect(rows[0]?.reason).toContain("spec.strategy");
  });

  it("stores text that PostgreSQL cannot hold escaped, and says so", async () => {
    await world.start();
    const { store } = world.sandbox;
    const odd = { phase: "Error", value: "a\0b\ud800", message: "x\0", startedAt: at(1), finishedAt: at(2) };
    const run = store.create(
      "analysisruns",
      sampleRun({ name: "odd", metrics: [{ name: "m", measurements: [odd], count: 0, error: 1 }] }),
      manager,
    );
    const rows = await waitFor("the measurement", async () => {
      const found = await world.query(
        `SELECT value, message, escaped, parsed_kind FROM ${storedMeasurements()} WHERE run_uid = $1`,
        [run.metadata.uid],
      );
      return found.length > 0 ? found : undefined;
    });
    expect(rows).toEqual([{ value: "a\\u0000b\\ud800", message: "x\\u0000", escaped: true, parsed_kind: "string" }]);
  });

  it("lets no secret reach a table", async () => {
    await world.start();
    const { store } = world.sandbox;
    const canary = "s3cr3t-canary-value";
    const headers = [
      { key: "Authorization", value: `Bearer ${canary}` },
      { key: "X-Api-Key", value: canary },
    ];
    const provider = { web: { url: `https://u:${canary}@x/y?token=${canary}`, headers } };
    const spec = {
      metrics: [{ name: "m", provider }],
      args: [
        { name: "key", value: canary, valueFrom: { secretKeyRef: { name: "s", key: "k" } } },
        { name: "api-token", value: canary },
      ],
    };
    const failed = {
      phase: "Error",
      message: `Get "https://u:${canary}@x": Bearer ${canary}`,
      startedAt: at(1),
      finishedAt: at(2),
    };
    const run = store.create(
      "analysisruns",
      sampleRun({
        name: "secret",
        spec,
        message: `Bearer ${canary}`,
        metrics: [{ name: "m", measurements: [failed], count: 0, error: 1 }],
      }),
      manager,
    );
    const rollout = store.create(
      "rollouts",
      sampleRollout({
        name: "secret",
        env: [{ name: "DB_PASSWORD", value: canary }],
        annotations: { "kubectl.kubernetes.io/last-applied-configuration": `{"x":"${canary}"}` },
      }),
      manager,
    );
    await waitFor("both", async () => {
      const runs = await isStored(run.metadata.uid);
      return runs && (await world.query("SELECT 1 FROM rollout WHERE uid = $1", [rollout.metadata.uid])).length > 0;
    });
    const tables = await world.query<{ name: string }>(
      "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'",
    );
    for (const { name } of tables) {
      const found = await world.query(`SELECT 1 FROM "${name}" t WHERE t::text LIKE $1`, [`%${canary}%`]);
      expect(found, name).toEqual([]);
    }
  });
});

describe("leases", () => {
  it("stops writing once another recorder holds the lease, and that one goes on", async () => {
    const first = await world.start({ renewEveryMs: 60_000 });
    // Simulates that the first was stopped for longer than its lease lasts.
    await world.query("UPDATE source_lease SET expires_at = clock_timestamp() - interval '1 second'");
    const second = await world.start();
    const run = world.sandbox.store.create("analysisruns", sampleRun({ name: "handed-over" }), manager);
    await waitFor("the run", () => isStored(run.metadata.uid));
    const holders = await world.query<{ holder: string }>("SELECT DISTINCT holder FROM source_lease");
    expect(holders).toEqual([{ holder: second.holder }]);
    const text = await waitFor("the loss in the first one's metrics", async () => {
      const metric = await first.metrics.leaseTransitions.get();
      return metric.values.some(({ labels, value }) => {
        const { to, kind }: Record<string, unknown> = { ...labels };
        return to === "lost" && kind === "AnalysisRun" && value === 1;
      });
    });
    expect(text).toBe(true);
  });
});
