import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { endpoints } from "#lib/contract/endpoint-table.ts";
import { appendAudit } from "#lib/server/audit/append-audit.ts";
import { RoleBinding } from "#lib/server/platform/config/policy-schema.ts";
import { askRoute } from "#test/hardening/ask-route.ts";
import { configOf, createToken, issuer, openSession, ownNamespace, ownPage } from "#test/hardening/people.ts";
import type { Name } from "#test/hardening/route-rows.ts";
import { plantSeed, type Seed } from "#test/hardening/seed.ts";
import { createTestPool } from "#test/test-pool.ts";
import { startTestWeb, type TestWeb, testOrigin } from "#test/web-runtime.ts";
import { POST as decideApproval } from "../approvals/[id]/decision/route.ts";
import { GET as getEntry } from "../audit/[seq]/route.ts";
import { GET as exportAudit } from "../audit/export/route.ts";
import { GET as listAudit } from "../audit/route.ts";
import { POST as changeView, DELETE as deleteView } from "../saved-views/[id]/route.ts";
import { POST as createView, GET as listViews } from "../saved-views/route.ts";
import { GET as search } from "../search/route.ts";
import { DELETE as endSession } from "../sessions/[id]/route.ts";
import { GET as listSessions } from "../sessions/route.ts";
import { DELETE as revokeToken } from "../tokens/[id]/route.ts";
import { GET as listTokens } from "../tokens/route.ts";

/** Bindings that name a token decide its rights, whoever owns it: here an admin of everything. */

type Handler = (request: Request, context?: { params: Promise<Record<string, string>> }) => Promise<Response>;
type Planted = { session: string; otherToken: string; view: string; shared: string; here: number; away: number };

/** Words that only the owner and other readers of everything may see. */
const words = { placeless: "placeless-word", here: "here-word", away: "away-word", view: "private-word" };
const owner = { type: "user" as const, issuer, subject: "admin", name: "admin" };

let web: TestWeb;
let seed: Seed;
let planted: Planted;
let nothing: { id: string; token: string };
let narrow: { id: string; token: string };
let ownerCookie: string;

beforeAll(async () => {
  web = await startTestWeb({ config: configOf() });
  seed = await plantSeed(web);
  const session = await openSession(web, "admin");
  ownerCookie = session.cookie;
  nothing = await createToken(web, { username: "admin" });
  narrow = await createToken(web, { username: "admin" });
  const roles = [
    { role: "admin", tokens: [nothing.id], namespaces: ["none-such"] },
    { role: "viewer", tokens: [narrow.id], namespaces: [ownNamespace] },
  ];
  web.runtime.config().config.auth.roles.push(...roles.map((role) => RoleBinding.parse(role)));
  const write = async (reason: string, namespace?: string) => {
    const { cluster, kind, name } = seed.path;
    const target = namespace === undefined ? undefined : { id: "x", cluster, namespace, kind, name };
    const entry = { actor: owner, source: "gatehouse" as const, code: "action.abort" as const, requestId: "x" };
    const { seq } = await appendAudit({
      pool: web.runtime.pool,
      entry: { ...entry, reason, ...(target && { target }) },
    });
    return seq;
  };
  await write(words.placeless);
  planted = {
    session: session.sessionId,
    otherToken: (await createToken(web, { username: "admin" })).id,
    here: await write(words.here, ownNamespace),
    away: await write(words.away, "elsewhere"),
    view: await save({ name: words.view, query: "namespace=elsewhere" }),
    shared: await save({ name: "shared", query: "namespace=elsewhere", shared: true }),
  };
  const pool = createTestPool(web.database.ownerUrl);
  await pool.query("UPDATE approval SET requested_by = $1 WHERE id = $2", [`${issuer}|admin`, seed.approvalId]);
  await pool.end();
});
afterAll(() => web.close());

async function save(view: Record<string, unknown>): Promise<string> {
  const response = await send(createView, { cookie: ownerCookie }, { body: { list: "releases", ...view } });
  return (await response.json()).id;
}

type Sent = { params?: Record<string, string>; body?: unknown; query?: string };
const bearer = ({ token }: { token: string }) => ({ authorization: `Bearer ${token}` });

