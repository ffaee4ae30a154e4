import type { Pool } from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { sourcesOf } from "#lib/server/clusters/sources/watched-resources.ts";
import { inTransaction } from "#lib/server/platform/db/in-transaction.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { createTestPool } from "#test/test-pool.ts";
import { acquireLease, type Lease, LeaseLostError } from "./lease.ts";
import { createRecorderPool } from "./recorder-pool.ts";
import { openSource, type SourceUpdate, writeQuietUpdate } from "./source-row.ts";

const sources = sourcesOf({ name: "demo" }).slice(0, 4);
const [first, second, third, fourth] = sources;

let database: TestDatabase;
let owner: Pool;
let pool: Pool;
beforeAll(async () => {
  database = await createTestDatabase();
  owner = createTestPool(database.ownerUrl);
  pool = createRecorderPool({ url: database.recorderUrl, holder: "host/1/a", onError: () => {} });
});
afterAll(async () => {
  await Promise.all([pool.end(), owner.end()]);
  await database.drop();
});

type Source = (typeof sources)[number];

async function open(source: Source | undefined): Promise<{ source: Source; lease: Lease }> {
  if (source === undefined) throw new Error("there are fewer kinds");
  await inTransaction(pool, (tx) => openSource(tx, { source, staleAfterMs: 30_000 }));
  const lease = await acquireLease(pool, { sourceId: source.id, holder: "host/1/a" });
  if (lease === undefined) throw new Error("the lease is held");
  return { source, lease };
}

const write = (opened: { source: Source; lease: Lease }, update: SourceUpdate) =>
  writeQuietUpdate(pool, { ...opened, update, now: 100_000 });

async function read(source: Source | undefined) {
  const { rows } = await owner.query(
    `SELECT round(extract(epoch FROM clock_timestamp() - watch_contact_at) / 10)::int AS watched,
       round(extract(epoch FROM clock_timestamp() - read_contact_at) / 10)::int AS read,
       resource_version AS version, objects, clock_skew_ms AS skew, last_error AS error FROM source WHERE id = $1`,
    [source?.id],
  );
  return rows[0];
}

it("tells of the contacts of many sources at once, each with its own values, and lets the rest stand", async () => {
  const [one, other] = [await open(first), await open(second)];
  await Promise.all([
    write(one, { watchContact: 70_000, resourceVersion: "12", objects: 0 }),
    write(other, { readContact: 80_000, clockSkewMs: -40 }),
  ]);
  const none = { watched: null, read: null, version: null, objects: 0, skew: null, error: null };
  expect(await read(first)).toEqual({ ...none, watched: 3, version: "12" });
  expect(await read(second)).toEqual({ ...none, read: 2, skew: -40 });
  // An earlier contact does not replace a later one.
  await Promise.all([write(one, { watchContact: 20_000, objects: 7 }), write(other, { lastError: "refused" })]);
  expect(await read(first)).toEqual({ ...none, watched: 3, version: "12", objects: 7 });
  expect(await read(second)).toEqual({ ...none, read: 2, skew: -40, error: "refused" });
});

it("refuses the one whose values the database cannot hold, and writes the others", async () => {
  const [one, other] = [await open(first), await open(second)];
  const answers = await Promise.allSettled([
    write(one, { watchContact: 90_000, clockSkewMs: -2_592_000_500 }),
    write(other, { watchContact: 90_000, clockSkewMs: 60 }),
  ]);
  expect(answers).toMatchObject([{ status: "rejected", reason: { code: "22003" } }, { status: "fulfilled" }]);
  expect(await read(second)).toMatchObject({ skew: 60 });
});

it("refuses the one whose lease was lost, and writes the others", async () => {
  const [kept, lost] = [await open(third), await open(fourth)];
  await owner.query("UPDATE source_lease SET epoch = epoch + 1 WHERE source_id = $1", [lost.source.id]);
  const answers = await Promise.allSettled([
    write(kept, { watchContact: 90_000 }),
    write(lost, { watchContact: 90_000 }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
  expect(answers[1]).toMatchObject({ reason: expect.any(LeaseLostError) });
  expect(await read(third)).toMatchObject({ watched: 1 });
  expect(await read(fourth)).toMatchObject({ watched: null });
});

it("does not let a lease that is being taken over hold up the others", async () => {
  const [free, taken] = [await open(first), await open(third)];
  const client = await owner.connect();
  await client.query("BEGIN");
  await client.query("SELECT FROM source_lease WHERE source_id = $1 FOR UPDATE", [taken.source.id]);
  const waiting = write(taken, { objects: 3 });
  await write(free, { objects: 2 });
  expect(await read(first)).toMatchObject({ objects: 2 });
  await client.query("ROLLBACK");
  client.release();
  await waiting;
  expect(await read(third)).toMatchObject({ objects: 3 });
});
