import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FreezeRequest } from "#lib/contract/freeze.ts";
import { RolloutDetail } from "#lib/contract/rollout.ts";
import { createFreeze } from "#lib/server/acting/freezes/freezes.ts";
import { listReleases } from "#lib/server/pages/release/list-releases.ts";
import { getRollout } from "#lib/server/pages/rollout/get-rollout.ts";
import { getRun } from "#lib/server/pages/run/get-run.ts";
import { type ActingWorld, actorOf, createActingWorld, type TestRollout } from "#test/acting-world.ts";

let world: ActingWorld;
beforeAll(async () => {
  world = await createActingWorld();
});
afterAll(() => world.close());

const timeOf = (second: number) => new Date(Date.UTC(2026, 10, 20, 10, 0, second)).toISOString();

type Observed = { second: number; hash?: string; step: number; weight: number; abort?: boolean };

async function observe(rollout: TestRollout, { second, hash = "new", step, weight, abort = false }: Observed) {
  await world.owner.query(
    `INSERT INTO observation (rollout_id, observed_at, resource_version, view_digest, run_key, step, weight_set,
       abort_asked, projection)
     VALUES ($1, $2, $3, '', $4, $5, $6, $7, '{}')`,
    [rollout.id, timeOf(second), randomUUID(), hash, step, weight, abort],
  );
}

type Measured = { second: number; end?: number; hash?: string; type?: string; step?: number; phase: string };

async function addRun(rollout: TestRollout, { second, end, hash = "new", type = "Step", step, phase }: Measured) {
  const uid = randomUUID();
  await world.owner.query(
    `INSERT INTO analysis_run (uid, rollout_id, cluster, namespace, name, type, step_index, pod_hash, phase, message, spec,
       resource_version, created_at, started_at, completed_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, '', '{"metrics": []}', '1', $10, $10, $11, now())`,
    [
      ...[uid, rollout.id, rollout.path.cluster, rollout.path.namespace, `${phase} ${second}`, type, step ?? null],
      ...[hash, phase, timeOf(second), end === undefined ? null : timeOf(end)],
    ],
  );
  return uid;
}

async function addRelease(
  rollout: TestRollout,
  { second, attempt, state }: { second: number; attempt: number; state: string },
) {
  await world.owner.query(
    `INSERT INTO release (id, rollout_id, run_key, attempt, state, message, started_at, updated_at)
     VALUES ($1, $2, 'new', $3, $4, '', $5, now())`,
    [randomUUID(), rollout.id, attempt, state, timeOf(second)],
  );
}

async function setRow(rollout: TestRollout, row: { phase: string; attention: string; step?: number }) {
  await world.owner.query(
    `UPDATE rollout SET strategy = 'Canary', phase = $2, attention_reason = $3, attention_since = now(), step = $4
     WHERE id = $1`,
    [rollout.id, row.phase, row.attention, row.step ?? 0],
  );
}

const read = async (rollout: TestRollout) =>
  RolloutDetail.parse(await getRollout({ ctx: world.contextOf(actorOf("viewer")), input: rollout.path }));

describe("an aborted release", () => {
  async function addAborted(): Promise<TestRollout> {
    const rollout = await world.addRollout({ status: { phase: "Degraded", abort: true, currentStepIndex: 0 } });
    await setRow(rollout, { phase: "Degraded", attention: "degraded" });
    await world.owner.query("DELETE FROM observation WHERE rollout_id = $1", [rollout.id]);
    return rollout;
  }

  it("stays where it was aborted, although the controller goes back to the first step", async () => {
    const rollout = await addAborted();
    await observe(rollout, { second: 1, hash: "old", step: 4, weight: 100 });
    await observe(rollout, { second: 2, step: 0, weight: 20 });
    await observe(rollout, { second: 3, step: 2, weight: 20 });
    await observe(rollout, { second: 4, step: 0, weight: 0, abort: true });
    await observe(rollout, { second: 5, step: 0, weight: 0, abort: true });
    expect(await read(rollout)).toMatchObject({ step: 0, abortPoint: { step: 2, weight: 20 } });
    await addRelease(rollout, { second: 2, attempt: 1, state: "aborted" });
    await world.owner.query(`UPDATE release SET images = '["shop:v2"]' WHERE rollout_id = $1`, [rollout.id]);
    expect((await read(rollout)).abortPoint?.images).toEqual(["shop:v2"]);
  });

  it("says that the place is not known when nobody saw it before", async () => {
    const rollout = await addAborted();
    await observe(rollout, { second: 1, hash: "old", step: 4, weight: 100 });
    await observe(rollout, { second: 4, step: 0, weight: 0, abort: true });
    expect((await read(rollout)).abortPoint).toEqual({ step: null, weight: null });
  });

  it("is none when the rollout is degraded without an abort", async () => {
    const rollout = await addAborted();
    await observe(rollout, { second: 3, step: 2, weight: 20 });
    expect((await read(rollout)).abortPoint).toBeNull();
  });

  it("shows the analyses of its own attempt, and which one decided", async () => {
    const rollout = await addAborted();
    await addRelease(rollout, { second: 0, attempt: 1, state: "aborted" });
    await addRelease(rollout, { second: 20, attempt: 2, state: "aborted" });
    await addRun(rollout, { second: 5, end: 9, step: 2, phase: "Failed" });
    await addRun(rollout, { second: 20, end: 40, type: "Background", phase: "Successful" });
    await addRun(rollout, { second: 25, end: 30, step: 2, phase: "Failed" });
    await addRun(rollout, { second: 30, hash: "other", step: 2, phase: "Failed" });
    const { releaseRuns } = await read(rollout);
    expect(releaseRuns.map(({ name, decided }) => `${name}${decided ? ", decided" : ""}`)).toEqual([
      "Failed 25, decided",
      "Successful 20",
    ]);
  });

  it("says which verdict its own record contradicts", async () => {
    const rollout = await addAborted();
    const uid = await addRun(rollout, { second: 5, end: 9, step: 2, phase: "Successful" });
    await addRun(rollout, { second: 3, end: 4, step: 1, phase: "Successful" });
    const check = { state: "contradicts" };
    await world.owner.query("UPDATE analysis_run SET verdict_check = $2 WHERE uid = $1", [uid, check]);
    const { releaseRuns } = await read(rollout);
    expect(releaseRuns.map(({ name, contradiction }) => ({ name, contradiction }))).toEqual([
      { name: "Successful 5", contradiction: true },
      { name: "Successful 3", contradiction: false },
    ]);
  });
});

