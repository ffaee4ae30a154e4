import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { derivationVersion } from "#lib/domain/delivery/derive-releases.ts";
import { rolloutIdOf } from "#lib/domain/delivery/rollout-id.ts";
import { sourcesOf } from "#lib/server/clusters/sources/watched-resources.ts";
import { inTransaction } from "#lib/server/platform/db/in-transaction.ts";
import { createRolloutWriter } from "#lib/server/recording/kinds/write-rollouts.ts";
import type { ObjectEntry } from "#lib/server/recording/store/batch-types.ts";
import type { KubeObject } from "#sandbox/apiserver/store-types.ts";
import { createWorld } from "#sandbox/controllers/testing/sandbox-world.ts";
import { addCluster } from "#test/add-cluster.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { at, rolloutStatus, sampleRollout } from "#test/recorder-samples.ts";
import { waitFor } from "#test/recorder-world.ts";
import { createTestPool } from "#test/test-pool.ts";
import { rederive, rederiveDue } from "./rederive.ts";

let database: TestDatabase;
let owner: Pool;
let pool: Pool;
beforeAll(async () => {
  database = await createTestDatabase();
  owner = createTestPool(database.ownerUrl, 2);
  pool = createTestPool(database.recorderUrl, 4);
  await addCluster(owner, key.cluster);
});
afterAll(async () => {
  await Promise.all([owner.end(), pool.end()]);
  await database.drop();
});

const source = sourcesOf({ name: "test" }).find(({ kind }) => kind === "Rollout");
if (source === undefined) throw new Error("rollouts are not watched");
const key = source;

type State = {
  revision?: string;
  image?: string;
  status: Record<string, unknown>;
  spec?: Record<string, unknown>;
  op?: "deleted";
};

const atStable = {
  currentPodHash: "aaa",
  stableRS: "aaa",
  phase: "Healthy",
  message: "",
  currentStepIndex: 3,
  currentStepHash: "h",
};
const second = { ...atStable, currentPodHash: "bbb", phase: "Progressing", message: "more", currentStepIndex: 0 };
const pause = { pauseConditions: [{ reason: "CanaryPauseStep", startTime: at(0) }], controllerPause: true };
const paused = { ...second, phase: "Paused", message: "CanaryPauseStep", currentStepIndex: 1, ...pause };
const aborted = { ...second, phase: "Degraded", message: "RolloutAborted: x", abort: true, abortedAt: at(9) };
const promoted = { ...second, stableRS: "bbb", phase: "Healthy", message: "", currentStepIndex: 3 };
const blueGreen = { strategy: { blueGreen: { activeService: "active", postPromotionAnalysis: {} } } };
const green = { ...second, currentStepIndex: undefined, currentStepHash: "", blueGreen: { activeSelector: "aaa" } };
const zero = { replicas: 0 };

/** What controllers write, in order; each scenario is another rollout. */
const scenarios: Record<string, State[]> = {
  "first deployment, then a passage with abort, retry and promotion": [
    { status: { phase: "Progressing", currentPodHash: "", stableRS: "" } },
    { status: { ...atStable, stableRS: "", phase: "Progressing", currentStepIndex: 0 }, revision: "1" },
    { status: atStable, revision: "1" },
    { status: second, image: "shop:2", revision: "2" },
    { status: paused, image: "shop:2", revision: "2" },
    { status: aborted, image: "shop:2", revision: "2" },
    { status: second, image: "shop:2", revision: "2" },
    { status: promoted, image: "shop:2", revision: "2" },
  ],
  "taken back, wanted again, steps changed": [
    { status: atStable, revision: "1" },
    { status: second, image: "shop:2", revision: "2" },
    { status: atStable, revision: "3" },
    { status: second, image: "shop:2", revision: "4" },
    { status: { ...second, currentStepHash: "other" }, image: "shop:2", revision: "4" },
    { status: { ...second, promoteFull: true, currentStepHash: "other" }, image: "shop:2", revision: "4" },
    { status: { ...promoted, currentStepHash: "other" }, image: "shop:2", revision: "4" },
  ],
  "revisions that were never seen": [
    { status: second, image: "shop:2" },
    { status: { ...second, currentPodHash: "ccc", stableRS: "xxx" }, image: "shop:3" },
    { status: { ...atStable, currentPodHash: "ddd", stableRS: "ddd" }, image: "shop:4" },
    { status: { ...second, currentPodHash: "eee", stableRS: "ddd" }, spec: zero },
  ],
  "blue-green, deleted mid-way": [
    { status: { ...green, currentPodHash: "aaa", phase: "Healthy" }, spec: blueGreen, revision: "1" },
    { status: green, spec: blueGreen, image: "shop:2", revision: "2" },
    { status: { ...green, blueGreen: { activeSelector: "bbb" } }, spec: blueGreen, image: "shop:2", revision: "2" },
    {
      status: { ...green, blueGreen: { activeSelector: "bbb" } },
      spec: blueGreen,
      image: "shop:2",
      revision: "2",
      op: "deleted",
    },
  ],
  "a third revision, aborted and retried": [
    { status: atStable, revision: "1" },
    { status: second, image: "shop:2", revision: "2" },
    { status: { ...second, currentPodHash: "ccc" }, image: "shop:3", revision: "3" },
    { status: { ...aborted, currentPodHash: "ccc" }, image: "shop:3", revision: "3" },
    { status: { ...second, currentPodHash: "ccc" }, image: "shop:3", revision: "3" },
    { status: second, image: "shop:2", revision: "4" },
  ],
  "deadline, then superseded": [
    { status: second, image: "shop:2", revision: "2" },
    {
      status: { ...second, phase: "Degraded", message: "ProgressDeadlineExceeded: x" },
      image: "shop:2",
      revision: "2",
    },
    { status: { ...second, currentPodHash: "ccc" }, image: "shop:3", revision: "3" },
    { status: { ...second, currentPodHash: "ccc", ...pause, phase: "Paused" }, image: "shop:3", revision: "3" },
  ],
};

