import { describe, expect, it } from "vitest";
import { type KnownMigration, planMigrations, type RecordedMigration } from "./plan-migrations.ts";

const a: KnownMigration = { name: "1_a", checksum: "aa" };
const b: KnownMigration = { name: "2_b", checksum: "bb" };
const recorded = (migration: KnownMigration, change: Partial<RecordedMigration> = {}): RecordedMigration => ({
  ...migration,
  isFinished: true,
  ...change,
});

type Case = { name: string; recorded: RecordedMigration[]; known: KnownMigration[]; expected: string[] | string };
const cases: Case[] = [
  { name: "an empty database gets everything", recorded: [], known: [a, b], expected: ["1_a", "2_b"] },
  { name: "only what is missing", recorded: [recorded(a)], known: [a, b], expected: ["2_b"] },
  { name: "nothing when all is there", recorded: [recorded(a), recorded(b)], known: [a, b], expected: [] },
  { name: "an older file that came late still applies", recorded: [recorded(b)], known: [a, b], expected: ["1_a"] },
  { name: "unknown name", recorded: [recorded(a), recorded(b)], known: [a], expected: "newer-schema" },
  { name: "other checksum", recorded: [recorded(a, { checksum: "xx" })], known: [a], expected: "changed-migration" },
  {
    name: "never finished",
    recorded: [recorded(a, { isFinished: false })],
    known: [a],
    expected: "unfinished-migration",
  },
];

describe("planMigrations", () => {
  it.each(cases)("$name", ({ recorded, known, expected }) => {
    const plan = planMigrations({ recorded, known });
    const outcome = plan.kind === "apply" ? plan.pending.map((migration) => migration.name) : plan.reason;
    expect(outcome).toEqual(expected);
  });
});
