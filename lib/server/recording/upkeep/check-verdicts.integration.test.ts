import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { VerdictCheck } from "#lib/domain/delivery/verdict-check.ts";
import type { Refusal } from "#lib/server/platform/evaluation/evaluation-pool.ts";
import { createRecorderPool } from "#lib/server/recording/store/recorder-pool.ts";
import { at, sampleRun } from "#test/recorder-samples.ts";
import { createRecorderWorld, type RecorderWorld, waitFor } from "#test/recorder-world.ts";
import { sharedEvaluations } from "#test/shared-evaluations.ts";
import { checkDueVerdicts, type UnstoredChecks } from "./check-verdicts.ts";

let world: RecorderWorld;
let pool: ReturnType<typeof createRecorderPool>;
const evaluations = sharedEvaluations();
const log = { error: () => {} };
const unstored: UnstoredChecks = new Map();
beforeAll(async () => {
  world = await createRecorderWorld();
  pool = createRecorderPool({ url: world.database.recorderUrl, onError: () => {} });
  await world.start();
});
afterAll(async () => {
  await pool.end();
  await world.close();
});

const manager = { manager: "rollouts-controller" };
const rules = { name: "rate", interval: "10s", count: 2, successCondition: "result[0] >= 0.95" };

type Sample = { phase: string; value: string };

function ended(options: {
  name: string;
  phase: string;
  values: Sample[];
  count?: number;
  terminate?: boolean;
  condition?: string;
}) {
  const { name, phase, values, count = values.length, terminate = false, condition } = options;
  const skipped = count - values.length;
  const list = values.map((each, index) => ({
    ...each,
    startedAt: at((skipped + index + 1) * 10),
    finishedAt: at((skipped + index + 1) * 10 + 1),
  }));
  const provider = { prometheus: { query: "up" } };
  const metric = { ...rules, successCondition: condition ?? rules.successCondition, provider };
  const run = sampleRun({
    name,
    phase,
    metrics: [{ name: "rate", measurements: list, count }],
    spec: { metrics: [metric], terminate },
  });
  const failed = values.filter((each) => each.phase === "Failed").length;
  const status = run.status as { metricResults: Record<string, unknown>[] };
  status.metricResults = status.metricResults.map((result) => {
    return { ...result, phase, successful: count - failed, failed };
  });
  return run;
}

type Stored = { verdict_check: VerdictCheck | null; verdict_check_version: string | null; resource_version: string };

async function readStored(uid: string): Promise<Stored | undefined> {
  const [row] = await world.query<Stored>(
    "SELECT verdict_check, verdict_check_version, resource_version FROM analysis_run WHERE uid = $1",
    [uid],
  );
  return row;
}

/** Makes a run look as if it was stored before the check existed. */
async function makeDue(uid: string): Promise<void> {
  await world.query(
    `UPDATE analysis_run SET verdict_check = NULL, verdict_check_version = NULL, verdict_checked_at = NULL
      WHERE uid = $1`,
    [uid],
  );
}

/** Stores the run as the recorder does, then checks it. */
async function check(uid: string): Promise<VerdictCheck> {
  return waitFor(`a check of ${uid}`, async () => {
    await checkDueVerdicts({ pool, evaluations, log, unstored });
    const row = await readStored(uid);
    return row?.verdict_check_version === row?.resource_version ? (row?.verdict_check ?? undefined) : undefined;
  });
}

const pass = { phase: "Successful", value: "[0.97]" };
const wrong = { phase: "Successful", value: "[0.5]" };
const miss = { phase: "Failed", value: "[0.5]" };

