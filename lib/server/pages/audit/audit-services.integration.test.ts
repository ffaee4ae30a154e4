import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Action } from "#lib/contract/action.ts";
import { AuditDetail, AuditItem, AuditListQuery } from "#lib/contract/audit.ts";
import { verifyChain } from "#lib/domain/audit/audit-chain.ts";
import { getAction } from "#lib/server/acting/act/get-action.ts";
import { exportAudit } from "#lib/server/pages/audit/export-audit.ts";
import { getAuditEntry } from "#lib/server/pages/audit/get-audit-entry.ts";
import { listAudit } from "#lib/server/pages/audit/list-audit.ts";
import {
  mostQuickEntries,
  mostQuickEvidenceBytes,
  verifyAuditChain,
} from "#lib/server/pages/audit/verify-audit-chain.ts";
import type { Actor } from "#lib/server/platform/actor/actor.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";
import { type ActingWorld, actorOf, createActingWorld, type TestRollout } from "#test/acting-world.ts";

let world: ActingWorld;
let rollout: TestRollout;
let actionId: string;
let auditSeq: number;

beforeAll(async () => {
  world = await createActingWorld();
  rollout = await world.addRollout();
  const accepted = await world.act({ rollout, action: "abort", reason: "errors rise" });
  actionId = accepted.id;
  auditSeq = accepted.auditSeq;
  await world.act({ rollout, action: "continue", actor: actorOf("viewer") }).catch(() => {});
});
afterAll(() => world.close());

const ctxOf = (role: "viewer" | "operator" | "admin"): ServiceContext => ({
  runtime: world.runtime,
  actor: actorOf(role),
  requestId: randomUUID(),
});
const list = (query: Record<string, unknown>) =>
  listAudit({ ctx: ctxOf("viewer"), input: AuditListQuery.parse(query) });

describe("listAudit", () => {
  it("gives the newest first, as the contract says, page by page", async () => {
    const first = await list({ limit: 2 });
    expect(first.items.map((item) => AuditItem.parse(item).outcome)).toEqual(["refused", "applied"]);
    const second = await list({ limit: 2, cursor: first.nextCursor });
    expect(second.items.map(({ outcome }) => outcome)).toEqual(["intent"]);
    expect(second.nextCursor).toBeNull();
  });

  it("says in a sentence who did what, and what became of it", async () => {
    const [item] = (await list({ outcome: "applied" })).items;
    expect(item).toMatchObject({
      sentence: `operator-person aborted ${rollout.path.namespace}/checkout with the weight set to 20 %`,
      reason: "errors rise",
      effect: { state: "applied", seconds: null },
    });
  });

  it.each([
    { query: { action: "abort" }, count: 2 },
    { query: { action: "continue" }, count: 1 },
    { query: { outcome: "intent" }, count: 1 },
    { query: { source: "system" }, count: 0 },
    { query: { from: "2000-01-01T00:00:00Z", to: "2999-01-01T00:00:00+02:00" }, count: 3 },
    { query: { from: "2999-01-01T00:00:00Z" }, count: 0 },
    { query: { to: "2000-01-01T00:00:00Z" }, count: 0 },
    { query: { actor: "VIEWER" }, count: 1 },
    { query: { actor: "%" }, count: 0 },
    { query: { cluster: "prod-eu", name: "checkout" }, count: 3 },
    { query: { namespace: "elsewhere" }, count: 0 },
    // One abort that was done, one request that was refused.
    { query: { rows: "acts" }, count: 2 },
    { query: { rows: "entries" }, count: 3 },
    { query: { rows: "acts", outcome: "intent" }, count: 0 },
    { query: { signIns: "hidden" }, count: 3 },
    { query: { signIns: "only" }, count: 0 },
    { query: { q: "errors RISE" }, count: 2 },
    { query: { q: "errors rise", rows: "acts" }, count: 1 },
    { query: { q: "checkout" }, count: 3 },
    // Words of the entry's own text are not what it says.
    { query: { q: "previousHash" }, count: 0 },
    { query: { q: "%" }, count: 0 },
  ])("filters by $query", async ({ query, count }) => {
    expect((await list(query)).items).toHaveLength(count);
  });

  it("has the entry of the request in the row of its outcome", async () => {
    const { items } = await list({ rows: "acts" });
    expect(items.map(({ outcome, intentSeq }) => [outcome, intentSeq])).toEqual([
      ["refused", null],
      ["applied", auditSeq],
    ]);
  });

  it("refuses a cursor that it never gave out", async () => {
    await expect(list({ cursor: "x" })).rejects.toMatchObject({ code: "invalid_request" });
  });
});

