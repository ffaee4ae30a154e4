import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { inTransaction } from "#lib/server/platform/db/in-transaction.ts";
import { insertOpenGaps } from "#lib/server/recording/kinds/open-gaps.ts";
import { createCrashingPool, createFuse } from "#test/crashing-pool.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { createPackedWorld, measurement, type PackedWorld, toRows } from "#test/packed-world.ts";
import { packDueRuns } from "./pack-runs.ts";

let database: TestDatabase;
let world: PackedWorld;
beforeAll(async () => {
  database = await createTestDatabase();
  world = await createPackedWorld(database);
});
afterAll(async () => {
  await world.close();
  await database.drop();
});

describe("packing", () => {
  const twoRuns = async () => {
    const rows = toRows({
      isPlain: true,
      all: fc.sample(fc.array(measurement, { minLength: 9, maxLength: 9 }), 1)[0] ?? [],
    });
    return [await world.store([rows, rows]), await world.store([rows])] as const;
  };

  it("that dies before or after any statement loses and doubles nothing", async () => {
    const counting = createFuse();
    const runs = await twoRuns();
    const before = await world.readAll(runs);
    for (const run of runs) await world.pack(run, createCrashingPool(world.recorder, counting));
    expect(counting.steps()).toBeGreaterThan(6);
    for (let step = 1; step <= counting.steps(); step++)
      for (const when of ["before", "after"] as const) {
        for (const run of runs) await world.unpack(run);
        const crashing = createCrashingPool(world.recorder, createFuse({ step, when }));
        for (const run of runs) await world.pack(run, crashing).catch(() => {});
        expect(await world.readAll(runs)).toEqual(before);
        for (const run of runs) await world.pack(run);
        expect(await world.readAll(runs)).toEqual(before);
        for (const { uid } of runs) expect((await world.countRows(uid)).rows).toBe(0);
      }
  });

  it("leaves runs that are not over for 30 days, and takes those that vanished before they ended", async () => {
    const [ended, gone] = await twoRuns();
    await world.end(ended.uid, 29);
    await world.client.query(
      "UPDATE analysis_run SET presence = 'unobserved', gone_at = now() - interval '31 days' WHERE uid = $1",
      [gone.uid],
    );
    await world.packAll();
    expect((await world.countRows(ended.uid)).packed).toBe(0);
    expect((await world.countRows(gone.uid)).rows).toBe(0);
  });

  it("leaves a run alone that the database cannot pack, and packs the others", async () => {
    const [bad, good] = await twoRuns();
    const before = await world.readAll([bad, good]);
    const [id] = await world.metricIds(bad.uid);
    await world.client.query(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'it is too long' USING ERRCODE = 'program_limit_exceeded'; END $$;
      CREATE TRIGGER refuse BEFORE INSERT ON packed_measurement FOR EACH ROW WHEN (NEW.metric_id = ${id}) EXECUTE FUNCTION refuse()`);
    for (const { uid } of [bad, good]) await world.end(uid, 31);
    const failed: string[] = [];
    const unpackable = { uids: new Set<string>(), onError: (_: unknown, uid: string) => failed.push(uid) };
    await expect(packDueRuns(world.recorder)).rejects.toMatchObject({ code: "54000" });
    while ((await packDueRuns(world.recorder, { unpackable })) > 0);
    await world.client.query("DROP FUNCTION refuse CASCADE");
    expect(failed).toEqual([bad.uid]);
    expect((await world.countRows(bad.uid)).packed).toBe(0);
    expect((await world.countRows(good.uid)).rows).toBe(0);
    expect(await world.readAll([bad, good])).toEqual(before);
    await world.packAll();
  });

  it("leaves a run alone that the database cannot read, and packs the others", async () => {
    const [bad, good] = await twoRuns();
    await world.client.query(`ALTER TABLE metric ENABLE ROW LEVEL SECURITY;
      CREATE POLICY refuse ON metric USING (1 / (CASE WHEN run_uid = '${bad.uid}' THEN 0 ELSE 1 END) = 1)`);
    await world.end(bad.uid, 400);
    await world.end(good.uid, 31);
    const failed: string[] = [];
    const unpackable = { uids: new Set<string>(), onError: (_: unknown, uid: string) => failed.push(uid) };
    while ((await packDueRuns(world.recorder, { unpackable })) > 0);
    await world.client.query("ALTER TABLE metric DISABLE ROW LEVEL SECURITY; DROP POLICY refuse ON metric");
    expect(failed).toEqual([bad.uid]);
    expect((await world.countRows(good.uid)).rows).toBe(0);
    await world.packAll();
  });

  it("by two recorders at once packs each run once", async () => {
    const runs = [...(await twoRuns()), ...(await twoRuns())];
    const before = await world.readAll(runs);
    for (const { uid } of runs) await world.end(uid, 31);
    await Promise.all([world.packAll(), world.packAll()]);
    expect(await world.readAll(runs)).toEqual(before);
    for (const { uid } of runs) expect((await world.countRows(uid)).rows).toBe(0);
  });

  it("finds what a vanished run had measured", async () => {
    const [run] = await twoRuns();
    await world.pack(run);
    await world.end(run.uid, null);
    await world.client.query("UPDATE metric SET phase = 'Running', count = 2 WHERE run_uid = $1", [run.uid]);
    await inTransaction(world.recorder, (tx) => insertOpenGaps(tx, [run.uid]));
    const { rows } = await world.client.query(
      "SELECT after_seq FROM measurement_gap g JOIN metric t ON t.id = g.metric_id WHERE t.run_uid = $1 AND open ORDER BY t.ord",
      [run.uid],
    );
    // The other metric has a gap there already.
    expect(rows).toEqual([{ after_seq: 9 }]);
  });

  it("marks a vanished run as incomplete even if its counters add up to more than the database holds", async () => {
    const [run] = await twoRuns();
    await world.end(run.uid, null);
    const count = "UPDATE metric SET phase = 'Running', count = 2147483647, error = 1 WHERE run_uid = $1";
    await world.client.query(count, [run.uid]);
    await inTransaction(world.recorder, (tx) => insertOpenGaps(tx, [run.uid]));
    const { rows } = await world.client.query(
      "SELECT DISTINCT after_seq FROM measurement_gap g JOIN metric t ON t.id = g.metric_id WHERE t.run_uid = $1 AND open",
      [run.uid],
    );
    expect(rows).toEqual([{ after_seq: 2147483647 }]);
  });
});

describe("a month whose measurements are packed", () => {
  it("is dropped, and the few others move to the default partition", async () => {
    const { client } = world;
    await client.query("SELECT ensure_measurement_partition('1980-05-01')");
    await client.query("SELECT ensure_measurement_partition(now()::date)");
    const put = `INSERT INTO measurement (metric_id, seq, started_at, phase, parsed_kind) VALUES ($1, 1, '1980-05-03', 'S', 'e')
      RETURNING tableoid::regclass::text AS part`;
    expect((await client.query(put, [-1])).rows).toEqual([{ part: "measurement_1980_05" }]);
    const drop = "SELECT drop_packed_measurement_partition($1) AS gone";
    expect((await world.recorder.query(drop, ["1980-05-17"])).rows).toEqual([{ gone: true }]);
    expect((await world.recorder.query(drop, ["1980-05-17"])).rows).toEqual([{ gone: false }]);
    // It is not over.
    expect((await world.recorder.query(drop, [new Date()])).rows).toEqual([{ gone: false }]);
    const found = await client.query("SELECT tableoid::regclass::text AS part FROM measurement WHERE metric_id = -1");
    expect(found.rows).toEqual([{ part: "measurement_default" }]);
  });
});
