import { pino } from "pino";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createClusterClient } from "#lib/server/clusters/kubernetes/create-cluster-client.ts";
import { createBarrierTasks } from "#lib/server/holds/create-barrier-tasks.ts";
import { askTicket } from "#lib/server/notify/channels/ask-ticket.ts";
import { Config } from "#lib/server/platform/config/config-schema.ts";
import type { Runtime } from "#lib/server/process/runtime-types.ts";
import { markSettled } from "#test/mark-settled.ts";
import { rolloutStatus, sampleRollout } from "#test/recorder-samples.ts";
import { createRecorderWorld, type RecorderWorld, waitFor } from "#test/recorder-world.ts";
import { createTestPool } from "#test/test-pool.ts";

/** Plays the controllers' writes at the sandbox's API; everything of Gatehouse runs with the recorder's own role. */

let world: RecorderWorld;
let pool: ReturnType<typeof createTestPool>;
beforeEach(async () => {
  world = await createRecorderWorld();
  pool = createTestPool(world.database.recorderUrl, 4);
  await world.start();
});
afterEach(async () => {
  await pool.end();
  await world.close();
});

const names = ["one", "two"] as const;
type Name = (typeof names)[number];
const steps = [{ setWeight: 20 }, { pause: { duration: "1h" } }, { setWeight: 60 }];
const pausing = {
  currentStepIndex: 1,
  controllerPause: true,
  pauseConditions: [{ reason: "CanaryPauseStep", startTime: "2026-11-20T10:00:00Z" }],
};

