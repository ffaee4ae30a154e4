import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import type { Pool } from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { stableUuid } from "#lib/domain/delivery/rollout-id.ts";
import type { NotifiableEvent } from "#lib/domain/notify/notifiable-event.ts";
import { appendAudit } from "#lib/server/audit/append-audit.ts";
import { type ChannelConfig, NotificationConfig } from "#lib/server/platform/config/notification-schema.ts";
import { inTransaction } from "#lib/server/platform/db/in-transaction.ts";
import { Crash, type CrashPoint, createCrashingPool, createFuse, type Fuse } from "#test/crashing-pool.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { type NotificationReceiver, startNotificationReceiver } from "#test/notification-receiver.ts";
import { createTestPool } from "#test/test-pool.ts";
import { createChannelTurns } from "./channel-turns.ts";
import { sendMessage } from "./channels/send-message.ts";
import { collectAudit } from "./collect-events.ts";
import { prepareMessages } from "./prepare-messages.ts";
import { sendDue } from "./send-due.ts";
import { enqueueEvents } from "./stored-event.ts";

let database: TestDatabase;
let pool: Pool;
let owner: Pool;
let all: NotificationReceiver;
let actions: NotificationReceiver;
let folder: string;
let config: NotificationConfig;
let round = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = createTestPool(database.recorderUrl);
  owner = createTestPool(database.ownerUrl, 1);
  all = await startNotificationReceiver();
  actions = await startNotificationReceiver();
  folder = mkdtempSync(join(tmpdir(), "gatehouse-notify-"));
  const secretFile = join(folder, "secret");
  writeFileSync(secretFile, "a secret");
  config = NotificationConfig.parse({
    channels: [
      { name: "all", type: "webhook", url: all.url, signingSecret: `file:${secretFile}` },
      { name: "actions", type: "webhook", url: actions.url, signingSecret: `file:${secretFile}` },
    ],
    routes: [
      { name: "everything", to: ["all"] },
      { name: "what-people-did", to: ["actions"], events: ["action"] },
    ],
  });
  // Notifications start here: every event of the rounds is new.
  await collectAudit(pool);
});
afterAll(async () => {
  await pool.end();
  await owner.end();
  await all.close();
  await actions.close();
  await database.drop();
  rmSync(folder, { recursive: true });
});

const place = { cluster: "prod", namespace: "shop", kind: "Rollout" };

/** Plays one round: a wait, two findings and two actions. Returns the names of the rollouts. */
async function happen(): Promise<string[]> {
  round += 1;
  const names = ["waits", "found-1", "found-2", "acted-1", "acted-2"].map((name) => `${name}-${round}`);
  await owner.query(
    `WITH known AS (INSERT INTO cluster (name) VALUES ('prod') ON CONFLICT DO NOTHING), waiting AS (
     INSERT INTO rollout (id, cluster, namespace, kind, name, uid, phase, message, step_count, view_digest, revision_key,
       resource_version, object, updated_at, attention_reason, attention_since, attention_severity)
     VALUES (gen_random_uuid(), 'prod', 'shop', 'Rollout', $1, $1, 'Paused', '', 5, '', '', '1', '{}', now(), 'pause',
       clock_timestamp(), 'info') RETURNING *)
     INSERT INTO attention_change (rollout_id, reason, since, severity, message, step_count, is_first_sight)
     SELECT id, attention_reason, attention_since, attention_severity, message, step_count, true FROM waiting`,
    [names[0]],
  );
  const findings = names.slice(1, 3).map(
    (name): NotifiableEvent => ({
      id: stableUuid("finding", name),
      kind: "finding-opened",
      severity: "critical",
      target: { ...place, name },
      title: "Analysis that can never fail",
      sentence: "Its rules let everything pass.",
      facts: [],
      path: `/findings/${name}`,
      at: new Date().toISOString(),
    }),
  );
  await inTransaction(pool, (tx) => enqueueEvents(tx, findings));
  for (const name of names.slice(3))
    await appendAudit({
      pool,
      entry: {
        actor: { type: "user", name: "Oncall" },
        source: "gatehouse",
        code: "action.abort",
        action: "abort",
        outcome: "applied",
        target: { ...place, name },
        requestId: `round-${round}`,
      },
    });
  return names;
}

/** Each pass is more than a minute after the last one: claims have expired, and the rate limit allows messages again. */
const passMs = 61_000;

