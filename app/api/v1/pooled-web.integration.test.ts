import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ActionAccepted } from "#lib/contract/action.ts";
import { RolloutDetail } from "#lib/contract/rollout.ts";
import { hasStatementLimit } from "#lib/server/platform/db/pools.ts";
import { createRecorderPool } from "#lib/server/recording/store/recorder-pool.ts";
import { createHookPool } from "#lib/server/webhooks/create-hook-server.ts";
import { type ClustersWorld, createClustersWorld, type Person } from "#test/clusters-world.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { type PgBouncer, pgbouncerProgram, startPgBouncer } from "#test/pgbouncer.ts";
import { bindRole, readManifest } from "#test/rbac.ts";
import { waitFor } from "#test/recorder-world.ts";
import { parseEvents } from "#test/stream-events.ts";
import { createTestPool } from "#test/test-pool.ts";
import { GET as verifyAudit } from "./audit/verify/route.ts";
import { GET as getInbox } from "./inbox/route.ts";
import { GET as getReleases } from "./releases/route.ts";
import { POST as postAction } from "./rollouts/[cluster]/[namespace]/[kind]/[name]/actions/route.ts";
import { GET as getRollout } from "./rollouts/[cluster]/[namespace]/[kind]/[name]/route.ts";
import { GET as getStream } from "./stream/route.ts";

const poolSize = 2;
const place = { cluster: "prod", namespace: "payments", kind: "Rollout", name: "checkout" };
const managers = { kind: "Group", name: "oidc:platform-owners" };
const cluster = {
  config: { access: "act", impersonation: { groupsPrefix: "oidc:", groups: ["platform-owners"] } },
  rbac: [
    ...readManifest("rbac-read.yaml"),
    ...readManifest("rbac-act.yaml"),
    bindRole("rollout-operator", managers, "payments"),
  ],
};

// Skipped without the package; `npm test` installs it if it may.
describe.skipIf(pgbouncerProgram === undefined)("a web process behind pgbouncer in transaction mode", () => {
  let database: TestDatabase;
  let bouncer: PgBouncer;
  let world: ClustersWorld;
  let owner: Person;

  beforeAll(async () => {
    database = await createTestDatabase();
    const { webUrl, recorderUrl } = database;
    bouncer = await startPgBouncer({ urls: [webUrl, recorderUrl], poolSize });
    world = await createClustersWorld({
      clusters: { prod: cluster },
      auth: { roles: [{ role: "admin", groups: ["platform-owners"] }] },
      database,
      databaseUrl: bouncer.throughPool(webUrl),
      directUrl: webUrl,
    });
    await world.addRollout("prod", "checkout");
    owner = await world.signIn({ sub: "owner", groups: ["platform-owners"] });
  });
  afterAll(async () => {
    await world.close();
    await bouncer.stop();
    await database.drop();
  });

  const look = async () => RolloutDetail.parse((await world.call(getRollout, { as: owner, params: place })).body);

  it("reads, hears of changes as they happen, and acts with the chain whole", async () => {
    await expect.poll(() => world.web.runtime.changes.cursor()).toBeDefined();
    const gone = new AbortController();
    const headers = { cookie: owner.cookie, "sec-fetch-site": "same-origin" };
    const request = world.web.request("/api/v1/stream", { headers, signal: gone.signal });
    const stream = await getStream(request, { params: Promise.resolve({}) });
    const events = parseEvents(stream.body ?? new ReadableStream());
    const { viewDigest, uid, revisionKey } = await look();
    const body = { action: "continue", reason: "because", expect: { viewDigest, uid, revisionKey } };
    const { status, body: accepted } = await world.call(postAction, { as: owner, params: place, body });
    expect(status, JSON.stringify(accepted)).toBe(202);
    expect(ActionAccepted.parse(accepted).state).toBe("applied");
    const heard: string[] = [];
    while (!heard.includes("audit") || !heard.includes("rollout")) {
      const event = (await events.next()).value;
      if (event?.event === "change") heard.push(JSON.parse(event.data ?? "").kind);
    }
    gone.abort();
    expect((await world.call(verifyAudit, { as: owner })).body).toMatchObject({ ok: true });
  });

  it("serves many requests at once with few connections", async () => {
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) => {
        const handler = [getRollout, getInbox, getReleases][index % 3] ?? getInbox;
        return world.call(handler, { as: owner, params: handler === getRollout ? place : {} });
      }),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const { rows } = await world.web.runtime.pool.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM pg_stat_activity
          WHERE datname = current_database() AND usename = current_user AND application_name <> 'gatehouse-web-listen'`,
    );
    expect(rows[0]?.count).toBeLessThanOrEqual(poolSize);
  });

  it("leaves nothing of a session on the connections that others get next", async () => {
    const clients = Array.from({ length: poolSize }, () => new pg.Client(bouncer.throughPool(database.webUrl)));
    const seen = await Promise.all(
      clients.map(async (client) => {
        await client.connect();
        await client.query("BEGIN");
        const { rows } = await client.query<{ pid: number; left: string[] }>(
          `SELECT pg_backend_pid() AS pid, ARRAY(
              SELECT 'setting ' || name FROM pg_settings
               WHERE source = 'session' AND name NOT IN ('application_name', 'client_encoding', 'DateStyle', 'TimeZone', 'standard_conforming_strings')
              UNION ALL SELECT 'channel ' || c FROM pg_listening_channels() c
              UNION ALL SELECT 'statement ' || name FROM pg_prepared_statements
              UNION ALL SELECT 'cursor ' || name FROM pg_cursors WHERE name <> ''
              UNION ALL SELECT 'advisory lock' FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()
              UNION ALL SELECT 'table ' || relname FROM pg_class WHERE relnamespace = pg_my_temp_schema()) AS left`,
        );
        return rows[0];
      }),
    );
    for (const client of clients) await client.query("COMMIT").then(() => client.end());
    expect(new Set(seen.map((each) => each?.pid)).size).toBe(poolSize);
    expect(seen.map((each) => each?.left)).toEqual(Array.from({ length: poolSize }, () => []));
  });

  it("answers hook calls through it, and knows whether the role limits statements", async () => {
    const url = bouncer.throughPool(database.webUrl);
    const hooks = createHookPool({ url, isPooled: true, onError: () => {} });
    expect(await hasStatementLimit(hooks)).toBe(false);
    await hooks.end();
    const admin = createTestPool(database.ownerUrl, 1);
    const name = new URL(database.ownerUrl).pathname.slice(1);
    await admin.query(`ALTER ROLE gatehouse_web IN DATABASE ${name} SET statement_timeout = '15s'`);
    await admin.end();
    const direct = createTestPool(database.webUrl, 1);
    expect(await hasStatementLimit(direct)).toBe(true);
    await direct.end();
  });

  it("refuses a recorder, whose leases rest on sessions of its own", async () => {
    const pool = createRecorderPool({ url: bouncer.throughPool(database.recorderUrl), onError: () => {} });
    await waitFor("a refusal", () =>
      pool.query("SELECT 1").then(
        () => Promise.reject(new Error("it was let in")),
        (error: Error) => /unsupported startup parameter/.test(error.message),
      ),
    );
    await pool.end();
  });
});
