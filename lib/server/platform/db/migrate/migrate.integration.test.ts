import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from "#test/database.ts";
import { migrate, readSchemaState } from "./migrate.ts";

let dir: string;
let database: TestDatabase;

function writeMigration(name: string, sql: string): void {
  mkdirSync(join(dir, name), { recursive: true });
  writeFileSync(join(dir, name, "migration.sql"), sql);
}

async function query(sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: database.ownerUrl });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "gatehouse-migrations-"));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

describe("migrate", () => {
  beforeAll(async () => {
    database = await createEmptyDatabase();
    writeMigration("20260101000000_a", "CREATE TABLE a (n int); DO $$ BEGIN INSERT INTO a VALUES (1); END $$;");
  });
  afterAll(() => database.drop());

  it("applies a whole file, dollar quotes included, once, also when two run at the same time", async () => {
    const both = await Promise.all([
      migrate({ url: database.ownerUrl, dir }),
      migrate({ url: database.ownerUrl, dir }),
    ]);
    expect(both.flat()).toEqual(["20260101000000_a"]);
    expect(await query("SELECT n FROM a")).toEqual([{ n: 1 }]);
    expect(await readSchemaState({ url: database.ownerUrl, dir })).toEqual({
      kind: "current",
      version: "20260101000000_a",
    });
  });

  it("rolls a failing file back whole and names file and line", async () => {
    writeMigration("20260102000000_b", "CREATE TABLE b (n int);\nSELECT nonsense;");
    await expect(migrate({ url: database.ownerUrl, dir })).rejects.toThrow(/20260102000000_b.*nonsense.*line 2/);
    expect(await query("SELECT to_regclass('b') AS b")).toEqual([{ b: null }]);
    expect(await readSchemaState({ url: database.ownerUrl, dir })).toEqual({
      kind: "pending",
      pending: ["20260102000000_b"],
    });
    rmSync(join(dir, "20260102000000_b"), { recursive: true });
  });

  it("refuses a changed file, and then a schema newer than the files", async () => {
    writeMigration("20260101000000_a", "CREATE TABLE a (n bigint);");
    await expect(migrate({ url: database.ownerUrl, dir })).rejects.toThrow(/20260101000000_a was changed/);
    rmSync(join(dir, "20260101000000_a"), { recursive: true });
    writeMigration("20250101000000_old", "SELECT 1;");
    await expect(migrate({ url: database.ownerUrl, dir })).rejects.toThrow(/does not know/);
    expect(await readSchemaState({ url: database.ownerUrl, dir })).toMatchObject({ kind: "refused" });
  });
});

describe("the database it meets", () => {
  it("refuses an encoding other than UTF8", async () => {
    const latin = await createEmptyDatabase({ encoding: "LATIN1" });
    await expect(migrate({ url: latin.ownerUrl })).rejects.toThrow(/encoding is LATIN1.*needs UTF8/);
    await latin.drop();
  });

  it("says which place cannot be reached, without the password", async () => {
    const attempt = migrate({ url: "postgresql://gatehouse:hidden@127.0.0.1:1/gatehouse" });
    await expect(attempt).rejects.toThrow(/^(?!.*hidden).*127\.0\.0\.1:1\/gatehouse/);
  });

  it("finds our own migrations applied in a test database, and each role can look", async () => {
    const copy = await createTestDatabase();
    for (const url of [copy.ownerUrl, copy.recorderUrl, copy.webUrl]) {
      expect(await readSchemaState({ url })).toMatchObject({ kind: "current" });
    }
    await copy.drop();
  });
});
