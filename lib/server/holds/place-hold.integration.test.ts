import { pino } from "pino";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createClusterClient } from "#lib/server/clusters/kubernetes/create-cluster-client.ts";
import { createHoldTask } from "#lib/server/holds/create-hold-task.ts";
import { findWantedHolds } from "#lib/server/holds/find-wanted-holds.ts";
import type { HoldPlace } from "#lib/server/holds/read-changed-rollouts.ts";
import { askTicket } from "#lib/server/notify/channels/ask-ticket.ts";
import { reviewFindings } from "#lib/server/oversight/review-findings.ts";
import { reviewObservations } from "#lib/server/oversight/review-observations.ts";
import { Config } from "#lib/server/platform/config/config-schema.ts";
import type { Runtime } from "#lib/server/process/runtime-types.ts";
import { markSettled } from "#test/mark-settled.ts";
import { rolloutStatus, sampleRollout, sampleRun } from "#test/recorder-samples.ts";
import { createRecorderWorld, type RecorderWorld, waitFor } from "#test/recorder-world.ts";
import { createTestPool } from "#test/test-pool.ts";
import { placeHold } from "./place-hold.ts";

/** Plays the controller's writes at the sandbox's API; everything of Gatehouse runs with the recorder's own role. */

let world: RecorderWorld;
let pool: ReturnType<typeof createTestPool>;
let place: HoldPlace;
beforeEach(async () => {
  place = { cursor: undefined };
  world = await createRecorderWorld();
  pool = createTestPool(world.database.recorderUrl, 4);
  await world.start();
});
afterEach(async () => {
  await pool.end();
  await world.close();
});

const scope = { clusters: ["*"], namespaces: ["*"], rollouts: ["*"] };
const background = (status: string) => ({ currentBackgroundAnalysisRunStatus: { name: "app-bbb-2", status } });
const ignoredNext = {
  currentPodHash: "bbb",
  stableRS: "aaa",
  currentStepIndex: 0,
  controllerPause: true,
  pauseConditions: [{ reason: "InconclusiveAnalysisRun", startTime: "2026-11-20T10:00:00Z" }],
  canary: background("Inconclusive"),
};

function runtimeOf(): Runtime {
  const config = Config.parse({
    publicUrl: "http://127.0.0.1:1",
    demo: { accountsFile: "a" },
    clusters: [{ ...world.config }],
    oversight: [{ hold: true }],
  });
  const client = world.client();
  return {
    config: () => ({ config }) as ReturnType<Runtime["config"]>,
    configStatus: () => ({ state: "ok" }) as ReturnType<Runtime["configStatus"]>,
    freezes: () => [],
    askTicket,
    pool,
    cluster: (name) => (name === world.cluster ? client : undefined),
    evaluations: undefined as never,
    log: pino({ level: "silent" }),
    now: () => new Date(),
  };
}

const path = "/apis/argoproj.io/v1alpha1/namespaces/shop/rollouts/app";

