import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { sampleEvent, targetOf } from "#lib/domain/notify/testing/sample-event.ts";
import { appendAudit } from "#lib/server/audit/append-audit.ts";
import { inTransaction } from "#lib/server/platform/db/in-transaction.ts";
import { type NotificationReceiver, startNotificationReceiver } from "#test/notification-receiver.ts";
import { type RecorderProcess, startRecorderProcess } from "#test/recorder-process.ts";
import { createRecorderWorld, type RecorderWorld, waitFor } from "#test/recorder-world.ts";
import { createTestPool } from "#test/test-pool.ts";
import { enqueueEvents } from "./stored-event.ts";

let world: RecorderWorld;
let receiver: NotificationReceiver;
let folder: string;
const running: RecorderProcess[] = [];

beforeAll(async () => {
  world = await createRecorderWorld();
  receiver = await startNotificationReceiver();
  folder = mkdtempSync(join(tmpdir(), "gatehouse-kill-"));
  writeFileSync(join(folder, "secret"), "a secret");
});
afterAll(async () => {
  await Promise.all(running.map((each) => each.kill()));
  await receiver.close();
  await world.close();
  rmSync(folder, { recursive: true });
});

async function startRecorder(urls: Record<string, string> = { all: receiver.url }): Promise<RecorderProcess> {
  const secretFile = join(folder, "secret");
  const channels = Object.entries(urls).map(([name, url]) => ({
    name,
    type: "webhook",
    url,
    signingSecret: `file:${secretFile}`,
  }));
  const process = await startRecorderProcess({
    cluster: world.cluster,
    clusterUrl: world.sandbox.url,
    clusterToken: world.sandbox.token,
    databaseUrl: world.database.recorderUrl,
    config: {
      notifications: {
        channels,
        routes: [{ name: "everything", to: Object.keys(urls) }],
      },
    },
  });
  running.push(process);
  return process;
}

/** As if the window in which events are grouped had passed. */
const endWindows = () => world.query("UPDATE notification_pending SET since = since - interval '1 minute'");

type Sent = { id: string; data: { events: { target: { name: string } }[] } };
const sent = () => receiver.received.map(({ body }) => JSON.parse(body) as Sent);
const namesOf = ({ data }: Sent) => data.events.map(({ target }) => target.name);

it("loses nothing if the recorder is killed while it sends, and while nobody runs", async () => {
  const pool = createTestPool(world.database.recorderUrl, 2);
  const enqueue = (names: string[]) =>
    inTransaction(pool, (tx) =>
      enqueueEvents(
        tx,
        names.map((name) => sampleEvent(name, { target: targetOf(name), at: new Date().toISOString() })),
      ),
    );
  const first = await startRecorder();
  await waitFor(
    "notifications have begun",
    async () => (await world.query("SELECT FROM notification_place")).length > 0,
  );
  receiver.answer(() => {});
  await enqueue(["one", "two", "three"]);
  await waitFor("the first message is on its way", async () => {
    await endWindows();
    return receiver.received.length > 0;
  });
  await first.kill();
  expect(receiver.received).toHaveLength(1);

  await enqueue(["four"]);
  await appendAudit({
    pool,
    entry: {
      actor: { type: "user", name: "Oncall" },
      source: "gatehouse",
      code: "action.abort",
      action: "abort",
      outcome: "applied",
      target: { ...targetOf("five"), kind: "Rollout" },
      requestId: "r",
    },
  });
  // As if the dead process's lease and claim had run out.
  await world.query("DELETE FROM source_lease");
  await world.query("UPDATE notification SET next_attempt_at = clock_timestamp() WHERE state = 'sending'");
  receiver.answer((response) => response.writeHead(204).end());
  const second = await startRecorder();
  await waitFor("everything is sent", async () => {
    await endWindows();
    return (await world.query("SELECT FROM notification WHERE state = 'sent'")).length === 5;
  });

  const [inFlight, ...rest] = sent();
  expect(rest.flatMap(namesOf).toSorted()).toEqual(["five", "four", "one", "three", "two"]);
  // It is unknown whether the first try arrived: the message is sent again, with the same id.
  expect(rest.filter(({ id }) => id === inFlight?.id)).toEqual([inFlight]);
  expect(new Set(rest.map(({ id }) => id)).size).toBe(5);
  expect(await second.metric("gatehouse_notifications_total", { channel_type: "webhook", outcome: "sent" })).toBe(5);
  await waitFor(
    "the queue is empty",
    async () => (await second.metric("gatehouse_notification_queue_age_seconds")) === 0,
  );
  await pool.end();
});

it("a channel that hangs delays no other, and what it was sending is sent again after a kill", async () => {
  await running.at(-1)?.kill();
  const pool = createTestPool(world.database.recorderUrl, 2);
  const stuck = await startNotificationReceiver();
  stuck.answer(() => {});
  const urls = { all: receiver.url, stuck: stuck.url };
  const enqueue = (name: string) => {
    const event = sampleEvent(name, { target: targetOf(name), at: new Date().toISOString() });
    return inTransaction(pool, (tx) => enqueueEvents(tx, [event]));
  };
  const stateOf = async (name: string, channel: string) => {
    const sql = "SELECT state FROM notification WHERE channel = $1 AND events #>> '{0,target,name}' = $2";
    return (await world.query<{ state: string }>(sql, [channel, name]))[0]?.state;
  };
  await world.query("DELETE FROM source_lease");
  const third = await startRecorder(urls);
  await enqueue("six");
  await waitFor("the channel hangs", async () => {
    await endWindows();
    return stuck.received.length > 0;
  });
  for (const name of ["seven", "eight"]) {
    await enqueue(name);
    await waitFor(`${name} is sent`, async () => {
      await endWindows();
      return (await stateOf(name, "all")) === "sent";
    });
    expect(await stateOf("six", "stuck")).toBe("sending");
  }
  await third.kill();
  expect(stuck.received).toHaveLength(1);

  await world.query("DELETE FROM source_lease");
  await world.query("UPDATE notification SET next_attempt_at = clock_timestamp() WHERE state = 'sending'");
  stuck.answer((response) => response.writeHead(204).end());
  await startRecorder(urls);
  const unsent = "SELECT FROM notification WHERE state <> 'sent'";
  await waitFor("everything is sent", async () => (await world.query(unsent)).length === 0);
  const reported = stuck.received.map(({ body }) => JSON.parse(body) as Sent);
  expect(reported.slice(1).flatMap(namesOf).toSorted()).toEqual(["eight", "seven", "six"]);
  expect(reported.filter(({ id }) => id === reported[0]?.id)).toEqual([reported[0], reported[0]]);
  await pool.end();
  await stuck.close();
});
