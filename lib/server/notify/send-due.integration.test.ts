import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { sampleEvent } from "#lib/domain/notify/testing/sample-event.ts";
import { type ChannelConfig, NotificationConfig } from "#lib/server/platform/config/notification-schema.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { createTestPool } from "#test/test-pool.ts";
import { createChannelTurns } from "./channel-turns.ts";
import type { SendResult } from "./channels/post-json.ts";
import { makeMessages } from "./make-messages.ts";
import { suppressOrphans } from "./prepare-messages.ts";
import { readQueueAgeSeconds } from "./run-notifications.ts";
import { type SendOptions, sendDue } from "./send-due.ts";

const { channels } = NotificationConfig.parse({
  channels: ["a", "b"].map((name) => ({ name, type: "webhook", url: "http://127.0.0.1:1", signingSecret: "env:S" })),
});
const start = new Date("2026-11-23T10:00:00Z");
const atSecond = (seconds: number) => new Date(start.getTime() + seconds * 1000);

let database: TestDatabase;
let pool: Pool;
beforeAll(async () => {
  database = await createTestDatabase();
  pool = createTestPool(database.recorderUrl, 5);
});
beforeEach(async () => {
  await pool.query("DELETE FROM notification");
  await pool.query("DELETE FROM notification_pending");
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

async function queue(channel: string, more: Record<string, unknown> = {}): Promise<string> {
  const id = randomUUID();
  const columns = { give_up_at: atSecond(86_400), next_attempt_at: start, state: "queued", attempts: 0, ...more };
  await pool.query(
    `INSERT INTO notification (id, channel, channel_type, shape, severity, title, events, created_at, give_up_at,
       next_attempt_at, state, attempts)
     VALUES ($1, $2, 'webhook', 'single', 'info', 'a title', $3, $4, $5, $6, $7, $8)`,
    [
      ...[id, channel, JSON.stringify([sampleEvent("1")]), start],
      ...[columns.give_up_at, columns.next_attempt_at, columns.state, columns.attempts],
    ],
  );
  return id;
}

type Seen = { outcomes: string[]; sent: string[] };

async function pass(
  now: Date,
  results: (id: string) => SendResult | Promise<SendResult>,
  more: Partial<SendOptions> & { channels?: ChannelConfig[] } = {},
): Promise<Seen> {
  const seen: Seen = { outcomes: [], sent: [] };
  const options: SendOptions = {
    pool,
    publicUrl: "https://gatehouse.example.org",
    send: async (_channel, { message }) => {
      seen.sent.push(message.id);
      return results(message.id);
    },
    now: async () => now,
    random: () => 1,
    memory: new Set(),
    signal: new AbortController().signal,
    onOutcome: (outcome) => seen.outcomes.push(outcome),
    ...more,
  };
  const turns = createChannelTurns<ChannelConfig>({ work: (channel) => sendDue(options, channel) });
  turns.start(more.channels ?? channels);
  await turns.settle();
  return seen;
}

const rowOf = async (id: string) => (await pool.query("SELECT * FROM notification WHERE id = $1", [id])).rows[0];
const ok = (): SendResult => ({ ok: true });
const failed = (): SendResult => ({ ok: false, error: "answered 500, Bearer abcdefghijklmnop" });

describe("sending", () => {
  it("marks what was sent, with its note", async () => {
    const id = await queue("a");
    expect(await pass(start, () => ({ ok: true, note: "1 refused" }))).toEqual({ outcomes: ["sent"], sent: [id] });
    expect(await rowOf(id)).toMatchObject({ state: "sent", attempts: 1, sent_at: start, last_error: "1 refused" });
    expect((await pass(atSecond(3600), ok)).sent).toEqual([]);
  });

  it.each([
    { attempts: 0, seconds: 5 },
    { attempts: 1, seconds: 10 },
    { attempts: 4, seconds: 80 },
    { attempts: 9, seconds: 900 },
    { attempts: 5000, seconds: 900 },
  ])("tries again $seconds s after try $attempts", async ({ attempts, seconds }) => {
    const id = await queue("a", { attempts });
    expect((await pass(start, failed)).outcomes).toEqual(["retried"]);
    expect(await rowOf(id)).toMatchObject({
      state: "queued",
      next_attempt_at: atSecond(seconds),
      last_error: "answered 500, Bearer [redacted]",
    });
    expect((await pass(atSecond(seconds - 1), ok)).sent).toEqual([]);
    expect((await pass(atSecond(seconds), ok)).sent).toEqual([id]);
  });

  it("waits for as long as the receiver asks", async () => {
    const id = await queue("a");
    await pass(start, () => ({ ok: false, error: "answered 429", retryAfterMs: 90_000 }));
    expect(await rowOf(id)).toMatchObject({ state: "queued", next_attempt_at: atSecond(90) });
  });

  it("gives up after the time that the config says, and only after a try", async () => {
    const id = await queue("a", { give_up_at: atSecond(-10) });
    expect(await pass(start, failed)).toEqual({ outcomes: ["failed"], sent: [id] });
    expect(await rowOf(id)).toMatchObject({ state: "failed", ended_at: start, attempts: 1 });
  });

  it("stops at the first failure of a channel, and goes on with the others", async () => {
    const ids = [await queue("a"), await queue("a"), await queue("b"), await queue("b")];
    const { sent } = await pass(start, (id) => (ids.slice(0, 2).includes(id) ? failed() : ok()));
    expect(sent).toHaveLength(3);
    expect(sent).toEqual(expect.arrayContaining(ids.slice(2)));
  });

  it("is not held up by a channel that hangs", async () => {
    const [hanging, other] = [await queue("a"), await queue("b")];
    const hang = Promise.withResolvers<SendResult>();
    const ended = pass(start, (id) => (id === hanging ? hang.promise : ok()));
    while ((await rowOf(other))?.state !== "sent") await new Promise((resolve) => setImmediate(resolve));
    expect((await rowOf(hanging))?.state).toBe("sending");
    hang.resolve({ ok: true });
    await ended;
  });

  it("sends what a channel is told later while another one still hangs", async () => {
    const hanging = await queue("a", { next_attempt_at: atSecond(-10) });
    const hang = Promise.withResolvers<SendResult>();
    const sent: string[] = [];
    const turns = createChannelTurns<ChannelConfig>({
      work: (channel) =>
        sendDue(
          {
            ...{ pool, publicUrl: "https://gatehouse.example.org", now: async () => start, random: () => 1 },
            ...{ memory: new Set(), signal: new AbortController().signal, onOutcome: () => {} },
            send: async (_channel, { message }) => {
              sent.push(message.id);
              return message.id === hanging ? hang.promise : ok();
            },
          },
          channel,
        ),
    });
    turns.start(channels);
    while (!sent.includes(hanging)) await new Promise((resolve) => setImmediate(resolve));
    const later: string[] = [];
    for (let pass = 0; pass < 3; pass++) {
      const id = await queue("b");
      later.push(id, await queue("a", { next_attempt_at: atSecond(-pass) }));
      while ((await rowOf(id))?.state !== "sent") {
        turns.start(channels);
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
    const [b1, a1, b2, a2, b3, a3] = later;
    expect(sent).toEqual([hanging, b1, b2, b3]);
    hang.resolve(ok());
    await turns.settle();
    // Those of the channel that hung follow, in the order in which they are due.
    expect(sent).toEqual([hanging, b1, b2, b3, a3, a2, a1]);
  });

  it("takes over what a dead sender had claimed, once the claim has run out", async () => {
    const id = await queue("a", { state: "sending", next_attempt_at: atSecond(60), attempts: 1 });
    expect((await pass(atSecond(59), ok)).sent).toEqual([]);
    expect((await pass(atSecond(60), ok)).sent).toEqual([id]);
  });

  it("does not overwrite what another sender has claimed since", async () => {
    const id = await queue("a");
    const { outcomes } = await pass(start, async () => {
      // The first sender was stopped for a minute, in the middle.
      expect((await pass(atSecond(61), ok)).outcomes).toEqual(["sent"]);
      return failed();
    });
    expect(outcomes).toEqual([]);
    expect(await rowOf(id)).toMatchObject({ state: "sent", attempts: 2 });
  });

  it("does not send again what it sent when its row could not be changed", async () => {
    const id = await queue("a");
    const memory = new Set<string>();
    let calls = 0;
    const broken = {
      query: (query: { text: string }) => {
        calls += 1;
        return calls === 2 ? Promise.reject(new Error("the database is away")) : pool.query(query);
      },
    } as unknown as Pool;
    await expect(pass(start, ok, { pool: broken, memory, channels: channels.slice(0, 1) })).rejects.toThrow("away");
    expect((await rowOf(id))?.state).toBe("sending");
    expect(await pass(atSecond(60), ok, { memory })).toEqual({ outcomes: ["sent"], sent: [] });
    expect((await rowOf(id))?.state).toBe("sent");
  });

  it("sends each message once if two senders meet", async () => {
    const ids = await Promise.all(Array.from({ length: 15 }, () => queue("a")));
    const passes = await Promise.all([pass(start, ok), pass(start, ok), pass(start, ok)]);
    expect(passes.flatMap(({ sent }) => sent).toSorted()).toEqual(ids.toSorted());
  });

  it("fails a message that cannot be read, visibly", async () => {
    const id = await queue("a");
    await pool.query(`UPDATE notification SET events = '{"no": "list"}' WHERE id = $1`, [id]);
    expect(await pass(start, ok)).toEqual({ outcomes: ["retried"], sent: [] });
    expect((await rowOf(id))?.last_error).toBe("the stored message cannot be read");
  });
});

describe("a channel that the config no longer has", () => {
  it("is told nothing more, and the log shows it", async () => {
    const [kept, gone] = [await queue("a"), await queue("b")];
    expect(await suppressOrphans({ pool, channels: channels.slice(0, 1), now: start })).toEqual(["webhook"]);
    expect((await rowOf(kept))?.state).toBe("queued");
    expect(await rowOf(gone)).toMatchObject({ state: "suppressed", ended_at: start });
  });

  it("has what is pending suppressed too, even in quiet hours", async () => {
    await pool.query(
      `INSERT INTO notification_pending (event_id, channel, channel_type, seq, event, since) VALUES ($1, 'old', 'slack', 1, $2, $3)`,
      [sampleEvent("1").id, JSON.stringify(sampleEvent("1")), start],
    );
    const config = NotificationConfig.parse({});
    expect(await makeMessages({ pool, config, now: start })).toBe(1);
    const { rows } = await pool.query("SELECT * FROM notification");
    expect(rows).toMatchObject([{ channel: "old", channel_type: "slack", state: "suppressed" }]);
    expect((await pool.query("SELECT FROM notification_pending")).rowCount).toBe(0);
  });
});

it("knows the age of the oldest that is not sent", async () => {
  expect(await readQueueAgeSeconds(pool, atSecond(30))).toBe(0);
  await queue("a");
  expect(await readQueueAgeSeconds(pool, atSecond(30))).toBe(30);
});
