import type { Pool } from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { readPoliciesKnownSince, readPolicyHistory } from "#lib/server/people/auth/read-policy-history.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { storePolicies } from "#test/store-policies.ts";
import { createTestPool } from "#test/test-pool.ts";

let database: TestDatabase;
let owner: Pool;
let web: Pool;

beforeAll(async () => {
  database = await createTestDatabase();
  owner = createTestPool(database.ownerUrl);
  web = createTestPool(database.webUrl);
});
beforeEach(() => owner.query("DELETE FROM config_event"));
afterAll(async () => {
  await Promise.all([owner.end(), web.end()]);
  await database.drop();
});

const hour = (number: number) => new Date(`2026-11-20T${String(number).padStart(2, "0")}:00:00Z`);
const freeze = (name: string) => ({ freezes: [{ name, start: "0 18 * * 5", duration: "62h" }] });

/** Stores a load as of an hour. */
async function load(at: number, policies: Parameters<typeof storePolicies>[1], digest?: string): Promise<void> {
  await storePolicies(web, policies, digest);
  await owner.query("UPDATE config_event SET at = $1 WHERE id = (SELECT max(id) FROM config_event)", [hour(at)]);
}

async function historyOf(from: number, to: number) {
  const spans = await readPolicyHistory(web, { from: hour(from), to: hour(to) });
  return spans.map(({ fromMs, toMs, policies }) => [
    ...[new Date(fromMs).getUTCHours(), new Date(toMs).getUTCHours()],
    policies?.freezes.map(({ name }) => name),
  ]);
}

describe("the history of the policies", () => {
  it("has the policies of each moment, and says since when they are known", async () => {
    expect(await historyOf(8, 12)).toEqual([[8, 12, undefined]]);
    expect(await readPoliciesKnownSince(web)).toBeUndefined();
    // As earlier versions wrote it.
    await owner.query("INSERT INTO config_event (code, content, at) VALUES ('config.loaded', 'abc', $1)", [hour(9)]);
    expect(await historyOf(8, 12)).toEqual([[8, 12, undefined]]);
    await load(10, freeze("first"), "a");
    await load(11, freeze("second"), "b");
    expect(await historyOf(8, 12)).toEqual([
      [8, 10, undefined],
      [10, 11, ["first"]],
      [11, 12, ["second"]],
    ]);
    expect(await historyOf(10, 11)).toEqual([[10, 11, ["first"]]]);
    expect(await historyOf(12, 14)).toEqual([[12, 14, ["second"]]]);
    expect(await readPoliciesKnownSince(web)).toEqual(hour(10));
  });

  it("joins loads of the same policies, and leaves out those that only observe", async () => {
    await load(9, freeze("first"), "a");
    await load(10, freeze("first"), "b");
    const [rule] = freeze("observed").freezes;
    await load(11, { freezes: [{ name: "x", start: "0 0 * * *", duration: "1h", ...rule, mode: "observe" }] }, "c");
    expect(await historyOf(9, 12)).toEqual([
      [9, 11, ["first"]],
      [11, 12, []],
    ]);
  });

  it("keeps a load by its policies: a file that was known without them is recorded again", async () => {
    const events = async () => (await owner.query("SELECT count(*)::int AS count FROM config_event")).rows[0]?.count;
    await owner.query("INSERT INTO config_event (code, content) VALUES ('config.loaded', 'abc')");
    await storePolicies(web, freeze("first"), "abc");
    expect(await events()).toBe(2);
    await storePolicies(web, freeze("first"), "abc");
    expect(await events()).toBe(2);
  });

  it("does not know policies of a form that this version does not have", async () => {
    await load(10, freeze("first"), "a");
    const content = '{"freezes":[],"quorum":[]}';
    const digest = "f".repeat(64);
    await owner.query("INSERT INTO evidence (digest, content) VALUES ($1, $2)", [digest, content]);
    await owner.query("INSERT INTO config_event (code, content, at) VALUES ('config.loaded', $1, $2)", [
      `b ${digest}`,
      hour(11),
    ]);
    expect(await historyOf(10, 12)).toEqual([
      [10, 11, ["first"]],
      [11, 12, undefined],
    ]);
  });
});