describe("the verdict check", () => {
  it.each([
    { name: "agrees", phase: "Successful", values: [pass, pass], state: "agrees", rules: [] },
    { name: "fails", phase: "Failed", values: [miss], state: "agrees", rules: [] },
    { name: "terminated", phase: "Successful", values: [pass], terminate: true, state: "ended-early", rules: [] },
    { name: "gap", phase: "Successful", values: [pass], count: 2, state: "undecided", rules: ["gap"] },
    {
      name: "forced",
      phase: "Successful",
      values: [pass, wrong],
      state: "contradicts",
      rules: ["measurement", "metric", "run"],
    },
  ])("of a run that $name is stored as $state", async ({ state, rules: wanted, ...options }) => {
    const { metadata } = world.sandbox.store.create("analysisruns", ended(options), manager);
    const stored = await check(metadata.uid);
    expect(stored.state).toBe(state);
    expect(stored.findings.map(({ rule }) => rule)).toEqual(wanted);
    const changes = await world.query("SELECT 1 FROM change_log WHERE kind = 'analysis-run' AND ref = $1", [
      metadata.uid,
    ]);
    expect(changes.length).toBeGreaterThanOrEqual(2);
  });

  it("uses the version of the controller that its metrics endpoint showed during the run", async () => {
    const values = [{ phase: "Failed", value: "[1]" }];
    const run = ended({ name: "older", phase: "Failed", values, condition: "result == [1]" });
    const { metadata } = world.sandbox.store.create("analysisruns", run, manager);
    expect((await check(metadata.uid)).state).toBe("undecided");
    await world.query(
      `INSERT INTO controller_scrape (cluster, component, at, state)
       SELECT cluster, 'argo-rollouts', now(), jsonb_build_object(
         'version', 'v1.9.3+d1a2b3c', 'startedAt', created_at - interval '1 hour', 'lastOkAt', completed_at + interval '1 minute'
       ) FROM analysis_run WHERE uid = $1`,
      [metadata.uid],
    );
    await makeDue(metadata.uid);
    expect((await check(metadata.uid)).state).toBe("agrees");
    await world.query("DELETE FROM controller_scrape");
  });

  it("leaves a run alone that goes on", async () => {
    const { metadata } = world.sandbox.store.create(
      "analysisruns",
      ended({ name: "running", phase: "Running", values: [pass] }),
      manager,
    );
    await waitFor("the run", async () => (await readStored(metadata.uid)) !== undefined);
    await checkDueVerdicts({ pool, evaluations, log, unstored });
    expect(await readStored(metadata.uid)).toMatchObject({ verdict_check: null, verdict_check_version: null });
  });

  it("is made again when the run changes late", async () => {
    const { store } = world.sandbox;
    const first = ended({ name: "late", phase: "Successful", values: [pass] });
    const { metadata } = store.create("analysisruns", first, manager);
    expect((await check(metadata.uid)).state).toBe("contradicts");
    const current = store.get("analysisruns", "shop", "late");
    if (current === undefined) throw new Error("the run is gone");
    const { status } = ended({ name: "late", phase: "Successful", values: [pass, pass] });
    const { metadata: updated } = store.update(
      "analysisruns",
      { ...current, status: status as Record<string, unknown> },
      manager,
    );
    await waitFor("the new version", async () => {
      return (await readStored(metadata.uid))?.resource_version === updated.resourceVersion;
    });
    expect((await check(metadata.uid)).state).toBe("agrees");
  });

  it("finds the runs that were stored before there was a check", async () => {
    const options = { name: "old", phase: "Successful", values: [pass, pass] };
    const { metadata } = world.sandbox.store.create("analysisruns", ended(options), manager);
    await check(metadata.uid);
    await makeDue(metadata.uid);
    expect(await checkDueVerdicts({ pool, evaluations, log, unstored })).toEqual({ stored: 1 });
    expect((await readStored(metadata.uid))?.verdict_check?.state).toBe("agrees");
    expect(await checkDueVerdicts({ pool, evaluations, log, unstored })).toEqual({ stored: 0 });
  });

  it("gives up on a run that is beyond the budget", async () => {
    const options = { name: "beyond-budget", phase: "Successful", values: [pass, pass] };
    const condition = "all(1..900000, # > 0)";
    const { metadata } = world.sandbox.store.create("analysisruns", ended({ ...options, condition }), manager);
    const rule = "expression";
    expect(await check(metadata.uid)).toMatchObject({ state: "undecided", findings: [{ rule }, { rule }] });
  });

  /** Stores a run that is due, in the state in which its replay begins. */
  async function storeDue(name: string): Promise<string> {
    const options = { name, phase: "Successful", values: [pass, pass] };
    const { metadata } = world.sandbox.store.create("analysisruns", ended(options), manager);
    await check(metadata.uid);
    await makeDue(metadata.uid);
    return metadata.uid;
  }

  const answering = (outcome: Refusal) => ({
    run: async () => {
      asked++;
      return outcome;
    },
  });
  let asked = 0;

  it.each<{ name: string; outcome: Refusal; text: string }>([
    { name: "too-slow", outcome: { refused: "too-long" }, text: "took too long and was stopped" },
    { name: "broken", outcome: { refused: "failed", error: "why" }, text: "failed" },
  ])("stores a replay that was $name as undecided, and does not start it again", async ({ name, outcome, text }) => {
    const uid = await storeDue(name);
    asked = 0;
    for (const round of [1, 0]) {
      expect(await checkDueVerdicts({ pool, evaluations: answering(outcome), log })).toEqual({ stored: round });
    }
    expect(asked).toBe(1);
    const stored = (await readStored(uid))?.verdict_check;
    expect(stored).toMatchObject({
      state: "undecided",
      findings: [{ rule: "size", text: expect.stringContaining(text) }],
    });
  });

  it("starts a replay again for which there was no thread", async () => {
    const uid = await storeDue("no-thread");
    const busy = answering({ refused: "busy" });
    expect(await checkDueVerdicts({ pool, evaluations: busy, log })).toEqual({ stored: 0 });
    const broken = answering({ refused: "busy", error: "no memory" });
    await expect(checkDueVerdicts({ pool, evaluations: broken, log })).rejects.toThrow("no memory");
    expect((await check(uid)).state).toBe("agrees");
  });

  it("is stored by the next pass if the database failed", async () => {
    const { metadata } = world.sandbox.store.create(
      "analysisruns",
      ended({ name: "unstored", phase: "Successful", values: [pass, pass] }),
      manager,
    );
    await waitFor("the run", async () => (await readStored(metadata.uid)) !== undefined);
    await world.query(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN RAISE 'disk full'; END$$`);
    await world.query(
      `CREATE TRIGGER refuse BEFORE UPDATE OF verdict_check ON analysis_run FOR EACH ROW EXECUTE FUNCTION refuse()`,
    );
    await expect(checkDueVerdicts({ pool, evaluations, log, unstored })).rejects.toThrow("disk full");
    await world.query("DROP FUNCTION refuse CASCADE");
    expect(await check(metadata.uid)).toMatchObject({ state: "agrees", findings: [] });
    expect(unstored.size).toBe(0);
  });

  it("does not start a replay again that never ended, until the run is another version", async () => {
    const uid = await storeDue("never-ended");
    // The process dies while it replays.
    const dying = { run: () => Promise.reject(new Error("killed")) };
    await expect(checkDueVerdicts({ pool, evaluations: dying, log })).rejects.toThrow("killed");
    asked = 0;
    const evaluationsNow = answering({ refused: "busy" });
    // Another recorder may still be working on it.
    expect(await checkDueVerdicts({ pool, evaluations: evaluationsNow, log })).toEqual({ stored: 0 });
    await world.query(
      "UPDATE analysis_run SET verdict_check_started_at = verdict_check_started_at - interval '3 minutes' WHERE uid = $1",
      [uid],
    );
    expect(await checkDueVerdicts({ pool, evaluations: evaluationsNow, log })).toEqual({ stored: 1 });
    expect(asked).toBe(0);
    expect((await readStored(uid))?.verdict_check?.findings[0]?.text).toContain(
      "did not end: the recorder was stopped meanwhile",
    );
    await world.query("UPDATE analysis_run SET resource_version = resource_version || '9' WHERE uid = $1", [uid]);
    expect((await check(uid)).state).toBe("agrees");
  });

  it("keeps secrets out of what it says", async () => {
    const condition = 'result[0] >= 0.95 && "http://oncall:hunter2@metrics" != ""';
    const { metadata } = world.sandbox.store.create(
      "analysisruns",
      ended({ name: "secret", phase: "Successful", values: [wrong, pass], condition }),
      manager,
    );
    const stored = await check(metadata.uid);
    expect(stored.findings.length).toBeGreaterThan(0);
    expect(JSON.stringify(stored)).not.toContain("hunter2");
  });
});
