import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { TestDatabase } from "#test/database.ts";
import { waitFor } from "#test/recorder-world.ts";
import { type SignedIn, signIn } from "#test/sign-in.ts";
import { createFailClosedWorld, type FailClosedWorld } from "./world.ts";

/** Not the loss of the database, which FC-05 covers: it answers, but refuses writes. */

let world: FailClosedWorld;
let viewer: SignedIn;
const uids: Record<string, string> = {};
let spoiled: Spoiled | undefined;

beforeAll(async () => {
  world = await createFailClosedWorld();
  for (const name of ["standby", "full"]) uids[name] = world.addRollout(name);
  await world.start();
  viewer = await signIn(world.web.runtime, "viewer");
});
afterEach(async () => {
  await spoiled?.restore();
  spoiled = undefined;
});
afterAll(() => world.close());

const read = (headers: HeadersInit) => world.call("GET", "/api/v1/rollouts", { headers });
const isReady = async () => (await world.probes()).web.readyz === 200;

async function look(name: string) {
  const path = `/api/v1/rollouts/${world.cluster}/shop/Rollout/${name}`;
  const { status, body } = await world.call("GET", path, { as: "viewer" });
  expect(status).toBe(200);
  return { viewDigest: body.viewDigest, uid: uids[name], revisionKey: body.revisionKey };
}

/** Backdates the last request far enough that the next one would record its time. */
async function forgetWhoWasSeen(): Promise<void> {
  await world.query("UPDATE user_session SET last_seen_at = now() - interval '1 hour'");
  await world.query("UPDATE api_token SET last_used_at = NULL");
}

describe.each([
  { name: "read-only, as after a fail-over to a standby", rollout: "standby", spoil: makeReadOnly },
  { name: "on a full disk", rollout: "full", spoil: fillDisk },
])("a database that is $name", ({ rollout, spoil }) => {
  it("is read from, takes no action, and is not ready until it takes writes again", async () => {
    const seen = await look(rollout);
    const version = world.sandbox.store.get("rollouts", "shop", rollout)?.metadata.resourceVersion;
    await forgetWhoWasSeen();
    spoiled = await spoil(world.database);

    const token = { authorization: `Bearer ${world.web.tokens.viewer}` };
    // The first may use a connection that is just being ended.
    await waitFor("a read", async () => (await read(token)).status === 200);
    expect(await read(token)).toMatchObject({ status: 200 });
    const own = { cookie: viewer.cookie, "sec-fetch-site": "same-origin", "x-gatehouse-active": "1" };
    expect(await read(own)).toMatchObject({ status: 200 });
    for (const action of ["continue", "abort"])
      expect(await world.act({ name: rollout, action, expect: seen })).toMatchObject({
        status: 503,
        body: { code: "audit_unavailable", detail: expect.stringContaining("does not accept writes") },
      });
    expect(
      await world.call("POST", "/api/v1/tokens", { headers: own, body: { name: "x", role: "viewer" } }),
    ).toMatchObject({ status: 503 });
    expect(world.sandbox.store.get("rollouts", "shop", rollout)?.metadata.resourceVersion).toBe(version);
    await waitFor("readiness to end", async () => !(await isReady()));
    const { web } = await world.probes();
    expect([web.livez, web.readyz]).toEqual([200, 503]);

    await spoiled.restore();
    spoiled = undefined;
    await waitFor("readiness", isReady);
    await waitFor("a fresh source", async () => (await world.source("Rollout")).state === "live");
    expect(await world.act({ name: rollout, action: "pause" })).toMatchObject({ status: 202 });
  });
});

describe("a database that ends idle sessions", () => {
  it("is asked again on another connection", async () => {
    const lost = await world.metricDelta("gatehouse_db_errors_total");
    spoiled = await endIdleSessions(world.database);
    await waitFor("ended sessions", async () => (await lost()) > 3);
    const token = { authorization: `Bearer ${world.web.tokens.viewer}` };
    await waitFor("a read", async () => (await read(token)).status === 200);
    await waitFor("readiness", isReady);
  });
});

type Spoiled = { restore(): Promise<void> };

/** Sets something for the whole database, and ends all connections, which would keep their initial settings. */
async function setForAll(database: TestDatabase, setting: string): Promise<Spoiled> {
  const url = new URL(database.ownerUrl);
  const name = url.pathname.slice(1);
  url.pathname = "/postgres";
  const server = new pg.Client({ connectionString: url.href });
  await server.connect();
  const endConnections = () =>
    server.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1", [name]);
  await server.query(`ALTER DATABASE "${name}" SET ${setting}`);
  await endConnections();
  return {
    async restore() {
      await server.query(`ALTER DATABASE "${name}" RESET ${setting.split(" ")[0]}`);
      await endConnections();
      await server.end();
    },
  };
}

/** Makes the database read-only, as after a failover to a standby: the server answers 25006 to every write. */
function makeReadOnly(database: TestDatabase): Promise<Spoiled> {
  return setForAll(database, "default_transaction_read_only = on");
}

/** Makes the server end each session (57P05) that is idle for this long. */
function endIdleSessions(database: TestDatabase): Promise<Spoiled> {
  return setForAll(database, "idle_session_timeout = '150ms'");
}

/** Makes writes fail, for every table, as they do on a full disk when a file must grow. */
async function fillDisk(database: TestDatabase): Promise<Spoiled> {
  const owner = new pg.Client({ connectionString: database.ownerUrl });
  await owner.connect();
  await owner.query(
    `CREATE FUNCTION no_space() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN RAISE EXCEPTION 'could not extend file "base/1/2": No space left on device' USING ERRCODE = '53100'; END $$`,
  );
  const { rows } = await owner.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
       AND NOT relispartition`,
  );
  for (const { name } of rows)
    await owner.query(
      `CREATE TRIGGER no_space BEFORE INSERT OR UPDATE ON "${name}" FOR EACH STATEMENT EXECUTE FUNCTION no_space()`,
    );
  return {
    async restore() {
      // One table at a time: locking all at once would deadlock with any transaction that writes to two.
      for (const { name } of rows) await owner.query(`DROP TRIGGER no_space ON "${name}"`);
      await owner.query("DROP FUNCTION no_space()");
      await owner.end();
    },
  };
}
