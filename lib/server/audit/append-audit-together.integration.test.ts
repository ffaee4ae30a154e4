import type { Pool, PoolClient } from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { AuditDraft } from "#lib/domain/audit/audit-entry.ts";
import { appendAudit } from "#lib/server/audit/append-audit.ts";
import { verifyAudit } from "#lib/server/audit/verify-audit.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { createTestPool } from "#test/test-pool.ts";

let database: TestDatabase;
let owner: Pool;
let web: Pool;
let otherWeb: Pool;
let before: number;

beforeAll(async () => {
  database = await createTestDatabase();
  owner = createTestPool(database.ownerUrl);
  web = createTestPool(database.webUrl, 8);
  otherWeb = createTestPool(database.webUrl, 8);
});

afterAll(async () => {
  await Promise.all([owner.end(), web.end(), otherWeb.end()]);
  await database.drop();
});

beforeEach(async () => {
  before = (await readEntries()).length;
});

const draft = (word: string, more: Partial<AuditDraft> = {}): AuditDraft => ({
  actor: { type: "user", name: "oncall" },
  source: "gatehouse",
  code: "action.abort",
  requestId: word,
  ...more,
});

type Entry = { seq: number; word: string; time: string; transaction: string };

async function readEntries(): Promise<Entry[]> {
  const { rows } = await owner.query<Entry>(
    `SELECT a.seq::int AS seq, a.entry::json->>'requestId' AS word, a.entry::json->>'time' AS time,
       c.xid::text AS transaction
     FROM audit_entry a JOIN change_log c ON c.kind = 'audit' AND c.ref = a.seq::text ORDER BY a.seq`,
  );
  return rows;
}

const readNewEntries = async () => (await readEntries()).slice(before);

/** Holds the chain, lets others queue up, and releases it: they then form one batch. */
async function appendTogether(queueUp: () => Promise<unknown>[]): Promise<PromiseSettledResult<unknown>[]> {
  const isHeld = Promise.withResolvers<void>();
  const mayGo = Promise.withResolvers<void>();
  const holding = appendAudit({
    pool: web,
    entry: draft("holds the chain"),
    within: () => {
      isHeld.resolve();
      return mayGo.promise;
    },
  });
  await isHeld.promise;
  const settled = Promise.allSettled(queueUp());
  mayGo.resolve();
  await holding;
  return settled;
}

const wordsOf = (results: readonly PromiseSettledResult<unknown>[]) =>
  results.map((result) =>
    result.status === "fulfilled" ? "written" : result.reason instanceof ServiceError ? result.reason.code : "other",
  );

const append = (word: string, within?: (client: PoolClient) => Promise<void>) =>
  appendAudit({ pool: web, entry: draft(word), within });

const addAccount = (name: string) => async (client: PoolClient) => {
  await client.query("INSERT INTO user_account (id, issuer, subject, name) VALUES (gen_random_uuid(), 'i', $1, $1)", [
    name,
  ]);
};