function send(handler: Handler, headers: Record<string, string>, { params = {}, body, query = "" }: Sent = {}) {
  const init = { headers: { ...ownPage, ...headers }, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
  const method = body === undefined ? "GET" : "POST";
  const request = new Request(`${testOrigin}/any${query}`, { method, ...init });
  return handler(request, { params: Promise.resolve(params) });
}

const secretsOf = () => [...Object.values(words), planted.session, planted.otherToken, planted.shared];

const reads = (Object.keys(endpoints) as Name[]).filter(
  (name) => endpoints[name].method === "GET" && name !== "stream",
);

describe("a token that is bound to nothing", () => {
  it.each(reads)("reads nothing of its owner by %s", async (name) => {
    const response = await askRoute(name, { seed, headers: bearer(nothing) });
    const text = response.body === null ? "" : await response.text();
    // A refusal names the path that was asked for.
    const found = response.ok ? [seed.marker, seed.auditedName] : [];
    for (const secret of [...secretsOf(), ...found]) expect(text).not.toContain(secret);
  });

  it("ends no session, revokes no other token, withdraws and saves nothing", async () => {
    const headers = bearer(nothing);
    const answers = [
      await send(endSession, headers, { params: { id: planted.session } }),
      await send(revokeToken, headers, { params: { id: planted.otherToken } }),
      await send(decideApproval, headers, { params: { id: seed.approvalId }, body: { decision: "withdraw" } }),
      await send(changeView, headers, { params: { id: planted.view }, body: { name: "other" } }),
      await send(deleteView, headers, { params: { id: planted.view } }),
      await send(createView, headers, { body: { list: "releases", name: "x", query: "" } }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 403, 404, 403]);
    const { rows } = await web.runtime.pool.query(
      `SELECT (SELECT count(*) FROM user_session WHERE id = $1 AND revoked_at IS NULL) AS session,
         (SELECT count(*) FROM api_token WHERE id = $2 AND revoked_at IS NULL) AS token,
         (SELECT count(*) FROM approval WHERE id = $3 AND decision IS NULL) AS approval,
         (SELECT count(*) FROM saved_view WHERE name IN ($4, 'x')) AS views`,
      [planted.session, planted.otherToken, seed.approvalId, words.view],
    );
    expect(rows).toEqual([{ session: "1", token: "1", approval: "1", views: "1" }]);
  });
});

describe("a token that is bound to one namespace", () => {
  it("reads entries of that namespace, and what it did itself about no place", async () => {
    const headers = bearer(narrow);
    const exported = await (await send(exportAudit, headers, { query: "?format=csv" })).text();
    const texts = [
      exported,
      await (await send(listAudit, headers)).text(),
      await (await send(search, headers, { query: "?q=word" })).text(),
    ];
    for (const text of texts) {
      expect(text).toContain(words.here);
      expect(text).not.toContain(words.away);
      expect(text).not.toContain(words.placeless);
    }
    expect(exported).toContain("audit.export");
    const statusOf = async (seq: number) => (await send(getEntry, headers, { params: { seq: String(seq) } })).status;
    expect([await statusOf(planted.here), await statusOf(planted.away)]).toEqual([200, 404]);
  });

  it("reads no entry that another token of its owner made about no place", async () => {
    await (await send(exportAudit, bearer(nothing), { query: "?format=csv" })).text();
    const { rows } = await web.runtime.pool.query("SELECT max(seq)::text AS seq FROM audit_entry");
    const params = { seq: rows[0].seq };
    expect((await send(getEntry, bearer(nothing), { params })).status).toBe(200);
    expect((await send(getEntry, bearer(narrow), { params })).status).toBe(404);
  });

  it("withdraws no request of its owner that it could not make, and sees no view of elsewhere", async () => {
    const headers = bearer(narrow);
    const decision = await send(decideApproval, headers, {
      params: { id: seed.approvalId },
      body: { decision: "withdraw" },
    });
    expect(decision.status).toBe(403);
    expect((await (await send(listViews, headers)).json()).items).toEqual([]);
  });

  it("sees no session, and revokes only itself", async () => {
    const headers = bearer(narrow);
    const itemsOf = async (handler: Handler) => (await (await send(handler, headers)).json()).items;
    expect(await itemsOf(listSessions)).toEqual([]);
    expect(await itemsOf(listTokens)).toEqual([expect.objectContaining({ id: narrow.id })]);
    expect((await send(revokeToken, headers, { params: { id: nothing.id } })).status).toBe(404);
    expect((await send(revokeToken, headers, { params: { id: narrow.id } })).status).toBe(200);
    expect((await send(listTokens, headers)).status).toBe(401);
  });
});

it("its owner still sees and ends what is theirs", async () => {
  const headers = { cookie: ownerCookie };
  expect(await (await send(listAudit, headers)).text()).toContain(words.placeless);
  expect((await send(revokeToken, headers, { params: { id: nothing.id } })).status).toBe(200);
  expect((await send(endSession, headers, { params: { id: planted.session } })).status).toBe(200);
});