/** Runs the recorder's part until it dies, or until nothing is left to do. */
async function live(fuse: Fuse, clock: { now: number }): Promise<void> {
  const own = createCrashingPool(pool, fuse);
  const memory = new Set<string>();
  const turns = createChannelTurns<ChannelConfig>({
    work: (channel) =>
      sendDue(
        {
          pool: own,
          publicUrl: "https://gatehouse.example.org",
          send: (to, sending) => fuse.run(() => sendMessage(to, sending)),
          now: async () => new Date(clock.now),
          random: () => 0,
          memory,
          signal: new AbortController().signal,
          onOutcome: () => {},
        },
        channel,
      ),
  });
  for (let pass = 0; pass < 40; pass++) {
    clock.now += passMs;
    const now = new Date(clock.now);
    try {
      await prepareMessages({ pool: own, config, now, pace: { windowMs: 0, perMinute: 2 } });
      turns.start(config.channels);
      await turns.settle();
    } catch (error) {
      if (fuse.isBlown()) return;
      throw error;
    }
    if (fuse.isBlown()) return;
    if (await isDone()) return;
  }
  throw new Error("it was never done");
}

async function isDone(): Promise<boolean> {
  const { rows } = await owner.query(
    `SELECT (SELECT count(*) FROM attention_change) + (SELECT count(*) FROM notifiable_event WHERE planned_at IS NULL)
       + (SELECT count(*) FROM notification_pending)
       + (SELECT count(*) FROM notification WHERE state IN ('queued', 'sending'))
       + (SELECT max(seq) FROM audit_entry) - (SELECT audit_seq FROM notification_place) AS left`,
  );
  return Number(rows[0]?.left) === 0;
}

type Delivery = { message: string; events: string[]; data: string };

function deliveriesTo(receiver: NotificationReceiver, from: number): Delivery[] {
  return receiver.received.slice(from).map(({ body }) => {
    const { id, data } = JSON.parse(body) as { id: string; data: { events: { target: { name: string } }[] } };
    return { message: id, events: data.events.map(({ target }) => target.name), data: JSON.stringify(data) };
  });
}

/** Plays a round with these deaths, and returns how many steps it took after the last. */
async function play(points: readonly CrashPoint[]): Promise<number> {
  const from = [all.received.length, actions.received.length];
  const names = await happen();
  const clock = { now: Date.now() + round * 100 * passMs };
  const mayRepeat = new Set<string>();
  for (const point of points) {
    const fuse = createFuse(point);
    await live(fuse, clock);
    const received = [all, actions].flatMap((receiver, index) => deliveriesTo(receiver, from[index] ?? 0));
    const { rows } = await owner.query("SELECT id FROM notification WHERE state = 'sent'");
    const marked = new Set(rows.map(({ id }) => String(id)));
    for (const { message } of received) if (!marked.has(message)) mayRepeat.add(message);
  }
  const last = createFuse();
  await live(last, clock);
  for (const [receiver, index, wanted] of [
    [all, 0, names],
    [actions, 1, names.slice(3)],
  ] as const) {
    const deliveries = deliveriesTo(receiver, from[index] ?? 0);
    const distinct = new Map(deliveries.map((each) => [each.message, each]));
    // Each event arrived, in one message.
    expect([...distinct.values()].flatMap(({ events }) => events).toSorted()).toEqual([...wanted].toSorted());
    for (const { message, data } of deliveries) expect(data).toBe(distinct.get(message)?.data);
    // What was marked as sent before the process died arrived once.
    const repeated = deliveries.filter(
      ({ message }, at) => deliveries.findIndex((each) => each.message === message) !== at,
    );
    for (const { message } of repeated) expect(mayRepeat).toContain(message);
  }
  return last.steps();
}

it("sends each event once if nobody dies", async () => {
  expect(await play([])).toBeGreaterThan(20);
});

it("loses nothing, wherever it dies, and repeats only what was sent and not marked", async () => {
  const steps = await play([]);
  for (let step = 1; step <= steps; step++)
    for (const when of ["before", "after"] as const) await play([{ step, when }]);
});

it("survives dying again and again", async () => {
  const point = fc.record({
    step: fc.integer({ min: 1, max: 60 }),
    when: fc.constantFrom("before" as const, "after" as const),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(point, { minLength: 2, maxLength: 6 }), async (points) => {
      await play(points);
    }),
    { numRuns: 30 },
  );
});

it("a dead process of the harness does nothing more", async () => {
  const lossy = createFuse({ step: 1, when: "before" });
  await expect(lossy.run(async () => {})).rejects.toThrow(Crash);
  await expect(lossy.run(async () => {})).rejects.toThrow("dead");
});
