import { createHmac, randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { demoIssuer } from "#demo/accounts.ts";
import { type HookWorld, hookCluster, type LiveCanary, startHookWorld } from "#test/hook-world.ts";
import { type SlackDouble, startSlack } from "#test/slack-double.ts";

const secret = "8f742231b10e8888abcd99yyyzzz85a5";
const since = "2026-11-20T10:00:00.000Z";
const [team, ann, bob, carl, eve] = ["T1AB", "U1ANN", "U1BOB", "U1CARL", "U1EVE"];

let folder: string;
let slack: SlackDouble;
let world: HookWorld;
let canary: LiveCanary;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "gatehouse-slack-"));
  writeFileSync(join(folder, "secret"), `${secret}\n`);
  writeFileSync(join(folder, "token"), "xoxb-1");
  slack = await startSlack();
  world = await startHookWorld({
    config: {
      notifications: {
        slack: {
          ...{ team, signingSecret: `file:${join(folder, "secret")}`, token: `file:${join(folder, "token")}` },
          ...{ users: { [ann]: "operator", [carl]: "viewer", [eve]: "admin" }, apiUrl: slack.apiUrl },
        },
      },
    },
  });
  await world.query("UPDATE user_account SET email = 'admin_1@example.org' WHERE subject = 'admin'");
  for (const subject of ["operator", "viewer"]) await signIn(subject);
});
beforeEach(async () => {
  slack.replies.splice(0);
  await world.query("DELETE FROM wait_mark");
  canary = await world.addCanary();
  await world.query(
    "UPDATE rollout SET attention_reason = 'gate', attention_severity = 'info', attention_since = $2 WHERE id = $1",
    [canary.rolloutId, since],
  );
});
afterAll(async () => {
  await world.close();
  await slack.close();
  rmSync(folder, { recursive: true });
});

async function signIn(subject: string, { hoursLeft = 4, isRevoked = false } = {}): Promise<void> {
  await world.query(
    `INSERT INTO user_session (id, user_id, username, groups, created_at, idle_expires_at, absolute_expires_at, revoked_at)
     SELECT $1, id, subject, '{}', now() - interval '20 hours', now() - interval '12 hours',
       now() + make_interval(hours => $3), CASE WHEN $4 THEN now() END FROM user_account WHERE subject = $2 AND issuer = $5`,
    [randomUUID(), subject, hoursLeft, isRevoked, demoIssuer],
  );
}

const waitOf = (change: object = {}) => ({
  ...{ cluster: hookCluster, namespace: canary.namespace, kind: "Canary", name: canary.name, since, severity: "info" },
  ...change,
});
type Click = { user?: string; of?: string; action?: string; wait?: object; responseUrl?: string };

const bodyOf = ({ user = ann, of = team, action = "claim", wait = {}, responseUrl = slack.responseUrl }: Click = {}) =>
  new URLSearchParams({
    payload: JSON.stringify({
      ...{ type: "block_actions", user: { id: user, team_id: of }, response_url: responseUrl },
      actions: [{ action_id: `gatehouse.${action}`, value: JSON.stringify(waitOf(wait)) }],
    }),
  }).toString();

async function post(
  body: string,
  { key = secret, secondsAgo = 0, method = "POST" }: { key?: string; secondsAgo?: number; method?: string } = {},
): Promise<Response> {
  const timestamp = String(Math.floor(Date.now() / 1000) - secondsAgo);
  const signature = createHmac("sha256", key).update(`v0:${timestamp}:${body}`).digest("hex");
  return fetch(`${world.url}/hooks/slack`, {
    method,
    headers: {
      "content-type": "application/x-www-form-urlencoded",
      ...{ "x-slack-request-timestamp": timestamp, "x-slack-signature": `v0=${signature}` },
    },
    ...(method === "GET" ? {} : { body }),
  });
}

/** Clicks, and waits for the reply. */
async function click(given: Click = {}): Promise<SlackDouble["replies"][number]> {
  const before = slack.replies.length;
  const response = await post(bodyOf(given));
  expect([response.status, await response.text()]).toEqual([200, ""]);
  await expect.poll(() => slack.replies.length, { timeout: 5000 }).toBe(before + 1);
  const reply = slack.replies.at(-1);
  if (reply === undefined) throw new Error("no reply");
  return reply;
}

const marksOf = async () =>
  (await world.query("SELECT kind, marked_by, reason FROM wait_mark WHERE rollout_id = $1", [canary.rolloutId])).rows;
const lastEntry = async () =>
  (await world.query("SELECT entry::json AS entry FROM audit_entry ORDER BY seq DESC LIMIT 1")).rows[0]?.entry;

describe("a click on I'm on it", () => {
  it("claims the wait as the person, is audited, and tells the channel", async () => {
    const { response_type: type, replace_original: replaces, text } = await click();
    expect([type, replaces]).toEqual(["in_channel", false]);
    expect(text).toMatch(new RegExp(`^operator is on ${canary.namespace}/podinfo until <!date\\^\\d+\\^\\{time\\}\\|`));
    expect(await marksOf()).toEqual([{ kind: "claim", marked_by: `${demoIssuer}|operator`, reason: null }]);
    expect(await lastEntry()).toMatchObject({
      ...{ code: "inbox.claimed", outcome: "applied", actor: { type: "user", subject: "operator" } },
      detail: { attention: "gate", since, minutes: 30, via: "slack", slackUser: ann },
    });
  });

  it("does not take over another person's claim", async () => {
    await click();
    await signIn("admin");
    const reply = await click({ user: eve });
    expect(reply).toMatchObject({ response_type: "ephemeral", text: expect.stringMatching(/^operator is on it\. /) });
    expect(await marksOf()).toMatchObject([{ marked_by: `${demoIssuer}|operator` }]);
    await world.query("DELETE FROM user_session WHERE username = 'admin'");
  });

  it("is refused for a wait that has changed", async () => {
    expect((await click({ wait: { since: "2026-11-20T09:00:00.000Z" } })).text).toMatch(/^It changed since/);
    expect(await marksOf()).toEqual([]);
  });
});

