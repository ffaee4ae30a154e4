import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Team } from "#lib/domain/policy/find-team.ts";
import { appendAudit } from "#lib/server/audit/append-audit.ts";
import { inTransaction } from "#lib/server/platform/db/in-transaction.ts";
import { lockWaits, recordBegunWaits } from "#lib/server/records/rollout-wait.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { createTestPool } from "#test/test-pool.ts";
import { collectAttention, collectAudit } from "./collect-events.ts";
import { planEvents } from "./prepare-messages.ts";

let database: TestDatabase;
let pool: Pool;
let owner: Pool;
beforeAll(async () => {
  database = await createTestDatabase();
  pool = createTestPool(database.recorderUrl, 2);
  owner = createTestPool(database.ownerUrl, 2);
});
beforeEach(async () => {
  await owner.query("TRUNCATE attention_change, notifiable_event, notification_pending");
});
afterAll(async () => {
  await pool.end();
  await owner.end();
  await database.drop();
});

const stored = async () => (await owner.query("SELECT * FROM notifiable_event ORDER BY seq")).rows;

type Attention = { reason: string; since: string; severity: string } | null;

/** Stores a rollout, and the wait that begins with it, as the recorder does. */
async function store(name: string, attention: Attention): Promise<void> {
  const id = idOf(name);
  await inTransaction(pool, async (tx) => {
    const before = (await lockWaits(tx, [id])).get(id);
    const { rows } = await tx.query(storeRollout, [id, name, attention?.reason, attention?.since, attention?.severity]);
    await recordBegunWaits(tx, [{ next: rows[0], before }]);
  });
}

const storeRollout = `WITH known AS (INSERT INTO cluster (name) VALUES ('prod') ON CONFLICT DO NOTHING)
     INSERT INTO rollout (id, cluster, namespace, kind, name, uid, phase, message, step, step_count, view_digest, revision_key,
       resource_version, object, updated_at, attention_reason, attention_since, attention_severity)
     VALUES ($1, 'prod', 'shop', 'Rollout', $2, $2, 'Paused', 'm', 1, 5, '', '', '1', '{}', now(), $3, $4, $5)
     ON CONFLICT (id) DO UPDATE SET attention_reason = excluded.attention_reason, updated_at = now(),
       attention_since = excluded.attention_since, attention_severity = excluded.attention_severity
     RETURNING id, message, step, step_count, revision, attention_reason, attention_since, attention_severity`;

const ids = new Map<string, string>();
function idOf(name: string): string {
  const id = ids.get(name) ?? randomUUID();
  ids.set(name, id);
  return id;
}

const pause = { reason: "pause", since: "2026-11-23T10:00:00Z", severity: "info" };

describe("waits", () => {
  it.each<{ name: string; steps: Attention[]; titles: string[] }>([
    { name: "none", steps: [null, null], titles: [] },
    { name: "one that a new rollout has", steps: [pause], titles: ["Waits for a person at step 2 of 5"] },
    { name: "one that lasts", steps: [null, pause, pause, pause], titles: ["Waits for a person at step 2 of 5"] },
    {
      name: "one that was over before anybody looked",
      steps: [pause, null],
      titles: ["Waits for a person at step 2 of 5"],
    },
    {
      name: "the next one of the same reason",
      steps: [pause, { ...pause, since: "2026-11-23T10:05:00Z" }],
      titles: ["Waits for a person at step 2 of 5", "Waits for a person at step 2 of 5"],
    },
    {
      name: "another reason",
      steps: [pause, { ...pause, reason: "inconclusive", severity: "warning" }],
      titles: ["Waits for a person at step 2 of 5", "Analysis Inconclusive at step 2 of 5"],
    },
    {
      name: "one that becomes critical, and less so again",
      steps: [
        { ...pause, reason: "degraded" },
        { ...pause, reason: "degraded", severity: "critical" },
        { ...pause, reason: "degraded", severity: "info" },
        { ...pause, reason: "degraded", severity: "critical" },
      ],
      titles: ["Aborted", "Release failing"],
    },
    { name: "a finding, which has an event of its own", steps: [{ ...pause, reason: "finding" }], titles: [] },
  ])("$name", async ({ name, steps, titles }) => {
    for (const attention of steps) await store(name, attention);
    await collectAttention(pool);
    expect((await stored()).map(({ title }) => title)).toEqual(titles);
    expect(await collectAttention(pool)).toBe(0);
  });
});

