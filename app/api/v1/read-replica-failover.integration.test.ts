import { randomUUID } from "node:crypto";
import type pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readReplayState, readWalPosition } from "#lib/server/platform/db/replica/wal-position.ts";
import { type DatabasePair, type Reader, startPair } from "#test/database-pair.ts";
import { askRoute } from "#test/hardening/ask-route.ts";
import { liveObjectsOf } from "#test/hardening/live-objects.ts";
import { configOf, openSession, ownPage } from "#test/hardening/people.ts";
import { plantSeed, type Seed } from "#test/hardening/seed.ts";
import { connectRecorded, type Recorded } from "#test/recorded.ts";
import { waitFor } from "#test/recorder-world.ts";
import { createTestPool } from "#test/test-pool.ts";
import { startTestWeb, type TestWeb } from "#test/web-runtime.ts";

// Three real servers: a primary, a synchronous standby that takes over, and a standby for reads that then follows it.

let pair: DatabasePair;
let reader: Reader;
let web: TestWeb;
let seed: Seed;
let recorded: Recorded;
let standby: pg.Pool;
let cookie: string;

const cluster = liveObjectsOf(() => seed);

beforeAll(async () => {
  pair = await startPair();
  reader = await pair.startReader();
  standby = createTestPool(reader.urls.ownerUrl, 1);
  const clusters = [{ name: "demo", server: cluster.server, access: "read" }];
  web = await startTestWeb({
    config: configOf({ clusters }),
    clusters: { demo: cluster },
    database: { ...pair.urls, drop: async () => {} },
    readUrl: reader.urls.webUrl,
    maxLagMs: 1500,
  });
  seed = await plantSeed(web);
  cookie = (await openSession(web, "admin")).cookie;
});
afterAll(async () => {
  await recorded?.close();
  await standby.end();
  await web.close();
  await pair.stop();
});

const stateOf = () => web.runtime.replica?.state().state;
const untilState = (state: string) => waitFor(`a replica that is ${state}`, () => stateOf() === state);

async function listRollouts(): Promise<{ by: "replica" | "primary"; text: string }> {
  const response = await askRoute("listRollouts", { seed, headers: { cookie, ...ownPage } });
  const text = await response.text();
  expect(response.status, text).toBe(200);
  return { by: response.headers.get("x-gatehouse-answered-by") === "replica" ? "replica" : "primary", text };
}

async function addRollout(): Promise<string> {
  const name = `at-${randomUUID()}`;
  await recorded.addRollout({ name });
  return name;
}

describe("a read replica after a fail-over", () => {
  it("is not read while it is behind the new primary, and is again once it is known to follow it", async () => {
    await untilState("in-use");
    pair.killPrimary();
    await pair.promote();
    recorded = await connectRecorded(pair.urls.recorderUrl);
    await waitFor("the new primary", async () => (await readWalPosition(web.runtime.pool)).timeline === 2);

    // It has its data up to the fail-over, and nobody may take that for all.
    await untilState("other-timeline");
    const missed = await addRollout();
    const alone = await listRollouts();
    expect([alone.by, alone.text.includes(missed)]).toEqual(["primary", true]);

    await reader.follow();
    await waitFor("the replayed row", async () => {
      const { rowCount } = await standby.query("SELECT FROM rollout WHERE name = $1", [missed]);
      return rowCount === 1;
    });
    // Its control file names the timeline after a restart point, which it makes by itself every `checkpoint_timeout`.
    const promoted = createTestPool(pair.urls.ownerUrl, 1);
    await promoted.query("CHECKPOINT");
    await promoted.end();
    await standby.query("CHECKPOINT");
    await untilState("in-use");
    expect(await readReplayState(standby, { answerWithinMs: 1000 })).toMatchObject({ position: { timeline: 2 } });
    const late = await addRollout();
    await waitFor("an answer of the replica", async () => {
      const { by, text } = await listRollouts();
      expect(text).toContain(late);
      return by === "replica";
    });
  });
});
