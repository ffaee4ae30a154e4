import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  type ChannelSetting,
  NotificationSetting,
  NotificationSettingChange,
} from "#lib/contract/notification-setting.ts";
import { listChannels, sendTestNotification } from "#lib/server/notify/messages/channels.ts";
import { createNotifier } from "#lib/server/notify/run-notifications.ts";
import { NotificationConfig } from "#lib/server/platform/config/notification-schema.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";
import { createRecorderMetrics } from "#lib/server/recording/store/recorder-metrics.ts";
import { completeLoaded, isSetByFile, readSettings } from "#lib/server/records/stored-settings.ts";
import { actorOf, failureOf } from "#test/acting-world.ts";
import { type NotificationReceiver, startNotificationReceiver } from "#test/notification-receiver.ts";
import { createTestPool } from "#test/test-pool.ts";
import { startTestWeb, type TestWeb } from "#test/web-runtime.ts";
import { getAdminConfig } from "./get-config.ts";
import { getNotificationSetting, setNotificationSetting } from "./notification-setting.ts";

const key = "the key that signs messages";

let web: TestWeb;
let receiver: NotificationReceiver;
let folder: string;
let place: string;
beforeAll(async () => {
  receiver = await startNotificationReceiver();
  folder = mkdtempSync(join(tmpdir(), "gatehouse-setting-"));
  writeFileSync(join(folder, "key"), key);
  place = `file:${join(folder, "key")}`;
  const allow = [place, "env:GATEHOUSE_TEST_SLACK", new URL(receiver.url).origin];
  web = await startTestWeb({ config: { notifications: { allow } } });
});
afterAll(async () => {
  await web.close();
  await receiver.close();
  rmSync(folder, { recursive: true });
});

const contextOf = (role: "operator" | "admin"): ServiceContext => ({
  ...{ runtime: web.runtime, actor: actorOf(role), requestId: "test" },
});
const hook = (change: Record<string, unknown> = {}) => ({
  ...{ name: "hook", type: "webhook", url: receiver.url, signingSecret: place },
  ...change,
});
const get = () => getNotificationSetting({ ctx: contextOf("admin") });
async function set(
  channels: Record<string, unknown>[],
  { routes = [], role = "admin", seen }: { routes?: unknown[]; role?: "operator" | "admin"; seen?: string | null } = {},
): Promise<NotificationSetting> {
  const changedAt = seen === undefined ? (await get()).changedAt : seen;
  const input = NotificationSettingChange.parse({ channels, routes, changedAt });
  return setNotificationSetting({ ctx: contextOf(role), input });
}
const refusalOf = async (channel: Record<string, unknown>) => {
  const { code, extra } = (await failureOf(set([hook(channel)]))) as {
    code: string;
    extra: { invalidParams: unknown };
  };
  return { code, params: extra.invalidParams };
};

it("stores channels and routes, in force in every process, audited, and part of the config's YAML", async () => {
  const other = web.addReplica();
  expect(await get()).toMatchObject({ channels: [], routes: [], source: "interface", changedAt: null });
  await set([hook()], { routes: [{ name: "all", to: ["hook"] }] });
  const slack = { name: "team", type: "slack", webhookUrl: "env:GATEHOUSE_TEST_SLACK" };
  const made = await set([hook(), slack], { routes: [{ name: "bad", minSeverity: "critical", to: ["hook", "team"] }] });
  expect(await get()).toEqual(made);
  expect(NotificationSetting.parse(made)).toMatchObject({ changedBy: "admin-person", unusable: [] });
  for (const { config } of [web.runtime, other])
    await expect
      .poll(() => config().config.notifications)
      .toMatchObject({ channels: [{ name: "hook" }, { name: "team" }], routes: [{ name: "bad" }] });
  const { items } = await listChannels({ ctx: contextOf("admin") });
  expect(items.map(({ name, routes }) => [name, routes])).toEqual([
    ["hook", ["bad"]],
    ["team", ["bad"]],
  ]);
  const { rows } = await web.runtime.pool.query(
    "SELECT entry::json -> 'detail' AS detail FROM audit_entry WHERE code = 'notifications.change' ORDER BY seq DESC LIMIT 1",
  );
  expect(rows[0].detail).toMatchObject({
    channels: { added: [{ name: "team", type: "slack" }], removed: [], changed: [] },
    routes: { added: [{ name: "bad" }], removed: [{ name: "all" }] },
  });
  const config = await getAdminConfig({ ctx: contextOf("admin"), runtime: web.runtime });
  expect(config.yaml).toContain("name: team");
  const origins = config.entries
    .filter(({ path }) => path.startsWith("notifications."))
    .map(({ path, origin }) => [path, origin]);
  expect(origins).toContainEqual(["notifications.channels[0].name", "interface"]);
  expect(origins).toContainEqual(["notifications.routes[0].name", "interface"]);
  expect(origins).toContainEqual(["notifications.allow", "default"]);
});