it("says also to who may not act why nothing may advance it", async () => {
  const rollout = await world.addRollout();
  expect((await read(rollout)).advanceRefused).toBeNull();
  await world.owner.query(
    `INSERT INTO quarantine (source_id, ref, reason, raw)
     SELECT s.id, r.uid, 'bad', '{}' FROM source s JOIN rollout r USING (cluster, kind) WHERE r.id = $1`,
    [rollout.id],
  );
  expect((await read(rollout)).advanceRefused).toMatchObject({ reasonCode: "unreadable" });
  await world.owner.query("DELETE FROM quarantine");
  await world.owner.query("UPDATE rollout SET presence = 'deleted' WHERE id = $1", [rollout.id]);
  expect((await read(rollout)).advanceRefused).toMatchObject({ reasonCode: "deleted" });
});

it("knows a freeze from its commit, before the change feed tells of it", async () => {
  const rollout = await world.addRollout();
  const freezeOf = async () =>
    (await read(rollout)).allowedActions.find(({ action }) => action === "continue")?.needs.freeze;
  expect(await freezeOf()).toBeNull();
  const { namespace } = rollout.path;
  const endsAt = new Date(Date.now() + 3_600_000).toISOString();
  const input = FreezeRequest.parse({ reason: "payment incident", endsAt, namespaces: [namespace] });
  await createFreeze({ ctx: world.contextOf(actorOf("admin")), input });
  expect(await freezeOf()).toMatchObject({ name: expect.stringMatching(/: payment incident$/) });
});

it("shows at a pause gate what was measured before it", async () => {
  const rollout = await world.addRollout();
  await setRow(rollout, { phase: "Paused", attention: "pause", step: 1 });
  await addRun(rollout, { second: 5, end: 9, step: 0, phase: "Successful" });
  const { currentRuns, releaseRuns } = await read(rollout);
  expect(currentRuns).toEqual([]);
  expect(releaseRuns).toMatchObject([{ name: "Successful 5", stepIndex: 0, decided: true }]);
});

it("gives a run the weight of its own release, not the 100 % of the one before", async () => {
  const rollout = await world.addRollout();
  await setRow(rollout, { phase: "Degraded", attention: "degraded" });
  await observe(rollout, { second: 1, hash: "old", step: 4, weight: 100 });
  await observe(rollout, { second: 11, step: 2, weight: 50 });
  const step = await addRun(rollout, { second: 10, end: 20, step: 2, phase: "Failed" });
  const background = await addRun(rollout, { second: 10, end: 20, type: "Background", phase: "Failed" });
  const weightsOf = async (uid: string) =>
    (await getRun({ ctx: world.contextOf(actorOf("viewer")), input: { uid } })).weights;
  expect(await weightsOf(step)).toEqual([{ at: timeOf(10), weight: 50 }]);
  expect(await weightsOf(background)).toEqual([{ at: timeOf(11), weight: 50 }]);
});

it("is stable since its version was promoted, whatever was written to the object since", async () => {
  const rollout = await world.addRollout();
  await addRelease(rollout, { second: 0, attempt: 1, state: "promoted" });
  await addRelease(rollout, { second: 20, attempt: 2, state: "promoted" });
  await world.owner.query("UPDATE release SET ended_at = started_at + interval '9 s' WHERE rollout_id = $1", [
    rollout.id,
  ]);
  expect((await read(rollout)).stableSince).toBeNull();
  await world.owner.query("UPDATE rollout SET phase = 'Healthy', updated_at = now() WHERE id = $1", [rollout.id]);
  expect((await read(rollout)).stableSince).toBe(timeOf(29));
});

it("says of the release under way why it waits for a person, in the words of its rollout", async () => {
  const rollout = await world.addRollout();
  await setRow(rollout, { phase: "Paused", attention: "inconclusive" });
  await addRelease(rollout, { second: 0, attempt: 1, state: "aborted" });
  await addRelease(rollout, { second: 20, attempt: 2, state: "paused" });
  const { namespace } = rollout.path;
  const { items } = await listReleases({ ctx: world.contextOf(actorOf("viewer")), input: { limit: 10, namespace } });
  const { sentence } = await read(rollout);
  expect(sentence).toContain("is Inconclusive");
  expect(items.map(({ state, waitsFor, sentence: said }) => [state, waitsFor, said])).toEqual([
    ["paused", "inconclusive", sentence],
    ["aborted", null, null],
  ]);
});
