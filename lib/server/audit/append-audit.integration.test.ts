import type { Pool } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { verifyChain } from "#lib/domain/audit/audit-chain.ts";
import { type AuditDraft, makeEvidence, parseEntryText } from "#lib/domain/audit/audit-entry.ts";
import { appendAudit } from "#lib/server/audit/append-audit.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { createTestPool } from "#test/test-pool.ts";

let database: TestDatabase;
let owner: Pool;
let web: Pool;
let recorder: Pool;

beforeAll(async () => {
  database = await createTestDatabase();
  owner = createTestPool(database.ownerUrl);
  web = createTestPool(database.webUrl, 8);
  recorder = createTestPool(database.recorderUrl, 2);
});

afterAll(async () => {
  await Promise.all([owner.end(), web.end(), recorder.end()]);
  await database.drop();
});

const draft = (detail: Record<string, unknown> = {}): AuditDraft => ({
  actor: { type: "user", issuer: "https://issuer", subject: "oncall", name: "Oncall" },
  source: "gatehouse",
  code: "action.abort",
  action: "abort",
  target: { id: "a/b/Rollout/c", cluster: "a", namespace: "b", kind: "Rollout", name: "c" },
  outcome: "intent",
  detail,
  requestId: "r-1",
});

async function readChain() {
  const { rows } = await owner.query(
    `SELECT seq::int, previous_hash AS "previousHash", hash, entry_hash AS "entryHash", entry FROM audit_entry ORDER BY audit_entry.seq`,
  );
  return rows;
}

describe("appendAudit", () => {
  it("keeps the sequence gapless and the chain whole while many append at once", async () => {
    const jobs = Array.from({ length: 60 }, (_, index) =>
      appendAudit({ pool: index % 3 === 0 ? recorder : web, entry: draft({ index }) }),
    );
    const seqs = (await Promise.all(jobs)).map(({ seq }) => seq).sort((a, b) => a - b);
    expect(seqs).toEqual(Array.from({ length: 60 }, (_, index) => index + 1));
    expect(await verifyChain(await readChain())).toEqual({ ok: true, entries: 60 });
  });

  it("writes the database's time in microseconds, absent fields left out, and a change-log row", async () => {
    const appended = await appendAudit({ pool: web, entry: { ...draft(), reason: undefined } });
    const { rows } = await owner.query('SELECT entry, "time" FROM audit_entry WHERE seq = $1', [appended.seq]);
    const entry = parseEntryText(rows[0].entry);
    expect(entry).not.toHaveProperty("reason");
    expect(entry?.time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    expect(rows[0].time.toISOString()).toBe(`${entry?.time.slice(0, 23)}Z`);
    const changes = await owner.query("SELECT op, cluster, name FROM change_log WHERE kind = 'audit' AND ref = $1", [
      String(appended.seq),
    ]);
    expect(changes.rows).toEqual([{ op: "upsert", cluster: "a", name: "c" }]);
  });

  it("stores evidence once per content and names it by digest", async () => {
    const evidence = makeEvidence({ weight: 0.5, text: "a\u0000\ud800" });
    const first = await appendAudit({ pool: web, entry: draft(), evidence });
    await appendAudit({ pool: web, entry: draft(), evidence });
    const { rows } = await owner.query("SELECT content FROM evidence WHERE digest = $1", [evidence.digest]);
    expect(rows).toEqual([{ content: '{"text":"a\\u0000\ufffd","weight":0.5}' }]);
    const entry = await owner.query("SELECT entry FROM audit_entry WHERE seq = $1", [first.seq]);
    expect(parseEntryText(entry.rows[0].entry)?.evidenceDigest).toBe(evidence.digest);
  });

  it("takes names that PostgreSQL's text cannot hold", async () => {
    const entry = { ...draft(), actor: { type: "user" as const, name: "a\u0000b\ud800" } };
    const { seq } = await appendAudit({ pool: web, entry });
    const { rows } = await owner.query("SELECT actor_name, entry FROM audit_entry WHERE seq = $1", [seq]);
    expect(rows[0].actor_name).toBe("a\ufffdb\ufffd");
    expect(parseEntryText(rows[0].entry)?.actor.name).toBe("a\u0000b\ufffd");
  });

  it("leaves nothing behind where a value has no canonical text", async () => {
    const before = await readChain();
    await expect(appendAudit({ pool: web, entry: draft({ weight: 0.5 }) })).rejects.toMatchObject({
      code: "audit_unavailable",
    });
    expect(await readChain()).toEqual(before);
  });

  it("takes back the entry where what depends on it fails", async () => {
    const before = await readChain();
    const within = async () => Promise.reject(new Error("no"));
    await expect(appendAudit({ pool: web, entry: draft(), within })).rejects.toMatchObject({
      code: "audit_unavailable",
    });
    expect(await readChain()).toEqual(before);
  });

  it("fails closed where the database is away", async () => {
    const gone = createTestPool(database.webUrl.replace(/:\d+\//, ":1/"));
    await expect(appendAudit({ pool: gone, entry: draft() })).rejects.toMatchObject({ code: "audit_unavailable" });
    await gone.end();
  });

  it.each([
    "UPDATE audit_entry SET code = 'x'",
    "DELETE FROM audit_entry",
    "TRUNCATE audit_entry CASCADE",
    "DELETE FROM evidence",
  ])("is append-only for every role: %s", async (sql) => {
    for (const pool of [web, recorder, owner]) await expect(pool.query(sql)).rejects.toMatchObject({ code: "42501" });
  });
});