it("refuses others than admins, and a change of what has changed", async () => {
  expect(await failureOf(set([hook()], { role: "operator" }))).toMatchObject({ code: "forbidden" });
  expect(await failureOf(getNotificationSetting({ ctx: contextOf("operator") }))).toMatchObject({ code: "forbidden" });
  expect(await failureOf(set([hook()], { seen: null }))).toMatchObject({ code: "conflict" });
  expect(await failureOf(set([hook()], { seen: "2026-01-01T00:00:00.000Z" }))).toMatchObject({ code: "conflict" });
});

it("refuses at its field what the config would refuse", async () => {
  const nowhere = set([hook()], { routes: [{ name: "all", to: ["hok"] }] });
  expect(await failureOf(nowhere)).toMatchObject({
    ...{ code: "invalid_request", extra: { invalidParams: [{ name: "routes.0.to.0" }] } },
  });
});

it.each<[name: string, change: Record<string, unknown>, fields: string[]]>([
  ["another file of the server", { token: "file:/etc/passwd" }, ["channels.0.token"]],
  ["another variable of the recorder", { signingSecret: "env:DATABASE_URL" }, ["channels.0.signingSecret"]],
  ["another address", { url: "http://169.254.169.254/latest/meta-data" }, ["channels.0.url"]],
  ["another port of an allowed host", { url: "http://127.0.0.1:1/hook" }, ["channels.0.url"]],
  ["a file of certificates", { caFile: "/etc/ssl/ca.pem" }, ["channels.0.caFile"]],
])("refuses %s, which the config file does not allow", async (_, change, fields) => {
  const before = await get();
  const { code, params } = await refusalOf(change);
  expect(code).toBe("invalid_request");
  const reason = expect.stringContaining("notifications.allow");
  expect(params).toEqual(fields.map((name) => ({ name, reason })));
  expect(await get()).toEqual(before);
});

it("refuses a signing secret that cannot be used, and shows nothing of it", async () => {
  const weak = `file:${join(folder, "weak")}`;
  writeFileSync(join(folder, "weak"), "whsec_c2hvcnQ=");
  const { allow } = web.runtime.config().config.notifications;
  allow.push(weak);
  const { code, params } = await refusalOf({ signingSecret: weak });
  expect({ code, params }).toEqual({
    code: "invalid_request",
    params: [{ name: "channels.0.signingSecret", reason: expect.stringContaining("cannot be used: after whsec_") }],
  });
  expect(JSON.stringify(params)).not.toContain("c2hvcnQ=");
  // The recorder may have what this process does not.
  rmSync(join(folder, "weak"));
  expect(await set([hook({ signingSecret: weak })])).toMatchObject({ channels: [{ signingSecret: weak }] });
});

it("stores no secret, neither in an address nor instead of its place", async () => {
  const secret = "tok3nThatNobodyMaySee";
  const url = `${receiver.url}?token=${secret}`;
  const { params } = await refusalOf({ url });
  expect(params).toEqual([{ name: "channels.0.url", reason: expect.stringContaining("contains a secret") }]);
  expect(await refusalOf({ signingSecret: secret })).toMatchObject({ params: [{ name: "channels.0.signingSecret" }] });
  expect(JSON.stringify(params)).not.toContain(secret);
  const { rows } = await web.runtime.pool.query(
    "SELECT (SELECT json_agg(s) FROM setting s)::text || string_agg(entry, '') AS text FROM audit_entry",
  );
  for (const each of [secret, key]) expect(rows[0].text).not.toContain(each);
});

it("names changed fields in the audit log, but no address, recipient or place", async () => {
  await set([hook()]);
  await set([hook({ url: `${receiver.url}/webhooks/1/WithoutAKnownForm`, token: place })]);
  const { rows } = await web.runtime.pool.query(
    "SELECT entry::json -> 'detail' -> 'channels' AS channels FROM audit_entry WHERE code = 'notifications.change' ORDER BY seq DESC LIMIT 1",
  );
  expect(rows[0].channels).toEqual({
    ...{ added: [], removed: [] },
    changed: [{ name: "hook", type: "webhook", fields: ["url", "token"] }],
  });
});

it("is picked up by the recorder, with its own database role, which sends what the config allows", async () => {
  await set([hook()], { routes: [{ name: "all", to: ["hook"] }] });
  const pool = createTestPool(web.database.recorderUrl, 3);
  const loaded = web.runtime.config();
  const { allow } = loaded.config.notifications;
  const notifications = NotificationConfig.parse({ allow });
  const file = { ...loaded, config: { ...loaded.config, notifications }, stored: [] };
  const stop = new AbortController();
  const notifier = createNotifier(
    { pool, store: { current: () => file }, log: { warn: () => {} }, metrics: createRecorderMetrics() },
    stop.signal,
  );
  const send = async () => {
    await notifier.prepare();
    notifier.turn();
    await notifier.settle();
  };
  try {
    notifier.turn();
    await sendTestNotification({ ctx: contextOf("admin"), input: { channel: "hook" } });
    await send();
    expect(receiver.received).toHaveLength(1);
    expect(receiver.received[0]?.headers["webhook-signature"]).toMatch(/^v1,/);
    await sendTestNotification({ ctx: contextOf("admin"), input: { channel: "hook" } });
    await set([]);
    await send();
    expect(receiver.received).toHaveLength(1);
    const { rows } = await pool.query("SELECT state FROM notification ORDER BY created_at");
    expect(rows.map(({ state }) => state)).toEqual(["sent", "suppressed"]);
  } finally {
    stop.abort();
    await pool.end();
  }
});