describe("getAuditEntry", () => {
  it("gives the hashed text, the evidence and the state of the link", async () => {
    const detail = AuditDetail.parse(await getAuditEntry({ ctx: ctxOf("viewer"), input: { seq: auditSeq } }));
    expect(detail).toMatchObject({
      linkOk: true,
      evidence: { rollout: { view: { currentPodHash: "new" } } },
      detail: { kubectl: expect.stringContaining("kubectl patch rollout checkout") },
    });
    expect(JSON.parse(detail.entry)).toMatchObject({ seq: auditSeq, reason: "errors rise" });
  });

  it("shows an outcome with the evidence of its intent, and an intent with its own", async () => {
    const intent = await getAuditEntry({ ctx: ctxOf("viewer"), input: { seq: auditSeq } });
    const outcome = await getAuditEntry({ ctx: ctxOf("viewer"), input: { seq: auditSeq + 1 } });
    expect(intent).toMatchObject({ outcome: "intent", intentSeq: null });
    expect(outcome).toMatchObject({ outcome: "applied", intentSeq: auditSeq, evidence: intent.evidence });
    expect(outcome.evidenceDigest).toBeUndefined();
  });

  it("has the patch as it was sent in the outcome, and not before", async () => {
    const [intent, outcome] = await Promise.all(
      [auditSeq, auditSeq + 1].map((seq) => getAuditEntry({ ctx: ctxOf("viewer"), input: { seq } })),
    );
    expect(intent?.detail?.sent).toBeUndefined();
    expect(outcome?.detail?.sent).toEqual([
      {
        object: "Rollout/checkout",
        subresource: "status",
        resourceVersion: intent?.detail?.resourceVersion,
        body: { status: { abort: true } },
        answer: "accepted",
      },
    ]);
  });

  it.each([0, 999, Number.MAX_SAFE_INTEGER])("knows no entry %d", async (seq) => {
    await expect(getAuditEntry({ ctx: ctxOf("viewer"), input: { seq } })).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("an entry whose text was changed into none", () => {
  it("says so in its place, and leaves the others readable", async () => {
    const before = await list({ limit: 50 });
    const timeOf = (page: typeof before) => page.items.find(({ seq }) => seq === auditSeq)?.time;
    const { rows } = await world.owner.query("SELECT entry FROM audit_entry WHERE seq = $1", [auditSeq]);
    const write = (text: string) =>
      world.owner.query(
        `ALTER TABLE audit_entry DISABLE TRIGGER USER;
         UPDATE audit_entry SET entry = ${`'${text.replaceAll("'", "''")}'`} WHERE seq = ${auditSeq};
         ALTER TABLE audit_entry ENABLE TRIGGER USER`,
      );
    await write("no entry");
    const after = await list({ limit: 50 });
    const detail = AuditDetail.parse(await getAuditEntry({ ctx: ctxOf("viewer"), input: { seq: auditSeq } }));
    await write(rows[0].entry);
    expect(after.items.map(({ seq }) => seq)).toEqual(before.items.map(({ seq }) => seq));
    expect(after.items.find(({ seq }) => seq === auditSeq)?.sentence).toContain("cannot be read");
    expect(detail).toMatchObject({ linkOk: false, entry: "no entry", time: timeOf(before) });
  });
});

async function collect(lines: AsyncGenerator<string>): Promise<string[]> {
  const all: string[] = [];
  for await (const line of lines) all.push(line);
  return all;
}

describe("the chain as a whole", () => {
  const exported = async (actor: Actor, format: "jsonl" | "csv" = "jsonl"): Promise<string[]> =>
    collect(await exportAudit({ ctx: world.contextOf(actor), input: { format } }));
  const onlyIn = (namespaces: string[]): Actor => {
    const actor = actorOf("viewer");
    const [grant] = actor.rights.grants;
    if (grant === undefined) throw new Error("no grant");
    return {
      ...actor,
      subject: "guest",
      rights: { ...actor.rights, grants: [{ ...grant, scope: { ...grant.scope, namespaces } }] },
    };
  };

  it("is verified for every reader, whole, and that is noted", async () => {
    const before = await world.verify();
    expect(await verifyAuditChain({ ctx: ctxOf("viewer"), input: {} })).toEqual(before);
    expect(await world.verify()).toEqual({ ok: true, entries: before.entries + 1 });
  });

  it("is verified by an opened page without a note, as far as that is quick", async () => {
    const before = await world.verify();
    const open = () => verifyAuditChain({ ctx: ctxOf("viewer"), input: { quick: "true" } });
    expect(await open()).toEqual(before);
    expect(await world.verify()).toEqual(before);
    const change = (sql: string, table = "audit_entry") =>
      world.owner.query(`ALTER TABLE ${table} DISABLE TRIGGER USER; ${sql}; ALTER TABLE ${table} ENABLE TRIGGER USER`);
    await change(`UPDATE audit_entry SET seq = seq + ${mostQuickEntries} WHERE seq = ${before.entries}`);
    expect(await open()).toEqual({ ok: false, entries: 0, skipped: true });
    await change(`UPDATE audit_entry SET seq = seq - ${mostQuickEntries} WHERE seq > ${mostQuickEntries}`);

    await world.owner.query(
      `INSERT INTO evidence (digest, content) VALUES (repeat('f', 64), repeat('x', ${mostQuickEvidenceBytes}))`,
    );
    expect(await open()).toEqual({ ok: false, entries: 0, skipped: true });
    await change("DELETE FROM evidence WHERE digest = repeat('f', 64)", "evidence");

    for (const entriesAfter of [1, 2]) {
      await change("UPDATE audit_entry SET actor_name = actor_name || 'x' WHERE seq = 1");
      for (let count = 0; count < 2; count += 1) expect(await open()).toMatchObject({ ok: false, brokenAt: 1 });
      await change("UPDATE audit_entry SET actor_name = left(actor_name, -1) WHERE seq = 1");
      expect(await open()).toEqual({ ok: true, entries: before.entries + entriesAfter });
    }
  });

  it("is exported line by line with the export's own entry, and verifies by itself", async () => {
    const { entries } = await world.verify();
    const lines = await exported(actorOf("viewer"));
    for (const line of lines) expect(line).toMatch(/^\{.*\}\n$/);
    const links = lines.map((line) => JSON.parse(line));
    expect(Object.keys(links[0])).toEqual(["seq", "previousHash", "hash", "entryHash", "entry"]);
    expect(await verifyChain(links)).toEqual({ ok: true, entries: entries + 1 });
    expect(JSON.parse(links.at(-1).entry)).toMatchObject({ code: "audit.export", detail: { format: "jsonl" } });
  });

  it("is exported with stubs for what the reader may not see, and still verifies", async () => {
    const elsewhere = (await exported(onlyIn(["elsewhere"]))).map((line) => JSON.parse(line));
    expect(elsewhere.filter(({ entry }) => entry !== undefined).map(({ entry }) => JSON.parse(entry).code)).toEqual([
      "audit.export",
    ]);
    expect(await verifyChain(elsewhere)).toMatchObject({ ok: true, entries: elsewhere.length });
    const here = (await exported(onlyIn([rollout.path.namespace]))).map((line) => JSON.parse(line));
    const codes = here.flatMap(({ entry }) => (entry === undefined ? [] : [JSON.parse(entry).code]));
    expect(codes).toContain("action.abort");
    expect(codes).not.toContain("audit.verify");
    // A stub that somebody fills with other text is detected.
    const forged = elsewhere.map((link, index) =>
      index === 0 ? { ...link, entry: here[0].entry.replace("rise", "fall") } : link,
    );
    expect(await verifyChain(forged)).toMatchObject({ ok: false, brokenAt: 1 });
  });

  it("is exported as a table of what the reader may see", async () => {
    const [header, ...rows] = await exported(onlyIn([rollout.path.namespace]), "csv");
    expect(header).toMatch(/^seq,time,source,code,/);
    expect(rows.some((row) => row.includes(",action.abort,applied,"))).toBe(true);
    expect(rows.every((row) => row.includes(rollout.path.namespace) || row.includes("audit.export"))).toBe(true);
  });
});

describe("getAction", () => {
  it("follows an action", async () => {
    expect(Action.parse(await getAction({ ctx: ctxOf("viewer"), input: { id: actionId } }))).toMatchObject({
      state: "applied",
      action: "abort",
      reason: "errors rise",
      auditSeq,
      outcomeSeq: auditSeq + 1,
      effectiveAt: null,
    });
  });

  it.each(["no-uuid", randomUUID()])("knows no action %s", async (id) => {
    await expect(getAction({ ctx: ctxOf("viewer"), input: { id } })).rejects.toMatchObject({ code: "not_found" });
  });
});
