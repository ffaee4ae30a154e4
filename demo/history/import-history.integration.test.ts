import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { verifyAudit } from "#lib/server/audit/verify-audit.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { beginDemo, type DemoPast } from "./import-history.ts";

const now = new Date("2027-03-10T11:00:00Z");
const dayMs = 86_400_000;

function begin({ ownerUrl }: TestDatabase, objectDirectory: string, hasHistory = true): Promise<DemoPast> {
  return beginDemo({ databaseUrl: ownerUrl, objectDirectory, now, hasHistory });
}

describe("the history of a new demo", () => {
  let database: TestDatabase;
  let pool: pg.Pool;
  let past: DemoPast;
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-history-"));

  beforeAll(async () => {
    database = await createTestDatabase();
    pool = new pg.Pool({ connectionString: database.ownerUrl, max: 2 });
    past = await begin(database, folder);
  });

  afterAll(async () => {
    await pool.end();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function readNumber(query: string): Promise<number> {
    const { rows } = await pool.query<{ value: string }>(query);
    return Number(rows[0]?.value);
  }

  it("has releases, runs, measurements, actions and findings", async () => {
    expect(past).toBe("imported");
    expect(await readNumber("SELECT count(*) AS value FROM rollout")).toBe(9);
    const releases = await readNumber("SELECT count(*) AS value FROM release");
    expect(releases).toBeGreaterThanOrEqual(60);
    expect(releases).toBeLessThanOrEqual(110);
    expect(await readNumber("SELECT count(*) AS value FROM analysis_run")).toBeGreaterThan(40);
    expect(await readNumber("SELECT count(*) AS value FROM recorded_measurement")).toBeGreaterThan(2000);
    expect(await readNumber("SELECT count(DISTINCT actor_name) AS value FROM action")).toBe(2);
    expect(await readNumber("SELECT count(*) AS value FROM finding")).toBeGreaterThan(0);
  });

  it("is at rest: nothing waits, and no finding is open", async () => {
    expect(await readNumber("SELECT count(*) AS value FROM rollout WHERE attention_reason IS NOT NULL")).toBe(0);
    expect(await readNumber("SELECT count(*) AS value FROM release WHERE ended_at IS NULL")).toBe(0);
    expect(await readNumber("SELECT count(*) AS value FROM finding WHERE closed_at IS NULL")).toBe(0);
  });

  it("ends yesterday, and began about six weeks before", async () => {
    const ages = [
      "SELECT extract(epoch FROM $1::timestamptz - max(started_at)) AS value FROM release",
      "SELECT extract(epoch FROM $1::timestamptz - min(started_at)) AS value FROM release",
    ];
    const [youngest, oldest] = await Promise.all(
      ages.map(async (query) => Number((await pool.query(query, [now])).rows[0].value) * 1000),
    );
    expect(youngest).toBeGreaterThan(0);
    expect(youngest).toBeLessThan(2 * dayMs);
    expect(oldest).toBeGreaterThan(38 * dayMs);
    expect(oldest).toBeLessThan(44 * dayMs);
    expect(await readNumber("SELECT count(*) AS value FROM measurement_default")).toBe(0);
  });

  it("has an audit chain that verifies, with its evidence", async () => {
    const entries = await readNumber("SELECT count(*) AS value FROM audit_entry");
    expect(entries).toBeGreaterThan(100);
    expect(await verifyAudit({ client: pool })).toEqual({ ok: true, entries });
  });

  it("has a reason of its own for each action", async () => {
    const { rows } = await pool.query(
      "SELECT reason FROM action WHERE reason <> '' GROUP BY reason HAVING count(*) > 1",
    );
    expect(rows).toEqual([]);
  });

  it("has a second person who takes minutes", async () => {
    const { rows } = await pool.query<{ minutes: number }>(
      `SELECT extract(epoch FROM decided_at - requested_at)::float8 / 60 AS minutes FROM approval ORDER BY requested_at`,
    );
    expect(rows.map(({ minutes }) => Math.floor(minutes))).toEqual([6, 14]);
  });

  it("ends the freeze in the log, before the service is released again", async () => {
    const { rows } = await pool.query(
      `SELECT code, entry::json ->> 'reason' AS reason FROM audit_entry WHERE code LIKE 'freeze.%' ORDER BY seq`,
    );
    expect(rows).toEqual([
      { code: "freeze.create", reason: expect.stringContaining("Nothing moves until the cause is known.") },
      { code: "freeze.end", reason: expect.stringContaining("Cause found: ") },
    ]);
    const released = `SELECT count(*) AS value FROM release JOIN rollout ON rollout.id = release.rollout_id, freeze_period
      WHERE rollout.name = 'query-api' AND started_at BETWEEN starts_at AND ends_at`;
    expect(await readNumber(released)).toBe(0);
  });

  it("leaves the next ids free", async () => {
    const { rows } = await pool.query(
      "SELECT nextval(pg_get_serial_sequence('metric', 'id')) > max(id) AS metric FROM metric",
    );
    expect(rows).toEqual([{ metric: true }]);
  });

  it("hands its objects to the sandbox", () => {
    const [head = "", ...lines] = readFileSync(join(folder, "objects.snapshot.jsonl"), "utf8").trimEnd().split("\n");
    expect(JSON.parse(head)).toMatchObject({ version: 1, rv: expect.any(Number) });
    const rollouts = lines.map((line) => JSON.parse(line)).filter(({ resource }) => resource === "rollouts");
    expect(rollouts).toHaveLength(9);
    for (const { object } of rollouts) expect(object.status.phase).toBe("Healthy");
  });

  it("is imported once, and kept by later starts with and without --no-history", async () => {
    const before = await readNumber("SELECT count(*) AS value FROM audit_entry");
    for (const hasHistory of [true, false]) expect(await begin(database, folder, hasHistory)).toBe("kept");
    expect(await readNumber("SELECT count(*) AS value FROM audit_entry")).toBe(before);
  });

  it("leaves a cluster alone that has begun", async () => {
    const empty = await createTestDatabase();
    const used = mkdtempSync(join(tmpdir(), "gatehouse-history-"));
    try {
      writeFileSync(join(used, "objects.log.1.jsonl"), "");
      expect(await begin(empty, used)).toBe("none");
    } finally {
      rmSync(used, { recursive: true });
      await empty.drop();
    }
  });

  it("is not left over from a first start that was killed", async () => {
    const empty = await createTestDatabase();
    const left = mkdtempSync(join(tmpdir(), "gatehouse-history-"));
    try {
      for (const name of ["objects.snapshot.jsonl", "six-weeks"]) writeFileSync(join(left, name), "");
      expect(await begin(empty, left, false)).toBe("none");
      expect(readdirSync(left)).toEqual([]);
    } finally {
      rmSync(left, { recursive: true });
      await empty.drop();
    }
  });
});