let version = 1000;
let clock = Date.parse("2026-11-20T10:00:00Z");

function entryOf(name: string, uid: string, state: State): ObjectEntry {
  const { revision, image = "shop:1", status, spec = {}, op = "upsert" } = state;
  const annotations: Record<string, string> =
    revision === undefined ? {} : { "rollout.argoproj.io/revision": revision };
  const sample = sampleRollout({ name, image, annotations });
  version++;
  clock += 1000;
  const metadata = {
    ...sample.metadata,
    uid,
    resourceVersion: String(op === "deleted" ? version - 1 : version),
    generation: 1,
  };
  const object = { ...sample, metadata, spec: { ...(sample.spec as object), ...spec }, status: rolloutStatus(status) };
  return { op, uid, resourceVersion: metadata.resourceVersion, object, receivedAt: new Date(clock) };
}

/** Stores the entries in batches of that size. Each batch has a new writer without memory, as after a restart. */
async function record(
  entries: readonly ObjectEntry[],
  { batch, isRestarted }: { batch: number; isRestarted: boolean },
) {
  let writer = createRolloutWriter(key);
  for (let from = 0; from < entries.length; from += batch) {
    if (isRestarted) writer = createRolloutWriter(key);
    const result = await inTransaction(pool, (tx) => writer.write(tx, entries.slice(from, from + batch)));
    expect(result.poison).toEqual([]);
    result.committed();
  }
}

function play(states: readonly State[]): { id: string; entries: ObjectEntry[] } {
  const uid = randomUUID();
  const name = `r-${uid.slice(0, 8)}`;
  const id = rolloutIdOf({ cluster: "test", namespace: "shop", kind: "Rollout", name, uid });
  return { id, entries: states.map((state) => entryOf(name, uid, state)) };
}

async function derivedRows(ids: readonly string[]) {
  const releases = await owner.query(
    `SELECT id, rollout_id, run_key, attempt, revision, state, message, images, started_at, ended_at FROM release
      WHERE rollout_id = ANY($1::uuid[]) ORDER BY rollout_id, started_at, run_key, attempt`,
    [ids],
  );
  const events = await owner.query(
    `SELECT id, rollout_id, at, ord, kind, text, phase, run_name FROM timeline_event
      WHERE rollout_id = ANY($1::uuid[]) ORDER BY rollout_id, at, ord`,
    [ids],
  );
  return { releases: releases.rows, events: events.rows };
}

const forget = async (ids: readonly string[]): Promise<void> => {
  await owner.query("DELETE FROM release WHERE rollout_id = ANY($1::uuid[])", [ids]);
  await owner.query("DELETE FROM timeline_event WHERE rollout_id = ANY($1::uuid[])", [ids]);
  await owner.query("UPDATE rollout SET derivation_version = 1 WHERE id = ANY($1::uuid[])", [ids]);
};

const forgetVersion = (id: string) => owner.query("UPDATE rollout SET derivation_version = 1 WHERE id = $1", [id]);

const countDue = async (): Promise<number> => {
  const { rows } = await owner.query("SELECT count(*)::int AS count FROM rollout WHERE derivation_version < $1", [
    derivationVersion,
  ]);
  return rows[0].count;
};

