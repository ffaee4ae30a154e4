import { describe, expect, it } from "vitest";
import { describeServed } from "#lib/server/platform/db/served-schema.ts";
import { type KnownMigration, type MigrationPlan, planMigrations, type RecordedMigration } from "./plan-migrations.ts";

const a: KnownMigration = { name: "1_a", checksum: "aa" };
const b: KnownMigration = { name: "2_b", checksum: "bb" };
const recorded = (migration: KnownMigration, change: Partial<RecordedMigration> = {}): RecordedMigration => ({
  ...migration,
  isFinished: true,
  ...change,
});

const c: KnownMigration = { name: "3_c", checksum: "cc" };
type Case = {
  name: string;
  recorded: RecordedMigration[];
  known: KnownMigration[];
  comment?: string;
  expected: string[] | string;
};
const cases: Case[] = [
  { name: "an empty database gets everything", recorded: [], known: [a, b], expected: ["1_a", "2_b"] },
  { name: "only what is missing", recorded: [recorded(a)], known: [a, b], expected: ["2_b"] },
  { name: "nothing when all is there", recorded: [recorded(a), recorded(b)], known: [a, b], expected: [] },
  { name: "an older file that came late still applies", recorded: [recorded(b)], known: [a, b], expected: ["1_a"] },
  { name: "unknown name", recorded: [recorded(a), recorded(b)], known: [a], expected: "newer-schema" },
  {
    name: "a later release whose schema serves this program",
    recorded: [recorded(a), recorded(b), recorded(c)],
    known: [a, b],
    comment: describeServed({ newest: "3_c", from: "2_b" }),
    expected: "newer 3_c",
  },
  {
    name: "a later release that serves only later programs",
    recorded: [recorded(a), recorded(b), recorded(c)],
    known: [a, b],
    comment: describeServed({ newest: "3_c", from: "3_c" }),
    expected: "newer-schema",
  },
  {
    name: "an unknown migration between those that are known",
    recorded: [recorded(a), recorded(b), recorded(c)],
    known: [a, c],
    comment: describeServed({ newest: "3_c", from: "1_a" }),
    expected: "newer-schema",
  },
  {
    name: "a later release, and one of ours is missing",
    recorded: [recorded(b), recorded(c)],
    known: [a, b],
    comment: describeServed({ newest: "3_c", from: "1_a" }),
    expected: "newer-schema",
  },
  {
    name: "a migration of a later release that is not finished",
    recorded: [recorded(a), recorded(b, { isFinished: false })],
    known: [a],
    comment: describeServed({ newest: "2_b", from: "1_a" }),
    expected: "newer-schema",
  },
  {
    name: "a comment of somebody else",
    recorded: [recorded(b)],
    known: [a],
    comment: "ours",
    expected: "newer-schema",
  },
  { name: "other checksum", recorded: [recorded(a, { checksum: "xx" })], known: [a], expected: "changed-migration" },
  {
    name: "never finished",
    recorded: [recorded(a, { isFinished: false })],
    known: [a],
    expected: "unfinished-migration",
  },
];

describe("planMigrations", () => {
  it.each(cases)("$name", ({ expected, ...state }) => {
    expect(outcomeOf(planMigrations(state))).toEqual(expected);
  });
});

function outcomeOf(plan: MigrationPlan<KnownMigration>): string[] | string {
  if (plan.kind === "newer") return `newer ${plan.version}`;
  return plan.kind === "apply" ? plan.pending.map((migration) => migration.name) : plan.reason;
}