describe("a click on Snooze", () => {
  it("puts the wait off for an hour", async () => {
    expect((await click({ action: "snooze" })).text).toMatch(/^operator snoozed .* until /);
    expect(await marksOf()).toEqual([
      { kind: "snooze", marked_by: `${demoIssuer}|operator`, reason: "Snoozed in Slack" },
    ]);
    const [{ minutes } = { minutes: 0 }] = (
      await world.query("SELECT round(extract(epoch FROM until - marked_at) / 60)::int AS minutes FROM wait_mark")
    ).rows;
    expect(minutes).toBe(60);
    expect(await lastEntry()).toMatchObject({ code: "inbox.snoozed", detail: { via: "slack", slackUser: ann } });
  });

  it("is refused once the wait is more severe than the message said", async () => {
    await world.query("UPDATE rollout SET attention_severity = 'critical' WHERE id = $1", [canary.rolloutId]);
    const reply = await click({ action: "snooze" });
    expect(reply).toMatchObject({ response_type: "ephemeral", text: expect.stringMatching(/^It changed since/) });
    expect(await marksOf()).toEqual([]);
  });
});

describe("who clicks", () => {
  const refusals: [name: string, click: Click, text: RegExp][] = [
    ["a user without a name here", { user: bob }, /^Gatehouse does not know who you are\. .* as U1BOB, /],
    ["a user of another workspace", { of: "T2XY" }, /^Only people of the workspace/],
    ["a viewer", { user: carl, action: "snooze" }, /^Your rights do not include snoozing/],
    ["a person who is signed out", { user: eve }, /^Sign in to Gatehouse, then press the button again: http/],
  ];
  it.each(refusals)("%s is refused, and only they see it", async (_, given, text) => {
    expect(await click(given)).toMatchObject({ response_type: "ephemeral", text: expect.stringMatching(text) });
    expect(await marksOf()).toEqual([]);
  });

  it("a refusal for lack of rights is audited", async () => {
    await click({ user: carl });
    expect(await lastEntry()).toMatchObject({
      ...{ code: "access.refused", outcome: "refused", actor: { subject: "viewer" } },
      detail: { endpoint: "claim", via: "slack", slackUser: carl },
    });
  });

  it.each([
    { hoursLeft: -1, isRevoked: false },
    { hoursLeft: 4, isRevoked: true },
  ])("a session that has ended does not count: %o", async (session) => {
    await signIn("admin", session);
    expect((await click({ user: eve })).text).toMatch(/^Sign in to Gatehouse/);
    await world.query("DELETE FROM user_session WHERE username = 'admin'");
  });

  const user = { id: bob, team_id: team, profile: { email: "Admin_1@example.org" } };
  it("a user whom Slack knows by the e-mail address of one of ours is that person", async () => {
    await signIn("admin");
    slack.users.set(bob, user);
    expect((await click({ user: bob })).text).toMatch(/^admin is on /);
    await world.query("DELETE FROM user_session WHERE username = 'admin'");
  });

  it.each<[string, object]>([
    ["of another workspace", { team_id: "T2XY" }],
    ["who was deactivated", { deleted: true }],
    ["whose address is not confirmed", { is_email_confirmed: false }],
    ["from outside", { is_stranger: true }],
    ["with a pattern for an address", { profile: { email: "admin%1@example.org" } }],
    ["with no address", { profile: {} }],
  ])("a user %s is not", async (_, change) => {
    slack.users.set(bob, { ...user, ...change });
    expect((await click({ user: bob })).text).toMatch(/^Gatehouse does not know who you are/);
  });
});

describe("a request", () => {
  it.each<[string, () => Promise<Response>, number, string]>([
    ["with a wrong signature", () => post(bodyOf(), { key: "another" }), 401, "bad_signature"],
    ["that is six minutes old", () => post(bodyOf(), { secondsAgo: 360 }), 401, "bad_signature"],
    ["without a signature", () => fetch(`${world.url}/hooks/slack`, { method: "POST" }), 401, "bad_signature"],
    ["that is no click", () => post("payload=1"), 400, "bad_payload"],
    ["that is too large", () => post("x".repeat(512 * 1024 + 1)), 413, "payload_too_large"],
    ["of another method", () => post("", { method: "PUT" }), 405, "method_not_allowed"],
  ])("%s is refused", async (_, send, status, reason) => {
    const response = await send();
    expect([response.status, await response.json()]).toEqual([status, { reason }]);
    expect(await marksOf()).toEqual([]);
  });

  it("about a link needs no reply", async () => {
    expect((await post(bodyOf({ action: "open" }))).status).toBe(200);
    expect(slack.replies).toEqual([]);
  });

  it("is answered nowhere but in Slack", async () => {
    expect((await post(bodyOf({ responseUrl: "http://127.0.0.1:9/x" }))).status).toBe(200);
    await expect.poll(marksOf).toHaveLength(1);
    expect(slack.replies).toEqual([]);
  });

  it("is refused while the secret is missing, and nothing is at the path without the app", async () => {
    const { notifications } = world.web.runtime.config().config;
    const { slack: app } = notifications;
    Object.assign(notifications, { slack: { ...app, signingSecret: `file:${join(folder, "none")}` } });
    expect((await post(bodyOf())).status).toBe(503);
    Object.assign(notifications, { slack: undefined });
    expect((await post(bodyOf())).status).toBe(404);
    Object.assign(notifications, { slack: app });
  });
});