it("leaves out a channel that the config file no longer allows, and says why", async () => {
  await set([hook()], { routes: [{ name: "all", to: ["hook"] }] });
  const loaded = web.runtime.config();
  const allow = [new URL(receiver.url).origin];
  const narrower = {
    ...loaded,
    config: { ...loaded.config, notifications: { allow, channels: [], routes: [] } },
    stored: [],
  };
  const settings = await readSettings(web.runtime.pool);
  expect(completeLoaded(narrower, settings).config.notifications).toMatchObject({
    channels: [],
    routes: [{ name: "all" }],
  });
  const ctx = { ...contextOf("admin"), runtime: { ...web.runtime, config: () => narrower } };
  expect(await getNotificationSetting({ ctx })).toMatchObject({
    channels: [{ name: "hook" }],
    unusable: [{ name: "hook", reason: expect.stringContaining("notifications.allow") }],
  });
  // Others can be changed: it stays as it is, or goes.
  const { channels, changedAt } = await getNotificationSetting({ ctx });
  const other = { ...channels[0], name: "other" };
  const withOther = NotificationSettingChange.parse({ channels: [...channels, other], routes: [], changedAt });
  expect(await failureOf(setNotificationSetting({ ctx, input: withOther }))).toMatchObject({
    extra: { invalidParams: [{ name: "channels.1.signingSecret" }] },
  });
  const kept = await setNotificationSetting({
    ctx,
    input: NotificationSettingChange.parse({ channels, routes: [], changedAt }),
  });
  expect(kept).toMatchObject({ channels: [{ name: "hook" }], unusable: [{ name: "hook" }] });
});

it("lets channels that the config file no longer allows stay or go, but neither changes nor copies them", async () => {
  const [one, two] = [hook({ name: "one" }), hook({ name: "two", token: place })];
  const made = await set([one, two]);
  const loaded = web.runtime.config();
  const notifications = { allow: ["env:GATEHOUSE_TEST_SLACK"], channels: [], routes: [] };
  const narrower = { ...loaded, config: { ...loaded.config, notifications }, stored: [] };
  const ctx = { ...contextOf("admin"), runtime: { ...web.runtime, config: () => narrower } };
  let { changedAt } = made;
  const store = async (...channels: Record<string, unknown>[]) => {
    const input = NotificationSettingChange.parse({ channels, routes: [], changedAt });
    const answer = await setNotificationSetting({ ctx, input });
    ({ changedAt } = answer);
    return answer;
  };
  const team = { name: "team", type: "slack", webhookUrl: "env:GATEHOUSE_TEST_SLACK" };
  expect((await store(one, two, team)).unusable.map(({ name }) => name)).toEqual(["one", "two"]);
  for (const other of [hook({ name: "three" }), hook({ name: "two" })])
    expect(await failureOf(store(one, team, other))).toMatchObject({
      ...{
        code: "invalid_request",
        extra: { invalidParams: [{ name: "channels.2.url" }, { name: "channels.2.signingSecret" }] },
      },
    });
  expect(await store(two, team)).toMatchObject({
    channels: [{ name: "two" }, { name: "team" }],
    unusable: [{ name: "two" }],
  });
  expect(await store(team)).toMatchObject({ unusable: [] });
  await set([hook()], { routes: [{ name: "all", to: ["hook"] }] });
});

it("leaves channels and routes to the config file if that sets either, even to none", async () => {
  const loaded = web.runtime.config();
  const { allow } = loaded.config.notifications;
  const withoutStored = { ...loaded, stored: [] };
  const settings = await readSettings(web.runtime.pool);
  const fileWith = (channels: ChannelSetting[], written: string[]) => {
    const notifications = NotificationConfig.parse({ allow, channels });
    const lines = new Map(written.map((each) => [each, 1]));
    return completeLoaded({ ...withoutStored, config: { ...loaded.config, notifications }, written: lines }, settings);
  };
  expect(isSetByFile(fileWith([], ["notifications.allow"]), "notifications")).toBe(false);
  expect(isSetByFile(fileWith([], ["notifications.routes"]), "notifications")).toBe(true);
  const url = "https://events.example.com/hook?token=inTheFile123456";
  const file = fileWith([{ name: "own", type: "webhook", url, signingSecret: "env:KEY", caFile: "/etc/ca.pem" }], []);
  const ctx = { ...contextOf("admin"), runtime: { ...web.runtime, config: () => file } };
  const answer = await getNotificationSetting({ ctx });
  expect(NotificationSetting.parse(answer)).toMatchObject({
    ...{ source: "file", channels: [{ name: "own", signingSecret: "env:KEY" }], unusable: [] },
  });
  expect(JSON.stringify(answer)).not.toContain("inTheFile123456");
  const input = { channels: [], routes: [], changedAt: null };
  expect(await failureOf(setNotificationSetting({ ctx, input }))).toMatchObject({ code: "conflict" });
});
