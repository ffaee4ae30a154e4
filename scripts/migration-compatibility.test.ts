import { describe, expect, it } from "vitest";
import { readMigrationFiles } from "#lib/server/platform/db/migrate/migrate.ts";
import { servedFrom } from "#lib/server/platform/db/migrate/releases.ts";
// @ts-expect-error -- plain JavaScript without types, as all scripts.
import { allowedBreaks, findBreaks } from "./migration-compatibility.mjs";

const migrations = readMigrationFiles();
const released = migrations.filter(({ name }) => name <= servedFrom);
const newer = migrations.filter(({ name }) => name > servedFrom);

describe("the migrations since the last release", () => {
  it("leave its web and recorder working, apart from exceptions with a reason", () => {
    expect(released.at(-1)?.name).toBe(servedFrom);
    expect(findBreaks({ released, newer, allowed: allowedBreaks })).toEqual([]);
  });
});

const before = {
  name: "1_before",
  sql: `CREATE TABLE "shop" (id int, name text); CREATE UNIQUE INDEX "shop_key" ON "shop" ("id");
    CREATE INDEX "shop_name" ON "shop" ("name"); CREATE FUNCTION count_shops() RETURNS int AS $$ SELECT 1; $$ LANGUAGE sql;`,
};

type Case = { name: string; sql: string; breaks: number };
const cases: Case[] = [
  { name: "a new table", sql: `CREATE TABLE "new" (id int NOT NULL, CHECK (id > 0))`, breaks: 0 },
  {
    name: "whatever is done to a new table",
    sql: `CREATE TABLE "n" (id int); ALTER TABLE "n" DROP COLUMN id`,
    breaks: 0,
  },
  { name: "a new column", sql: 'ALTER TABLE "shop" ADD COLUMN "city" text', breaks: 0 },
  { name: "a new column with a default", sql: `ALTER TABLE "shop" ADD COLUMN "n" int NOT NULL DEFAULT 0`, breaks: 0 },
  { name: "a new column that must be filled", sql: `ALTER TABLE "shop" ADD COLUMN "n" int NOT NULL`, breaks: 1 },
  { name: "the second of two", sql: `ALTER TABLE shop ADD a numeric(3, 1) DEFAULT 1, ADD b int NOT NULL`, breaks: 1 },
  { name: "a dropped column", sql: 'ALTER TABLE "shop" DROP COLUMN "name"', breaks: 1 },
  { name: "a dropped table", sql: "DROP TABLE IF EXISTS public.shop", breaks: 1 },
  { name: "a renamed column", sql: 'ALTER TABLE "shop" RENAME COLUMN "name" TO "title"', breaks: 1 },
  { name: "a renamed table", sql: 'ALTER TABLE "shop" RENAME TO "store"', breaks: 1 },
  { name: "another type", sql: 'ALTER TABLE "shop" ALTER COLUMN "id" TYPE bigint', breaks: 1 },
  { name: "another type, said longer", sql: 'ALTER TABLE "shop" ALTER "id" SET DATA TYPE bigint', breaks: 1 },
  {
    name: "a column that must be filled from now on",
    sql: "ALTER TABLE shop ALTER COLUMN name SET NOT NULL",
    breaks: 1,
  },
  { name: "no default any more", sql: "ALTER TABLE shop ALTER COLUMN name DROP DEFAULT", breaks: 1 },
  { name: "no longer filled", sql: "ALTER TABLE shop ALTER COLUMN name DROP NOT NULL", breaks: 0 },
  { name: "a check", sql: `ALTER TABLE "shop" ADD CONSTRAINT c CHECK (id > 0)`, breaks: 1 },
  {
    name: "a check that replaces another",
    sql: `ALTER TABLE "shop" DROP CONSTRAINT c, ADD CONSTRAINT c CHECK (true)`,
    breaks: 2,
  },
  { name: "a unique index", sql: 'CREATE UNIQUE INDEX "u" ON "shop" ("name")', breaks: 1 },
  { name: "an index", sql: 'CREATE INDEX "i" ON "shop" ("name"); DROP INDEX "shop_name"', breaks: 0 },
  { name: "an upsert's index", sql: 'DROP INDEX "shop_key"', breaks: 1 },
  { name: "a trigger", sql: 'CREATE TRIGGER t AFTER UPDATE ON "shop" FOR EACH ROW EXECUTE FUNCTION f()', breaks: 1 },
  { name: "a right less", sql: "REVOKE INSERT ON shop FROM gatehouse_web", breaks: 1 },
  {
    name: "another function",
    sql: "CREATE OR REPLACE FUNCTION count_shops() RETURNS int AS $$ $$ LANGUAGE sql",
    breaks: 1,
  },
  {
    name: "a function's body",
    sql: "CREATE FUNCTION f() RETURNS int AS $x$ DROP TABLE shop; $x$ LANGUAGE sql",
    breaks: 0,
  },
  { name: "a block", sql: "DO $$ BEGIN IF true THEN ALTER TABLE shop DROP COLUMN name; END IF; END $$;", breaks: 1 },
  { name: "a block that executes a text", sql: "DO $$ BEGIN EXECUTE 'DROP TABLE shop'; END $$;", breaks: 1 },
  { name: "comments", sql: "-- DROP TABLE shop;\n/* DROP TABLE shop; */ SELECT 1", breaks: 0 },
  { name: "deleted rows", sql: 'DELETE FROM "shop" WHERE id = 1', breaks: 1 },
];

describe("findBreaks", () => {
  it.each(cases)("$name: $breaks", ({ sql, breaks }) => {
    const lines = findBreaks({ released: [before], newer: [{ name: "2_after", sql }] });
    expect(lines, lines.join("\n")).toHaveLength(breaks);
  });

  it("takes an exception that has a reason and a use", () => {
    const input = { released: [before], newer: [{ name: "2_after", sql: "DROP TABLE shop" }] };
    const allowed = { migration: "2_after", statement: "DROP TABLE shop", reason: "it was never used" };
    expect(findBreaks({ ...input, allowed: [allowed] })).toEqual([]);
    expect(findBreaks({ ...input, allowed: [{ ...allowed, reason: " " }] })).toHaveLength(1);
    expect(findBreaks({ ...input, allowed: [allowed, { ...allowed, migration: "3" }] })).toHaveLength(1);
  });
});
