import { randomUUID } from "node:crypto";
import type { Pool, PoolClient } from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type ChainLink, computeLink, verifyChain } from "#lib/domain/audit/audit-chain.ts";
import { makeEvidence } from "#lib/domain/audit/audit-entry.ts";
import { appendAudit } from "#lib/server/audit/append-audit.ts";
import { readAuditLinks, verifyAudit } from "#lib/server/audit/verify-audit.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { createTestPool } from "#test/test-pool.ts";

let database: TestDatabase;
let pool: Pool;
/** In a transaction that each test rolls back, together with its tampering. */
let owner: PoolClient;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = createTestPool(database.ownerUrl);
  for (let index = 1; index <= 6; index += 1)
    await appendAudit({
      pool,
      entry: {
        actor: { type: "user", issuer: "i", subject: "s", name: `Oncall ${index}` },
        source: "gatehouse",
        code: "action.abort",
        action: "abort",
        actionId: randomUUID(),
        target: { cluster: "a", namespace: "b", kind: "Rollout", name: "c" },
        outcome: "intent",
        reason: `reason ${index}`,
        requestId: `r-${index}`,
      },
      evidence: makeEvidence({ index: index % 2 }),
    });
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});
beforeEach(async () => {
  owner = await pool.connect();
  await owner.query("BEGIN");
});
afterEach(async () => {
  await owner.query("ROLLBACK");
  owner.release();
});

/** Tampers with the chain. Only the owner can, by disabling the triggers. */
async function tamper(sql: string): Promise<void> {
  await owner.query(`ALTER TABLE audit_entry DISABLE TRIGGER USER; ALTER TABLE evidence DISABLE TRIGGER USER; ${sql}`);
}

