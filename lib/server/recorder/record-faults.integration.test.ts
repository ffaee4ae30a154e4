import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { at, measurements, rolloutStatus, sampleRollout, sampleRun } from "#test/recorder-samples.ts";
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
const stateOf = async (resource: string): Promise<string> =>
  (await world.query<{ state: string }>("SELECT state FROM source WHERE resource = $1", [resource]))[0]?.state ?? "";
const becomes = (resource: string, state: string): Promise<true> =>
  waitFor(`${resource} ${state}`, async () => (await stateOf(resource)) === state);
const isStored = async (uid: string): Promise<boolean> =>
  (await world.query("SELECT 1 FROM analysis_run WHERE uid = $1", [uid])).length > 0;

describe("what is refused", () => {
  it("puts a row that the database refuses into quarantine and stores the others", async () => {
    await world.start();
    const { store } = world.sandbox;
    const huge = Number.MAX_SAFE_INTEGER;
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
    expect(quarantined).toEqual([{ ref: uids[1], source_id: "test/analysisruns", reason: expect.any(String) }]);
    // A later version that can be stored takes it out again.
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
        "SELECT value, message, escaped, parsed_kind FROM measurement WHERE run_uid = $1",
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
    // As if the first had been stopped for longer than its lease lives.
    await world.query("UPDATE source_lease SET expires_at = clock_timestamp() - interval '1 second'");
    const second = await world.start();
    const run = world.sandbox.store.create("analysisruns", sampleRun({ name: "handed-over" }), manager);
    await waitFor("the run", () => isStored(run.metadata.uid));
    const holders = await world.query<{ holder: string }>("SELECT DISTINCT holder FROM source_lease");
    expect(holders).toEqual([{ holder: second.holder }]);
    const text = await waitFor("the loss in the first one's metrics", async () => {
      const metric = await first.metrics.leaseTransitions.get();
      return metric.values.some(
        (each) => each.labels.to === "lost" && each.labels.kind === "AnalysisRun" && each.value === 1,
      );
    });
    expect(text).toBe(true);
  });
});

describe("states of a source", () => {
  it("403: denied, nothing is deleted, and it heals by itself", async () => {
    world.sandbox.store.create("rollouts", sampleRollout({ name: "kept" }), manager);
    await world.start({ timing: { deniedRetryMs: 200, watchSeconds: 1, readEveryMs: 200 } });
    world.sandbox.fault({ fault: "403", resource: "rollouts" });
    await becomes("rollouts", "denied");
    expect(await stateOf("analysisruns")).toBe("live");
    expect(await world.query("SELECT presence FROM rollout WHERE name = 'kept'")).toEqual([{ presence: "live" }]);
    world.sandbox.fault({ fault: "none" });
    await becomes("rollouts", "live");
  });

  it("404: absent, nothing is deleted", async () => {
    await world.start({ timing: { absentRetryMs: 200, watchSeconds: 1, readEveryMs: 200 } });
    world.sandbox.fault({ fault: "404", resource: "rollouts" });
    await becomes("rollouts", "absent");
    expect(await world.query("SELECT presence FROM rollout WHERE name = 'kept'")).toEqual([{ presence: "live" }]);
    world.sandbox.fault({ fault: "none" });
    await becomes("rollouts", "live");
  });

  it("no contact: stale by age, and live again afterwards", async () => {
    await world.start({ timing: { staleAfterMs: 1500, watchSeconds: 1, watchGraceMs: 200, readEveryMs: 300 } });
    world.sandbox.fault({ fault: "stall", resource: "rollouts" });
    await becomes("rollouts", "stale");
    world.sandbox.fault({ fault: "none" });
    await becomes("rollouts", "live");
  });

  it("garbage, a forgotten history and an unreachable server: it lists again and goes on", async () => {
    const recorder = await world.start({ timing: { watchSeconds: 1, readEveryMs: 500 } });
    for (const fault of ["garbage", "410", "drop", "500"] as const) {
      world.sandbox.fault({ fault });
      await waitFor(`a restart by ${fault}`, async () => {
        const { values } = await recorder.metrics.watchRestarts.get();
        return values.some((each) => each.labels.reason !== "closed" && each.value > 0);
      });
      recorder.metrics.watchRestarts.reset();
      world.sandbox.fault({ fault: "none" });
      const run = world.sandbox.store.create("analysisruns", sampleRun({ name: `after-${fault}` }), manager);
      await waitFor(`the run after ${fault}`, () => isStored(run.metadata.uid));
      await becomes("analysisruns", "live");
    }
  });

  it("another cluster under the same name: nothing is written", async () => {
    const recorder = await world.start({ timing: { watchSeconds: 1, identityRetryMs: 200 } });
    const refusals = async (): Promise<number> =>
      (await recorder.metrics.identityMismatches.get()).values.find((each) => each.labels.kind === "Rollout")?.value ??
      0;
    world.sandbox.fault({ fault: "wrong-cluster" });
    await becomes("rollouts", "error");
    const before = await world.query("SELECT uid FROM rollout ORDER BY uid");
    world.sandbox.store.create("rollouts", sampleRollout({ name: "foreign" }), manager);
    const seen = await refusals();
    await waitFor("two more looks", async () => (await refusals()) >= seen + 2);
    expect(await world.query("SELECT uid FROM rollout ORDER BY uid")).toEqual(before);
    world.sandbox.fault({ fault: "none" });
    await becomes("rollouts", "live");
  });

  it("an empty list after many: held, confirmed twice, and only then believed", async () => {
    const { store } = world.sandbox;
    for (let index = 0; index < 6; index++)
      store.create("rollouts", { ...sampleRollout({ name: `many-${index}` }), status: rolloutStatus() }, manager);
    const first = await world.start();
    const present = async (): Promise<number> =>
      (await world.query("SELECT 1 FROM rollout WHERE presence = 'live'")).length;
    const all = await waitFor("the rollouts", async () => {
      const count = await present();
      return count >= 6 ? count : undefined;
    });
    await first.stop();
    world.sandbox.fault({ fault: "empty", resource: "rollouts" });
    await world.start({ waitUntilLive: false, timing: { confirmAfterMs: [1000, 400], watchSeconds: 1 } });
    await becomes("rollouts", "suspect");
    expect(await present()).toBe(all);
    await waitFor("the second confirmation", async () => (await present()) === 0);
    expect(await world.query("SELECT DISTINCT presence FROM rollout WHERE gone_at IS NOT NULL")).toEqual([
      { presence: "absent" },
    ]);
    await becomes("rollouts", "live");
  });
});