function runtimeOf(sets: object[] = [{ name: "shop", together: true }], policies: object = {}): Runtime {
  const config = Config.parse({
    publicUrl: "http://127.0.0.1:1",
    demo: { accountsFile: "a" },
    clusters: [{ ...world.config }],
    policies,
    sets,
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

type Sent = { metadata: { generation: number; resourceVersion: string }; spec: { paused?: boolean } };

async function send(name: Name, method: string, suffix: string, body?: object): Promise<Sent> {
  const path = `/apis/argoproj.io/v1alpha1/namespaces/shop/rollouts/${name}`;
  const answer = await fetch(`${world.sandbox.url}${path}${suffix}`, {
    method,
    headers: { authorization: `Bearer ${world.sandbox.token}`, "content-type": "application/merge-patch+json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  expect(answer.status).toBe(200);
  return (await answer.json()) as Sent;
}

/** Writes the status as the controller does, for the spec as it is now, and waits until it is recorded. */
async function report(name: Name, status: object): Promise<void> {
  const { metadata } = await send(name, "GET", "");
  await patch(name, "/status", { status: { ...status, observedGeneration: String(metadata.generation) } });
}

async function patch(name: Name, suffix: string, body: object, by = "rollouts-controller"): Promise<void> {
  const { metadata } = await send(name, "PATCH", `${suffix}?fieldManager=${by}`, body);
  await waitFor("the change is recorded", async () => {
    const rows = await world.query("SELECT FROM rollout WHERE name = $1 AND resource_version::bigint >= $2::bigint", [
      name,
      metadata.resourceVersion,
    ]);
    return rows.length === 1;
  });
}

/** Leaves both rollouts under way before their timed pause. */
async function prepare(): Promise<void> {
  for (const name of names) {
    const sample = sampleRollout({ name, image: "shop:2" });
    const spec = { ...(sample.spec as object), strategy: { canary: { steps } } };
    world.sandbox.store.create("rollouts", { ...sample, spec, status: rolloutStatus() }, { manager: "test" });
    await waitFor("it is recorded", async () => {
      return (await world.query("SELECT FROM rollout WHERE name = $1", [name])).length === 1;
    });
    await report(name, { ...rolloutStatus(), currentPodHash: "bbb", currentStepIndex: 0 });
  }
}

const isPaused = async (name: Name): Promise<boolean> => (await send(name, "GET", "")).spec.paused === true;

async function place(tasks: ReturnType<typeof createBarrierTasks>): Promise<void> {
  await markSettled(pool);
  while (await tasks.place());
}

/** Has the controller take note of the pause. */
const observe = (name: Name): Promise<void> => report(name, pausing);

const entriesOf = (name: Name) =>
  world.query<{ what: string; reason: string | null }>(
    `SELECT code || ' ' || outcome AS what, entry::jsonb ->> 'reason' AS reason
     FROM audit_entry WHERE name = $1 AND source <> 'cluster' ORDER BY seq`,
    [name],
  );

it("stops the timed pause of the first member, and lifts that once the other has reached its own", async () => {
  await prepare();
  const tasks = createBarrierTasks(runtimeOf());
  await place(tasks);
  await report("one", pausing);
  await place(tasks);
  expect(await isPaused("one")).toBe(true);
  await observe("one");
  await place(tasks);
  await tasks.lift();
  expect(await isPaused("one")).toBe(true);

  await report("two", pausing);
  await place(tasks);
  expect(await isPaused("two")).toBe(false);
  await tasks.lift();
  expect(await isPaused("one")).toBe(false);
  const entries = await entriesOf("one");
  expect(entries.map(({ what }) => what)).toEqual([
    "action.pause intent",
    "action.pause applied",
    "action.unpause intent",
    "action.unpause applied",
  ]);
  expect(entries[0]?.reason).toBe('Hold: Set "shop" passes its pauses together. Not at pause 1 yet: 1 member.');
  expect(entries[2]?.reason).toContain('set "shop"');
  expect(
    await world.query("SELECT FROM barrier_hold WHERE ended_at IS NOT NULL AND lift_action_id IS NOT NULL"),
  ).toHaveLength(1);

  // Neither is held again.
  await observe("one");
  await place(tasks);
  await tasks.lift();
  expect([await isPaused("one"), await isPaused("two")]).toEqual([false, false]);
});

it("does not overrule a person who lifted it, and does not lift what a person paused", async () => {
  await prepare();
  const tasks = createBarrierTasks(runtimeOf());
  await place(tasks);
  await report("one", pausing);
  await place(tasks);
  await observe("one");
  await patch("one", "", { spec: { paused: false } }, "kubectl");
  await place(tasks);
  expect(await isPaused("one")).toBe(false);
  await patch("one", "", { spec: { paused: true } }, "kubectl");
  await observe("one");
  await report("two", pausing);
  await tasks.lift();
  expect(await isPaused("one")).toBe(true);
  expect(
    await world.query("SELECT FROM barrier_hold WHERE ended_at IS NOT NULL AND lift_action_id IS NULL"),
  ).toHaveLength(1);
});

it("holds nothing that happened before it looked, nor without such a set", async () => {
  await prepare();
  await report("one", pausing);
  await place(createBarrierTasks(runtimeOf()));
  const other = createBarrierTasks(runtimeOf([{ name: "shop" }]));
  await place(other);
  await observe("one");
  await place(other);
  expect(await isPaused("one")).toBe(false);
  expect(await world.query("SELECT FROM barrier_hold")).toEqual([]);
});

it("leaves a hold to people in a freeze, and while the source is stale, without an entry for each look", async () => {
  await prepare();
  const first = createBarrierTasks(runtimeOf());
  await place(first);
  await report("one", pausing);
  await place(first);
  await observe("one");
  await report("two", pausing);
  const frozen = { freezes: [{ name: "always", start: "* * * * *", duration: "2m" }] };
  await createBarrierTasks(runtimeOf(undefined, frozen)).lift();
  await world.stopAll();
  await world.query("UPDATE source SET read_contact_at = read_contact_at - interval '1 hour'");
  await first.lift();
  expect(await isPaused("one")).toBe(true);
  expect((await entriesOf("one")).map(({ what }) => what)).toEqual(["action.pause intent", "action.pause applied"]);
  await world.query("UPDATE source SET read_contact_at = now(), watch_contact_at = now()");
  await first.lift();
  expect(await isPaused("one")).toBe(false);
});

it("tries again to place a hold that could not be sent, with an entry for each try and not for each look", async () => {
  await prepare();
  const runtime = runtimeOf();
  const reached = runtime.cluster;
  const gone = createClusterClient({ ...world.config, server: "http://127.0.0.1:1" });
  runtime.cluster = () => gone;
  let nowMs = 0;
  const tasks = createBarrierTasks(runtime, { now: () => nowMs });
  await place(tasks);
  await report("one", pausing);
  const whats = async () => (await entriesOf("one")).map(({ what }) => what);
  for (const [waitMs, entries] of [
    ...[[0, 1] as const, [0, 1] as const],
    ...[[5_000, 2] as const, [5_000, 2] as const, [5_000, 3] as const],
  ]) {
    nowMs += waitMs;
    await place(tasks);
    expect(await whats()).toEqual(Array.from({ length: entries }, () => "action.pause refused"));
  }

  runtime.cluster = reached;
  await place(tasks);
  expect(await isPaused("one")).toBe(false);
  nowMs += 20_000;
  await place(tasks);
  expect(await isPaused("one")).toBe(true);
  expect((await whats()).slice(3)).toEqual(["action.pause intent", "action.pause applied"]);
  expect(await world.query("SELECT outcome, message, tries FROM barrier_hold")).toEqual([
    { outcome: "placed", message: null, tries: 4 },
  ]);

  // Once it is lifted by a person, none follows.
  nowMs += 600_000;
  await observe("one");
  await patch("one", "", { spec: { paused: false } }, "kubectl");
  await place(tasks);
  expect(await isPaused("one")).toBe(false);
  await gone.close();
});

it("still tries again after an outage in which the newest state was not known", async () => {
  await prepare();
  const runtime = runtimeOf();
  const reached = runtime.cluster;
  const gone = createClusterClient({ ...world.config, server: "http://127.0.0.1:1" });
  runtime.cluster = () => gone;
  let nowMs = 0;
  const tasks = createBarrierTasks(runtime, { now: () => nowMs });
  await place(tasks);
  await report("one", pausing);
  await place(tasks);
  await world.stopAll();
  await world.query("UPDATE source SET read_contact_at = read_contact_at - interval '1 hour'");
  runtime.cluster = reached;
  for (const _ of [1, 2]) {
    nowMs += 5_000;
    await place(tasks);
    expect(await isPaused("one")).toBe(false);
  }

  await world.query("UPDATE source SET read_contact_at = now(), watch_contact_at = now()");
  nowMs += 5_000;
  await place(tasks);
  expect(await isPaused("one")).toBe(true);
  await gone.close();
});

it("tells pages of a member that its set begins and ceases to hold it back", async () => {
  await prepare();
  for (const name of names) await report(name, pausing);
  const tasks = createBarrierTasks(runtimeOf(), { readEveryMs: 0 });
  const told = async (): Promise<string[]> => {
    await world.query("DELETE FROM change_log WHERE kind = 'rollout'");
    await tasks.watch();
    const rows = await world.query<{ ref: string }>("SELECT ref FROM change_log WHERE kind = 'rollout'");
    return rows.map(({ ref }) => ref);
  };
  expect(await told()).toEqual([]);
  expect(await told()).toEqual([]);
  await report("two", { ...pausing, abort: true, abortedAt: "2026-11-20T10:00:00Z", phase: "Degraded" });
  expect(await told()).toEqual([`${world.cluster}/shop/Rollout/one`]);
  expect(await told()).toEqual([]);
  await report("two", { ...pausing, abort: null, abortedAt: null });
  expect(await told()).toEqual([`${world.cluster}/shop/Rollout/one`]);
});