describe("entries that are appended together", () => {
  it("stand or fall each alone, in one transaction", async () => {
    // On a busy machine the dependent ones may take longer than a batch may, and make another.
    const clock = vi.spyOn(performance, "now").mockReturnValue(performance.now());
    const results = await appendTogether(() => [
      append("plain"),
      append("depends", addAccount("kept")),
      append("refused within", async (client) => {
        await addAccount("taken-back")(client);
        throw new ServiceError("conflict", "decided meanwhile");
      }),
      appendAudit({ pool: web, entry: draft("no canonical text", { detail: { weight: 0.5 } }) }),
      append("hides a failure", (client) => client.query("SELECT 1 / 0").then(undefined, () => {}) as Promise<void>),
      appendAudit({
        pool: web,
        entry: draft("no canonical text, depends", { detail: { weight: 0.5 } }),
        within: addAccount("taken-back"),
      }),
      append("depends too", addAccount("kept-too")),
      append("plain too"),
    ]);
    clock.mockRestore();
    const unavailable = "audit_unavailable";
    expect(wordsOf(results)).toEqual([
      ...["written", "written", "conflict", unavailable],
      ...[unavailable, unavailable, "written", "written"],
    ]);
    const entries = (await readNewEntries()).slice(1);
    expect(entries.map(({ word }) => word)).toEqual(["plain", "plain too", "depends", "depends too"]);
    expect(new Set(entries.map(({ transaction }) => transaction)).size).toBe(1);
    const accounts = await owner.query("SELECT name FROM user_account ORDER BY name");
    expect(accounts.rows).toEqual([{ name: "kept" }, { name: "kept-too" }]);
    expect(await verifyAudit({ client: owner })).toMatchObject({ ok: true });
  });

  it("go each alone where the database refuses the row of one", async () => {
    const results = await appendTogether(() => [
      append("first"),
      appendAudit({ pool: web, entry: draft("no uuid", { actionId: "none" }) }),
      append("second", async () => {}),
    ]);
    expect(wordsOf(results)).toEqual(["written", "audit_unavailable", "written"]);
    expect((await readNewEntries()).slice(1).map(({ word }) => word)).toEqual(["first", "second"]);
  });

  it("do not wait for a slow one: who depends on more comes into the next transaction, in order", async () => {
    const results = await appendTogether(() => [
      append("slow", async (client) => void (await client.query("SELECT pg_sleep(0.2)"))),
      append("second", async () => {}),
      append("third", async () => {}),
      append("plain"),
    ]);
    expect(wordsOf(results)).toEqual(Array.from({ length: 4 }, () => "written"));
    const [plain, slow, second, third] = (await readNewEntries()).slice(1);
    expect([plain, slow, second, third].map((entry) => entry?.word)).toEqual(["plain", "slow", "second", "third"]);
    expect(plain?.transaction).toBe(slow?.transaction);
    expect(second?.transaction).not.toBe(slow?.transaction);
    expect(third?.transaction).toBe(second?.transaction);
  });

  it("are all refused where the connection breaks, and those after them are not", async () => {
    const next: Promise<unknown>[] = [];
    const results = await appendTogether(() => [
      append("plain"),
      append("depends", async () => {}),
      append("cut", async (client) => {
        next.push(append("next"));
        const { rows } = await client.query("SELECT pg_backend_pid() AS pid");
        await owner.query("SELECT pg_terminate_backend($1)", [rows[0].pid]);
        // The connection is idle, but its loss must still be noticed.
        await new Promise(() => {});
      }),
      append("behind", async () => {}),
    ]);
    expect(wordsOf(results)).toEqual(Array.from({ length: 4 }, () => "audit_unavailable"));
    await Promise.all(next);
    expect((await readNewEntries()).slice(1).map(({ word }) => word)).toEqual(["next"]);
  });

  it("are gapless, in time and whole, from eight writers at each of two pools", async () => {
    const write = async (pool: Pool, writer: string) => {
      const own: number[] = [];
      for (let index = 0; index < 12; index += 1) {
        const within =
          index % 3 === 0 ? async (client: PoolClient) => void (await client.query("SELECT 1")) : undefined;
        own.push((await appendAudit({ pool, entry: draft(`${writer}-${index}`), within })).seq);
      }
      return own;
    };
    const writers = Array.from({ length: 16 }, (_, index) => write(index < 8 ? web : otherWeb, `writer-${index}`));
    const seqs = await Promise.all(writers);
    for (const own of seqs) expect(own).toEqual(own.toSorted((a, b) => a - b));
    const entries = await readNewEntries();
    expect(entries.map(({ seq }) => seq)).toEqual(Array.from({ length: 192 }, (_, index) => before + index + 1));
    expect(entries.map(({ time }) => time)).toEqual(entries.map(({ time }) => time).toSorted());
    expect(new Set(entries.map(({ transaction }) => transaction)).size).toBeLessThan(192);
    expect(await verifyAudit({ client: owner })).toEqual({ ok: true, entries: before + 192 });
    const changes = await owner.query<{ ref: string }>("SELECT ref FROM change_log WHERE kind = 'audit' ORDER BY id");
    expect(changes.rows.map(({ ref }) => Number(ref))).toEqual((await readEntries()).map(({ seq }) => seq));
  });
});

it("an entry that is alone is not written where what depends on it hid a failure", async () => {
  const hiding = append("hides", (client) => client.query("SELECT 1 / 0").then(undefined, () => {}) as Promise<void>);
  await expect(hiding).rejects.toMatchObject({ code: "audit_unavailable" });
  expect(await readNewEntries()).toEqual([]);
  expect((await append("next")).seq).toBe(before + 1);
});
