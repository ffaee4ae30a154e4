import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { NotificationChannels, NotificationItem } from "#lib/contract/notification.ts";
import { Problem } from "#lib/contract/problem.ts";
import { createTestPool } from "#test/test-pool.ts";
import { startTestWeb, type TestWeb } from "#test/web-runtime.ts";
import { POST as sendTest } from "../notification-channels/[channel]/test/route.ts";
import { GET as listChannels } from "../notification-channels/route.ts";
import { POST as retry } from "./[id]/retry/route.ts";
import { GET as list } from "./route.ts";

const channel = { name: "releases", type: "webhook", url: "https://secret.example.org/x", signingSecret: "env:NONE" };
const routes = [{ name: "all", to: ["releases"] }];

let web: TestWeb;
let owner: ReturnType<typeof createTestPool>;
beforeAll(async () => {
  web = await startTestWeb({ config: { notifications: { channels: [channel], routes } } });
  owner = createTestPool(web.database.ownerUrl, 2);
});
beforeEach(async () => {
  await owner.query("TRUNCATE notification, notification_pending");
});
afterAll(async () => {
  await owner.end();
  await web.close();
});

async function plant(
  state: string,
  more: { channel?: string; minutesAgo?: number; error?: string } = {},
): Promise<string> {
  const id = randomUUID();
  const { channel: name = "releases", minutesAgo = 0, error = null } = more;
  await owner.query(
    `INSERT INTO notification (id, channel, channel_type, shape, severity, title, events, state, created_at, next_attempt_at,
       give_up_at, last_attempt_at, last_error, sent_at, ended_at)
     SELECT $1, $2, 'webhook', 'single', 'info', 'title', '[{"path": "/inbox"}]', $3, t, t, t, t, $5,
       CASE WHEN $3 = 'sent' THEN t END, CASE WHEN $3 IN ('sent', 'failed', 'suppressed') THEN t END
       FROM (SELECT clock_timestamp() - make_interval(mins => $4) AS t) AS x`,
    [id, name, state, minutesAgo, error],
  );
  return id;
}

async function post(handler: typeof retry, params: Record<string, string>): Promise<Response> {
  return handler(web.request("/any", { as: "admin", method: "POST" }), { params: Promise.resolve(params) });
}

async function read(query = ""): Promise<{ items: NotificationItem[]; nextCursor: string | null }> {
  const response = await list(web.request(`/api/v1/notifications${query}`, { as: "admin" }), {
    params: Promise.resolve({}),
  });
  return response.json();
}

const lastEntry = async () =>
  (await owner.query("SELECT code, outcome, entry FROM audit_entry ORDER BY seq DESC LIMIT 1")).rows[0];

describe("a test message", () => {
  it("is queued for the recorder, and audited", async () => {
    const response = await post(sendTest, { channel: "releases" });
    expect(response.status).toBe(202);
    const item = NotificationItem.parse(await response.json());
    expect(item).toMatchObject({ channel: "releases", shape: "test", state: "queued", attempts: 0, events: 1 });
    expect(await lastEntry()).toMatchObject({ code: "notification.test", outcome: "applied" });
    const { rows } = await owner.query(
      "SELECT give_up_at - created_at = interval '24 hours' AS is_right FROM notification",
    );
    expect(rows).toEqual([{ is_right: true }]);
  });

  it("tells in the channel what came back", async () => {
    const testOf = async () => {
      const response = await listChannels(web.request("/api/v1/notification-channels", { as: "admin" }), {
        params: Promise.resolve({}),
      });
      return NotificationChannels.parse(await response.json()).items[0]?.test;
    };
    expect(await testOf()).toBeNull();
    await post(sendTest, { channel: "releases" });
    expect(await testOf()).toMatchObject({ state: "queued", answer: null });
    await owner.query(
      "UPDATE notification SET state = 'sent', sent_at = now(), ended_at = now(), last_error = 'answered 202'",
    );
    expect(await testOf()).toMatchObject({ state: "sent", answer: "answered 202" });
  });

  it("to a channel that the config does not name is not found", async () => {
    const response = await post(sendTest, { channel: "nowhere" });
    expect(Problem.parse(await response.json()).code).toBe("not_found");
    expect((await read()).items).toEqual([]);
  });
});