/** Returns every scenario once, with their states interleaved. */
function playAll(): { ids: string[]; entries: ObjectEntry[] } {
  const played = Object.values(scenarios).map(play);
  const longest = Math.max(...played.map(({ entries }) => entries.length));
  const turns = Array.from({ length: longest }, (_, turn) => played.flatMap(({ entries }) => entries[turn] ?? []));
  return { ids: played.map(({ id }) => id), entries: turns.flat() };
}

describe("re-derivation", () => {
  it.each([
    { name: "one state at a time", batch: 1, isRestarted: false },
    { name: "one state at a time, with a restart after each", batch: 1, isRestarted: true },
    { name: "seven at a time", batch: 7, isRestarted: false },
    { name: "seven at a time, with a restart after each batch", batch: 7, isRestarted: true },
    { name: "all at once", batch: 1000, isRestarted: false },
  ])("gives the rows that recording gave: $name", async ({ batch, isRestarted }) => {
    const { ids, entries } = playAll();
    await record(entries, { batch, isRestarted });
    const recorded = await derivedRows(ids);
    expect(recorded.releases.length).toBeGreaterThan(12);
    expect(recorded.events.length).toBeGreaterThan(25);
    expect(recorded.releases.filter(({ state }) => state === "unknown")).toHaveLength(1);
    await forget(ids);
    expect(await rederiveDue(pool, { budgetMs: 120_000 })).toBe(ids.length);
    expect(await derivedRows(ids)).toEqual(recorded);
    expect(await countDue()).toBe(0);
  });

  it("gives the rows that recording the sandbox's scenarios gave", async () => {
    const sandbox = createWorld();
    const entries: ObjectEntry[] = [];
    sandbox.store.subscribe(({ resource, object }) => {
      if (resource !== "rollouts") return;
      const { uid, resourceVersion } = object.metadata;
      entries.push({ op: "upsert", uid, resourceVersion, object, receivedAt: new Date(sandbox.clock.now()) });
    });
    sandbox.controllers.startScenarios();
    for (let tick = 0; tick < 600; tick++) sandbox.clock.advance(100);
    const ids = entries.map(({ uid, object }) => {
      const { namespace, name } = (object as KubeObject).metadata;
      return rolloutIdOf({ cluster: "test", namespace: namespace ?? "", kind: "Rollout", name, uid });
    });
    await record(entries, { batch: 40, isRestarted: true });
    const recorded = await derivedRows(ids);
    const states = Map.groupBy(recorded.releases, ({ state }) => state as string);
    // Every version was recorded, so nothing was missed, and no two happened at the same time.
    expect(recorded.releases.filter(({ message }) => /not observed|first seen/.test(message as string))).toEqual([]);
    const times = await owner.query(
      `SELECT 1 FROM observation WHERE rollout_id = ANY($1::uuid[]) GROUP BY rollout_id, observed_at HAVING count(*) > 1`,
      [ids],
    );
    expect(times.rows).toEqual([]);
    for (const state of ["paused", "promoted", "aborted", "superseded"])
      expect(states.get(state)?.length ?? 0, state).toBeGreaterThan(0);
    await forget([...new Set(ids)]);
    while ((await rederiveDue(pool)) > 0);
    expect(await derivedRows(ids)).toEqual(recorded);
  });

  it("mends rows that were changed or do not belong there, and leaves right ones untouched", async () => {
    const { id, entries } = play(scenarios["deadline, then superseded"] ?? []);
    await record(entries, { batch: 100, isRestarted: false });
    const recorded = await derivedRows([id]);
    const stamps = () =>
      owner.query("SELECT id, updated_at, xmin::text FROM release WHERE rollout_id = $1 ORDER BY id", [id]);
    const before = (await stamps()).rows;
    await rederive(pool, id);
    expect((await stamps()).rows).toEqual(before);
    await owner.query("UPDATE release SET state = 'promoted', attempt = 7 WHERE rollout_id = $1 AND run_key = 'bbb'", [
      id,
    ]);
    await owner.query(
      "UPDATE timeline_event SET text = 'x', id = gen_random_uuid() WHERE rollout_id = $1 AND ord = 0",
      [id],
    );
    await rederive(pool, id);
    expect(await derivedRows([id])).toEqual(recorded);
  });

  it("is left to the upkeep for a rollout whose rows are of an older version, while observations go on", async () => {
    const states = scenarios["taken back, wanted again, steps changed"] ?? [];
    const { id, entries } = play(states);
    const whole = play(states);
    await record(whole.entries, { batch: 1, isRestarted: false });
    await record(entries.slice(0, 3), { batch: 3, isRestarted: false });
    await forget([id]);
    const writer = createRolloutWriter(key);
    for (const entry of entries.slice(3, 5)) (await inTransaction(pool, (tx) => writer.write(tx, [entry]))).committed();
    expect(await derivedRows([id])).toEqual({ releases: [], events: [] });
    expect(await countDue()).toBe(1);
    await rederiveDue(pool);
    // The same writer takes over where the new derivation ended.
    for (const entry of entries.slice(5)) (await inTransaction(pool, (tx) => writer.write(tx, [entry]))).committed();
    const strip = ({ run_key, attempt, state, message }: Record<string, unknown>) => ({
      run_key,
      attempt,
      state,
      message,
    });
    expect((await derivedRows([id])).releases.map(strip)).toEqual((await derivedRows([whole.id])).releases.map(strip));
    const recorded = await derivedRows([id]);
    await rederive(pool, id);
    expect(await derivedRows([id])).toEqual(recorded);
  });

  it("may run while the rollout is recorded", async () => {
    const states = Object.values(scenarios).filter((each) => each.every(({ op }) => op === undefined));
    const { id, entries } = play(states.flat());
    const writer = createRolloutWriter(key);
    let isRecording = true;
    let count = 0;
    const deriving = (async () => {
      while (isRecording) {
        await forgetVersion(id);
        await rederiveDue(pool);
        count++;
      }
    })();
    for (const [index, entry] of entries.entries()) {
      // However fast the entries are written, some derivations run meanwhile.
      const wanted = Math.floor((4 * index) / entries.length);
      await waitFor("a derivation", () => count >= wanted);
      (await inTransaction(pool, (tx) => writer.write(tx, [entry]))).committed();
    }
    isRecording = false;
    await deriving;
    while ((await rederiveDue(pool)) > 0);
    const recorded = await derivedRows([id]);
    await forget([id]);
    await rederiveDue(pool);
    expect(await derivedRows([id])).toEqual(recorded);
    expect(recorded.releases.length).toBeGreaterThan(10);
  });

  it("keeps what was derived from observations that are no longer stored", async () => {
    const { id, entries } = play(scenarios["first deployment, then a passage with abort, retry and promotion"] ?? []);
    await record(entries, { batch: 1, isRestarted: false });
    const recorded = await derivedRows([id]);
    for (const kept of [7, 6, 5, 4, 3, 2, 1]) {
      await owner.query(
        `DELETE FROM observation WHERE rollout_id = $1
            AND id NOT IN (SELECT id FROM observation WHERE rollout_id = $1 ORDER BY id DESC LIMIT $2)`,
        [id, kept],
      );
      await rederive(pool, id);
      expect(await derivedRows([id])).toEqual(recorded);
    }
  });

  it("reads no more of a long history than of a short one when a state is recorded", async () => {
    const long = play(
      Array.from({ length: 5000 }, (_, index) => ({
        status: { ...paused, currentPodHash: `h${Math.floor(index / 10)}`, currentStepIndex: index % 3 },
        image: `shop:${Math.floor(index / 10)}`,
        revision: String(1 + Math.floor(index / 10)),
      })),
    );
    await record(long.entries, { batch: 500, isRestarted: false });
    const stored = await owner.query("SELECT count(*)::int AS count FROM observation WHERE rollout_id = $1", [long.id]);
    expect(stored.rows).toEqual([{ count: 5000 }]);
    await owner.query("ANALYZE observation, release");
    const state = { status: { ...paused, currentPodHash: "last" }, revision: "900" };
    const name = `r-${long.entries[0]?.uid.slice(0, 8)}`;
    const next = entryOf(name, long.entries[0]?.uid ?? "", state);
    const rowsRead = await inTransaction(pool, async (tx) => {
      const before = await readRows();
      const writer = createRolloutWriter(key);
      await writer.write(tx, [next]);
      // Counted within the open transaction, so other connections' reads are not included.
      return (await readRows()) - before;

      async function readRows(): Promise<number> {
        const { rows } = await tx.query<{ read: string }>(
          `SELECT COALESCE(sum(seq_tup_read + idx_tup_fetch), 0) AS read FROM pg_stat_xact_all_tables
            WHERE relname IN ('observation', 'release', 'timeline_event', 'rollout')`,
        );
        return Number(rows[0]?.read ?? 0);
      }
    });
    // Measured: 6.
    expect(rowsRead).toBeGreaterThan(0);
    expect(rowsRead).toBeLessThan(50);
    const recorded = await derivedRows([long.id]);
    await forget([long.id]);
    const begin = performance.now();
    await rederiveDue(pool);
    const tookMs = performance.now() - begin;
    expect(await derivedRows([long.id])).toEqual(recorded);
    // Measured at 0.4 s on two busy cores; a derivation whose work grows with the square would take minutes.
    expect(tookMs).toBeLessThan(20_000);
  });
});