async function send(method: string, suffix: string, body?: object): Promise<{ spec?: { paused?: boolean } }> {
  const answer = await fetch(`${world.sandbox.url}${path}${suffix}`, {
    method,
    headers: { authorization: `Bearer ${world.sandbox.token}`, "content-type": "application/merge-patch+json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  expect(answer.status).toBe(200);
  return (await answer.json()) as { spec?: { paused?: boolean } };
}

const observed = async (): Promise<number> =>
  (await world.query("SELECT FROM observation o JOIN rollout r ON r.id = o.rollout_id WHERE r.name = 'app'")).length;

async function patch(body: { status?: object; spec?: object }, by = "rollouts-controller"): Promise<void> {
  const before = await observed();
  await send("PATCH", `${body.status === undefined ? "" : "/status"}?fieldManager=${by}`, body);
  await waitFor("the change is observed", async () => (await observed()) > before);
}

async function addRun(name: string): Promise<void> {
  const [row] = await world.query<{ uid: string }>("SELECT uid FROM rollout");
  const owner = { kind: "Rollout", name: "app", uid: row?.uid ?? "" };
  const labels = { "rollout-type": "Background", "rollouts-pod-template-hash": "bbb" };
  const run = sampleRun({ name, phase: "Inconclusive", labels, owner });
  world.sandbox.store.create("analysisruns", run, { manager: "test" });
  await waitFor("the run is recorded", async () => {
    return (await world.query("SELECT FROM analysis_run WHERE name = $1", [name])).length === 1;
  });
}

/** Leaves a rollout under way at its first step, with its background run. */
async function prepare(): Promise<void> {
  const rollout = { ...sampleRollout({ name: "app" }), status: rolloutStatus() };
  world.sandbox.store.create("rollouts", rollout, { manager: "test" });
  await waitFor("it is recorded", async () => (await observed()) > 0);
  await addRun("app-bbb-2");
  await patch({
    status: { ...rolloutStatus(), currentPodHash: "bbb", currentStepIndex: 0, canary: background("Running") },
  });
}

/**
 * Looks as the recorder's upkeep does. Resolves with what became of the holds that were wanted, each outcome once:
 * changes of one moment may be looked at one after the other.
 */
async function review({ hold = true }: { hold?: boolean } = {}): Promise<string[]> {
  const results: string[] = [];
  const onError = (error: unknown): never => {
    throw error;
  };
  const runtime = runtimeOf();
  await reviewObservations({ pool, place: { seen: 0n }, onError });
  await markSettled(pool);
  const scopes = [{ scope, hold, limits: {} }];
  for (let isMore = true; isMore; ) {
    const { holds, hasPending } = await findWantedHolds({ pool, place, scopes });
    for (const each of holds) results.push(await placeHold({ runtime, ...each }));
    isMore = hasPending;
  }
  await reviewFindings({ pool, scopes, onError });
  return [...new Set(results)];
}

const isPaused = async (): Promise<unknown> => (await send("GET", "")).spec?.paused;
const heldFindings = () =>
  world.query("SELECT severity, closed_why FROM finding WHERE rule = $1 ORDER BY found_at", ["held-by-gatehouse"]);

it("pauses as itself, once for the version and the step, audited, and a person lifts it", async () => {
  await prepare();
  expect(await review()).toEqual([]);
  await patch({ status: ignoredNext });
  expect(await review()).toEqual(["placed"]);
  expect(await isPaused()).toBe(true);
  const entries = await world.query(
    "SELECT actor_name, code, outcome, entry::jsonb ->> 'reason' AS reason FROM audit_entry ORDER BY seq",
  );
  expect(entries).toMatchObject([
    { actor_name: "Gatehouse", code: "action.pause", outcome: "intent", reason: expect.stringContaining("app-bbb-2") },
    { actor_name: "Gatehouse", code: "action.pause", outcome: "applied" },
  ]);
  await waitFor(
    "the pause is observed",
    async () => (await world.query("SELECT FROM rollout WHERE (object -> 'spec' ->> 'paused')::bool")).length === 1,
  );
  expect(await review()).toEqual([]);
  expect(await heldFindings()).toEqual([{ severity: "warning", closed_why: null }]);

  await patch({ spec: { paused: false } }, "kubectl");
  expect(await review()).toEqual(["repeated"]);
  expect(await heldFindings()).toEqual([{ severity: "warning", closed_why: "It was unpaused." }]);
  expect(await isPaused()).toBe(false);

  await patch({ status: { currentStepIndex: 1 } });
  expect(await review()).toEqual(["repeated"]);
  const again = { name: "app-bbb-2.1", status: "Inconclusive" };
  await addRun(again.name);
  await patch({ status: { canary: { currentBackgroundAnalysisRunStatus: again } } });
  expect(await review()).toEqual(["placed"]);
});

/** Has the rollout looked at again, as a change of it does. */
async function touch(): Promise<void> {
  await world.query(
    `INSERT INTO change_log (kind, ref, op, cluster, namespace, object_kind, name)
     SELECT 'rollout', 'x', 'upsert', cluster, namespace, kind, name FROM rollout`,
  );
}

it("holds nothing without the opt-in, nor what happened before it, nor while the source is not live", async () => {
  await prepare();
  expect(await review({ hold: false })).toEqual([]);
  await patch({ status: ignoredNext });
  expect(await review({ hold: false })).toEqual([]);
  expect(await review()).toEqual([]);
  await world.stopAll();
  await world.query("UPDATE source SET read_contact_at = read_contact_at - interval '1 hour'");
  await touch();
  expect(await review()).toEqual(["stale"]);
  await world.query("UPDATE source SET read_contact_at = now(), watch_contact_at = now()");
  await world.query("UPDATE observation SET observed_at = observed_at - interval '16 seconds'");
  await touch();
  expect(await review()).toEqual([]);
  expect(await isPaused()).toBeUndefined();
  expect(await world.query("SELECT FROM hold")).toEqual([]);
});

it("is refused if another version is wanted by now, says so, and does not try again", async () => {
  await prepare();
  expect(await review()).toEqual([]);
  await patch({ status: ignoredNext });
  await world.stopAll();
  await send("PATCH", "/status?fieldManager=rollouts-controller", { status: { currentPodHash: "ccc" } });
  expect(await review()).toEqual(["refused"]);
  await touch();
  expect(await review()).toEqual(["repeated"]);
  expect(await isPaused()).toBeUndefined();
  expect(await heldFindings()).toEqual([{ severity: "critical", closed_why: null }]);
});

it("holds a rollout although the newest observation of another cannot be read", async () => {
  await prepare();
  world.sandbox.store.create(
    "rollouts",
    { ...sampleRollout({ name: "other" }), status: rolloutStatus() },
    { manager: "test" },
  );
  await waitFor("the other is recorded", async () => {
    return (
      (await world.query("SELECT FROM observation o JOIN rollout r ON r.id = o.rollout_id WHERE r.name = 'other'"))
        .length > 0
    );
  });
  const results: string[] = [];
  const scopes = [{ scope, hold: true, limits: {} }];
  const look = async (): Promise<void> => {
    await markSettled(pool);
    const { holds } = await findWantedHolds({ pool, place, scopes });
    for (const each of holds) results.push(await placeHold({ runtime: runtimeOf(), ...each }));
  };
  await look();
  await world.query(
    "UPDATE observation SET provider = 'none' WHERE rollout_id = (SELECT id FROM rollout WHERE name = 'other')",
  );
  await touch();
  await patch({ status: ignoredNext });
  await look();
  expect(results).toEqual(["placed"]);
});

/** Runs the recorder's task until all changes are read. */
async function run(task: () => Promise<boolean>): Promise<void> {
  await markSettled(pool);
  while (await task());
}

const holds = () => world.query("SELECT run_key, step, outcome, message FROM hold ORDER BY step");

it("tries again to place a hold that could not be sent, and not once a person has lifted it", async () => {
  await prepare();
  const runtime = runtimeOf();
  const reached = runtime.cluster;
  const gone = createClusterClient({ ...world.config, server: "http://127.0.0.1:1" });
  runtime.cluster = () => gone;
  let nowMs = 0;
  const task = createHoldTask(runtime, { now: () => nowMs });
  await run(task);
  await patch({ status: ignoredNext });
  await run(task);
  const refused = {
    run_key: "bbb",
    step: 0,
    outcome: "refused",
    message: expect.stringContaining("could not be read"),
  };
  expect(await holds()).toEqual([refused]);
  runtime.cluster = reached;
  nowMs += 4_000;
  await run(task);
  expect(await isPaused()).toBeUndefined();
  nowMs += 1_000;
  await run(task);
  expect(await isPaused()).toBe(true);
  expect(await holds()).toEqual([{ ...refused, outcome: "placed", message: null }]);

  await patch({ spec: { paused: false } }, "kubectl");
  nowMs += 600_000;
  await run(task);
  expect(await isPaused()).toBe(false);
  await gone.close();
});

/** Has the pause placed and the result lost: the database fails in between. */
async function placeUnknown(task: () => Promise<boolean>): Promise<void> {
  await prepare();
  await run(task);
  await world.query(
    `CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no disk'; END $$;
     CREATE TRIGGER fail BEFORE UPDATE ON hold FOR EACH ROW EXECUTE FUNCTION fail()`,
  );
  await patch({ status: ignoredNext });
  await run(task);
  await world.query("DROP TRIGGER fail ON hold");
  expect(await isPaused()).toBe(true);
  expect(await holds()).toMatchObject([{ outcome: null }]);
}

it("finds out after a restart that its pause was placed, although nothing has changed since", async () => {
  await placeUnknown(createHoldTask(runtimeOf()));
  await run(createHoldTask(runtimeOf()));
  expect(await holds()).toMatchObject([{ outcome: "placed", message: null }]);
});

it("finds out after a failure of the database that its pause was placed, and overrules nobody", async () => {
  let nowMs = 0;
  const task = createHoldTask(runtimeOf(), { now: () => nowMs });
  await placeUnknown(task);
  await patch({ spec: { paused: false } }, "kubectl");
  nowMs += 5_000;
  await run(task);
  expect(await isPaused()).toBe(false);
  expect(await holds()).toMatchObject([{ outcome: "placed", message: null }]);
});

/** Leaves the claim of a recorder that died before it sent the pause. */
async function addDeadClaim(age: string): Promise<void> {
  await world.query(
    `INSERT INTO hold (rollout_id, run_key, step, run_name, wanted_at)
     SELECT id, 'bbb', 0, 'app-bbb-2', now() - $1::interval FROM rollout`,
    [age],
  );
}

it.each(["3 minutes", "1 second"])("places the hold of a recorder that died %s ago, at the same step", async (age) => {
  await prepare();
  let nowMs = 0;
  const task = createHoldTask(runtimeOf(), { now: () => nowMs });
  await run(task);
  await addDeadClaim(age);
  await patch({ status: ignoredNext });
  await run(task);
  if (age === "1 second") {
    expect(await isPaused()).toBeUndefined();
    await world.query("UPDATE hold SET wanted_at = wanted_at - interval '3 minutes'");
    nowMs += 5_000;
    await run(task);
  }
  expect(await isPaused()).toBe(true);
  expect(await holds()).toEqual([{ run_key: "bbb", step: 0, outcome: "placed", message: null }]);
});

it("holds at the next step if the recorder died before it sent the pause at the last one", async () => {
  await prepare();
  const task = createHoldTask(runtimeOf());
  await run(task);
  await addDeadClaim("3 minutes");
  await patch({ status: { ...ignoredNext, currentStepIndex: 1 } });
  await run(task);
  expect(await isPaused()).toBe(true);
  expect(await holds()).toEqual([
    { run_key: "bbb", step: 0, outcome: "refused", message: "Gatehouse stopped before it paused it." },
    { run_key: "bbb", step: 1, outcome: "placed", message: null },
  ]);
});