describe("verifyAudit", () => {
  it("passes an untouched chain, with and without its checkpoint", async () => {
    expect(await verifyAudit({ client: owner })).toEqual({ ok: true, entries: 6 });
    const { rows } = await owner.query("SELECT hash FROM audit_entry WHERE seq = 4");
    expect(await verifyAudit({ client: owner, checkpoints: [{ seq: 4, hash: rows[0].hash }] })).toMatchObject({
      ok: true,
    });
  });

  it.each([
    {
      name: "changed text",
      sql: "UPDATE audit_entry SET entry = replace(entry, 'reason 3', 'reason 9') WHERE seq = 3",
      brokenAt: 3,
      reason: "entryHash does not follow from the entry",
    },
    {
      name: "changed text with its own hash",
      sql: `UPDATE audit_entry SET entry = replace(entry, 'reason 3', 'reason 9'),
        entry_hash = encode(sha256(convert_to(replace(entry, 'reason 3', 'reason 9'), 'UTF8')), 'hex') WHERE seq = 3`,
      brokenAt: 3,
      reason: "hash does not follow from previousHash and entryHash",
    },
    {
      name: "changed hash",
      sql: `UPDATE audit_entry SET hash = repeat('a', 64) WHERE seq = 2`,
      brokenAt: 2,
      reason: "hash does not follow from previousHash and entryHash",
    },
    {
      name: "changed column",
      sql: "UPDATE audit_entry SET actor_name = 'Nameless' WHERE seq = 5",
      brokenAt: 5,
      reason: "column actor_name is not what the entry says",
    },
    {
      name: "changed time",
      sql: "UPDATE audit_entry SET time = time + interval '1 microsecond' WHERE seq = 5",
      brokenAt: 5,
      reason: "column time is not what the entry says",
    },
    {
      name: "changed kind, which decides who may read it",
      sql: "UPDATE audit_entry SET kind = 'Canary' WHERE seq = 5",
      brokenAt: 5,
      reason: "column kind is not what the entry says",
    },
    {
      name: "kind removed after entries that have one",
      sql: "UPDATE audit_entry SET kind = NULL WHERE seq = 5",
      brokenAt: 5,
      reason: "column kind is not what the entry says",
    },
    { name: "deleted", sql: "DELETE FROM audit_entry WHERE seq = 4", brokenAt: 4, reason: "expected entry 4, found 5" },
    {
      name: "first one deleted",
      sql: "DELETE FROM audit_entry WHERE seq = 1",
      brokenAt: 1,
      reason: "expected entry 1, found 2",
    },
    {
      name: "deleted, and the rest moved up",
      sql: "DELETE FROM audit_entry WHERE seq = 4; UPDATE audit_entry SET seq = seq - 1 WHERE seq = 5",
      brokenAt: 4,
      reason: "previousHash is not the hash of the entry before",
    },
    {
      name: "inserted",
      sql: `UPDATE audit_entry SET seq = seq + 100 WHERE seq > 3; UPDATE audit_entry SET seq = seq - 99 WHERE seq > 100;
        INSERT INTO audit_entry SELECT 4, time, entry, entry_hash, previous_hash, repeat('b', 64), code, source, action, outcome,
          action_id, actor_name, actor_subject, cluster, namespace, name, evidence_digest FROM audit_entry WHERE seq = 3`,
      brokenAt: 4,
      reason: "previousHash is not the hash of the entry before",
    },
    {
      name: "reordered",
      sql: "UPDATE audit_entry SET seq = 99 WHERE seq = 2; UPDATE audit_entry SET seq = 2 WHERE seq = 3; UPDATE audit_entry SET seq = 3 WHERE seq = 99",
      brokenAt: 2,
      reason: "previousHash is not the hash of the entry before",
    },
    {
      name: "evidence changed",
      sql: `UPDATE evidence SET content = '{"index":2}' WHERE content = '{"index":0}'`,
      brokenAt: 2,
      reason: "its evidence was changed",
    },
    {
      name: "evidence deleted",
      sql: `ALTER TABLE audit_entry DROP CONSTRAINT audit_entry_evidence_digest_fkey;
        DELETE FROM evidence WHERE content = '{"index":1}'`,
      brokenAt: 1,
      reason: "its evidence is missing",
    },
  ])("finds what was $name", async ({ sql, brokenAt, reason }) => {
    await tamper(sql);
    expect(await verifyAudit({ client: owner })).toEqual({ ok: false, entries: brokenAt - 1, brokenAt, reason });
  });

  it("finds a cut-off end only against a checkpoint", async () => {
    const { rows } = await owner.query("SELECT hash FROM audit_entry WHERE seq = 6");
    await tamper("DELETE FROM audit_entry WHERE seq > 4");
    expect(await verifyAudit({ client: owner })).toEqual({ ok: true, entries: 4 });
    expect(await verifyAudit({ client: owner, checkpoints: [{ seq: 6, hash: rows[0].hash }] })).toEqual({
      ok: false,
      entries: 4,
      brokenAt: 5,
      reason: "the chain ends here, a checkpoint knows entry 6",
    });
  });

  it("finds a rewritten end only against a checkpoint", async () => {
    const { rows } = await owner.query("SELECT * FROM audit_entry WHERE seq >= 5 ORDER BY seq");
    const entry = rows[1].entry.replace("reason 6", "reason 0");
    const link = computeLink({ head: { seq: 5, hash: rows[0].hash }, entry });
    await tamper(
      `UPDATE audit_entry SET entry = '${entry}', entry_hash = '${link.entryHash}', hash = '${link.hash}' WHERE seq = 6`,
    );
    expect(await verifyAudit({ client: owner })).toMatchObject({ ok: true });
    expect(await verifyAudit({ client: owner, checkpoints: [{ seq: 6, hash: rows[1].hash }] })).toMatchObject({
      ok: false,
      brokenAt: 6,
      reason: "hash is not the one that a checkpoint noted",
    });
  });

  it("verifies an export by itself, stubs included", async () => {
    const links: ChainLink[] = [];
    for await (const link of readAuditLinks(owner)) links.push(link);
    const stubbed = links.map(({ entry, ...link }) => (link.seq % 2 === 0 ? link : { ...link, entry }));
    expect(await verifyChain(stubbed)).toEqual({ ok: true, entries: 6 });
    expect(await verifyChain(stubbed.toSpliced(2, 1))).toMatchObject({ ok: false, brokenAt: 3 });
    expect(await verifyChain(stubbed.with(1, { ...links[1], entryHash: "0".repeat(64) } as never))).toMatchObject({
      brokenAt: 2,
    });
  });
});