describe("the audit log", () => {
  const act = (name: string, more: Record<string, unknown> = {}) =>
    appendAudit({
      pool,
      entry: {
        actor: { type: "user", name: "Oncall" },
        source: "gatehouse",
        code: "action.abort",
        action: "abort",
        outcome: "applied",
        target: { cluster: "prod", namespace: "shop", kind: "Rollout", name },
        requestId: "r",
        ...more,
      },
    });
  const names = async () => (await stored()).map(({ name }) => name);

  it("begins now: nothing old is sent, and nothing after is left out or taken twice", async () => {
    await act("before");
    await collectAudit(pool);
    expect(await names()).toEqual([]);
    await act("after");
    await act("intended", { outcome: "intent" });
    await act("later");
    await collectAudit(pool);
    await collectAudit(pool);
    expect(await names()).toEqual(["after", "later"]);
  });

  it("keeps its place when several look at once", async () => {
    await act("once");
    await Promise.all([collectAudit(pool), collectAudit(owner)]);
    expect(await names()).toEqual(["once"]);
  });
});

describe("planning", () => {
  const config = {
    channels: [{ name: "a", type: "webhook", url: "http://127.0.0.1:1", signingSecret: "env:S" }] as never,
    routes: [
      {
        ...{ name: "all", clusters: ["*"], namespaces: ["*"], rollouts: ["*"] },
        events: ["waiting" as const],
        minSeverity: "info" as const,
        to: ["a"],
      },
    ],
  };
  const pending = async () =>
    (await owner.query("SELECT event->'target'->>'name' AS name FROM notification_pending")).rows;

  it("leaves out waits that began before notifications did, of rollouts that are new here", async () => {
    await collectAudit(pool);
    await store("old", { ...pause, since: "2020-01-01T00:00:00Z" });
    await store("new", { ...pause, since: new Date(Date.now() + 60_000).toISOString() });
    await store("known", null);
    await store("known", { ...pause, since: "2020-01-01T00:00:00Z" });
    await collectAttention(pool);
    await planEvents({ pool, config, now: new Date() });
    expect((await pending()).map(({ name }) => name).toSorted()).toEqual(["known", "new"]);
  });

  it("plans an event once, by the routes of that moment", async () => {
    await store("planned", { ...pause, since: new Date(Date.now() + 60_000).toISOString() });
    await collectAttention(pool);
    await planEvents({ pool, config: { ...config, routes: [] }, now: new Date() });
    expect(await planEvents({ pool, config, now: new Date() })).toBe(0);
    expect(await pending()).toEqual([]);
  });

  it("tells the team that owns a rollout, by its labels too", async () => {
    for (const name of ["labelled", "other", "unowned"])
      await store(name, { ...pause, since: new Date(Date.now() + 60_000).toISOString() });
    await owner.query(`UPDATE rollout SET labels = '{"team": "b"}' WHERE name = 'labelled'`);
    await collectAttention(pool);
    const channels = ["a", "b", "c"].map((name) => ({ name, type: "webhook" })) as never;
    const everywhere = { clusters: ["*"], namespaces: ["*"], rollouts: ["*"] };
    const route = { ...everywhere, events: ["waiting" as const], minSeverity: "info" as const };
    const routes = [
      { ...route, name: "teams" },
      { ...route, name: "named", team: "A", to: ["c"] },
    ];
    const scope = { clusters: ["prod"], namespaces: ["*"], rollouts: ["*"] };
    const teams: Team[] = [
      { name: "B", groups: [], scope, labels: { team: "b" }, channel: "b" },
      { name: "A", groups: [], scope: { ...scope, rollouts: ["o*", "lab*"] }, labels: {}, channel: "a" },
    ];
    await planEvents({ pool, config: { channels, routes }, teams, now: new Date() });
    const told = "SELECT channel, event->'target'->>'name' AS name, routes FROM notification_pending ORDER BY 1, 2";
    expect((await owner.query(told)).rows).toEqual([
      { channel: "a", name: "other", routes: ["teams"] },
      { channel: "b", name: "labelled", routes: ["teams"] },
      { channel: "c", name: "other", routes: ["named"] },
    ]);
  });

  it("plans many events for many channels", async () => {
    await owner.query(
      `INSERT INTO notifiable_event (id, kind, severity, cluster, namespace, name, title, sentence, path, at)
       SELECT gen_random_uuid(), 'waiting', 'info', 'prod', 'shop', 'web', 't', 's', '/', now() FROM generate_series(1, 500)`,
    );
    await owner.query("UPDATE notification_place SET begins_at = 'epoch'");
    const names = Array.from({ length: 12 }, (_, index) => `channel-${index}`);
    const channels = names.map((name) => ({ name, type: "webhook" })) as never;
    const routes = config.routes.map((route) => ({ ...route, to: names }));
    expect(await planEvents({ pool, config: { ...config, channels, routes }, now: new Date() })).toBe(500);
    const { rows } = await owner.query("SELECT count(*)::int AS count FROM notification_pending");
    expect(rows).toEqual([{ count: 6000 }]);
  });
});