describe("sending again", () => {
  it.each(["failed", "suppressed"])("takes a message that is %s back into the queue, once", async (state) => {
    const id = await plant(state);
    const response = await post(retry, { id });
    expect(response.status).toBe(202);
    expect(await response.json()).toMatchObject({ id, state: "queued" });
    expect((await lastEntry())?.entry).toContain(id);
    const again = await post(retry, { id });
    expect(Problem.parse(await again.json()).code).toBe("not_allowed_now");
  });

  it.each(["queued", "sending", "sent"])("refuses one that is %s", async (state) => {
    const response = await post(retry, { id: await plant(state) });
    expect(response.status).toBe(409);
  });

  it("refuses one whose channel is gone", async () => {
    const id = await plant("suppressed", { channel: "gone" });
    const response = await post(retry, { id });
    expect(Problem.parse(await response.json()).code).toBe("not_allowed_now");
    expect((await read("?state=suppressed")).items).toHaveLength(1);
  });

  it("refuses one about an alert that is over, and takes one about an open alert", async () => {
    const incident = randomUUID();
    const id = await plant("failed");
    await owner.query(
      "UPDATE notification SET channel_type = 'pagerduty', incident_id = $2, incident_step = 1 WHERE id = $1",
      [id, incident],
    );
    const response = await post(retry, { id });
    expect(Problem.parse(await response.json())).toMatchObject({
      ...{ code: "not_allowed_now", detail: "It is over: there is nothing to send." },
    });
    await owner.query(
      `INSERT INTO notification_incident (id, channel, channel_type, group_key, opened_at)
       VALUES ($1, 'releases', 'pagerduty', '[]', now())`,
      [incident],
    );
    expect((await post(retry, { id })).status).toBe(202);
  });

  it("takes the newest message about a deployment, and refuses an earlier one", async () => {
    const incident = randomUUID();
    const [began, ended] = [await plant("failed"), await plant("failed")];
    for (const [step, id] of [began, ended].entries())
      await owner.query("UPDATE notification SET incident_id = $2, incident_step = $3 WHERE id = $1", [
        id,
        incident,
        step,
      ]);
    expect((await post(retry, { id: began })).status).toBe(409);
    expect((await post(retry, { id: ended })).status).toBe(202);
  });

  it.each(["no-uuid", randomUUID()])("finds nothing at %s", async (id) => {
    expect((await post(retry, { id })).status).toBe(404);
  });
});

describe("the log", () => {
  it("is paged, newest first, and filtered", async () => {
    const ids = [
      await plant("sent", { minutesAgo: 3 }),
      await plant("failed", { minutesAgo: 2 }),
      await plant("sent", { minutesAgo: 1, channel: "gone" }),
    ].toReversed();
    const first = await read("?limit=2");
    const second = await read(`?limit=2&cursor=${first.nextCursor}`);
    expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(ids);
    expect(second.nextCursor).toBeNull();
    expect((await read("?state=failed")).items.map(({ id }) => id)).toEqual([ids[1]]);
    expect((await read("?channel=gone")).items.map(({ id }) => id)).toEqual([ids[0]]);
  });
});

describe("the channels", () => {
  const readChannels = async () => {
    const response = await listChannels(web.request("/any", { as: "admin" }), { params: Promise.resolve({}) });
    const text = await response.text();
    expect(text).not.toContain("secret.example.org");
    return NotificationChannels.parse(JSON.parse(text)).items;
  };

  it.each<{ name: string; rows: Parameters<typeof plant>[]; shown: Record<string, unknown> }>([
    { name: "that nobody used", rows: [], shown: { lastSuccessAt: null, lastError: null, waiting: 0, failed: 0 } },
    { name: "that works", rows: [["sent"]], shown: { lastSuccessAt: expect.any(String), lastError: null } },
    {
      name: "that fails since its last success",
      rows: [
        ["sent", { minutesAgo: 5 }],
        ["queued", { error: "answered 500" }],
      ],
      shown: { lastError: "answered 500", waiting: 1 },
    },
    {
      name: "that works again",
      rows: [["failed", { minutesAgo: 5, error: "answered 500" }], ["sent"]],
      shown: { lastError: null, lastErrorAt: expect.any(String), failed: 1 },
    },
  ])("has one $name", async ({ rows, shown }) => {
    for (const row of rows) await plant(...row);
    expect(await readChannels()).toMatchObject([{ name: "releases", type: "webhook", routes: ["all"], ...shown }]);
  });
});
