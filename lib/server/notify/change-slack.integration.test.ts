import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { createNotifyWorld } from "#test/notify-world.ts";
import { type SlackDouble, startSlack } from "#test/slack-double.ts";

let slack: SlackDouble;
let world: Awaited<ReturnType<typeof createNotifyWorld>>;

beforeAll(async () => {
  world = await createNotifyWorld((fileOf) => ({
    channels: [
      { name: "bot", type: "slack", token: fileOf("token", "xoxb-1"), channel: "C1", apiUrl: "http://127.0.0.1:1" },
    ],
    routes: [{ name: "all", to: ["bot"] }],
  }));
});
beforeEach(async () => {
  slack = await startSlack();
  Object.assign(world.config.channels[0] ?? {}, { apiUrl: slack.apiUrl });
  for (const table of ["notification", "notification_pending", "notification_matter", "wait_mark"])
    await world.query(`DELETE FROM ${table}`);
});
afterEach(async () => {
  await slack.close();
  await world.query("UPDATE rollout SET attention_reason = NULL, attention_since = NULL, attention_severity = NULL");
});
afterAll(() => world.close());

const logOf = () => world.query("SELECT shape, state, last_error FROM notification ORDER BY created_at, incident_step");

/** Lets the window of an event pass, with the passes of a recorder. */
async function settle(): Promise<void> {
  await world.pass();
  world.advance(16);
  await world.pass();
}

it("changes its message once the wait is over, and posts no other", async () => {
  await world.beginWaits(["one"]);
  await settle();
  expect(slack.messages).toMatchObject([{ channel: "C1", text: "shop/one: Waits for a person" }]);
  expect(JSON.stringify(slack.messages)).toContain("Open the decision");
  world.advance(284);
  await world.endWaits(["one"]);
  await settle();
  expect(slack.messages).toHaveLength(1);
  const [{ text, blocks } = { text: "", blocks: [] }] = slack.messages;
  expect(text).toBe("shop/one: Over: Waits for a person");
  expect(JSON.stringify(blocks)).toContain("no longer waits, after 5 min.");
  expect(JSON.stringify(blocks)).not.toContain("Open the decision");
  expect(await logOf()).toEqual([
    { shape: "single", state: "sent", last_error: null },
    { shape: "resolve", state: "sent", last_error: null },
  ]);
  expect(await world.query("SELECT FROM notification_matter")).toEqual([]);
});

it("marks in a digest what is over, one wait after the other", async () => {
  const names = ["a", "b"];
  await world.beginWaits(names);
  const pace = { windowMs: 15_000, perMinute: 1 };
  await world.pass({ pace });
  world.advance(16);
  await world.pass({ pace });
  const shown = () => JSON.stringify(slack.messages[0]?.blocks);
  for (const name of names) {
    await world.endWaits([name]);
    await world.pass({ pace });
    expect(shown()).toContain(`shop/${name} no longer waits`);
  }
  expect(shown()).toContain("shop/a no longer waits");
  expect(slack.messages).toHaveLength(1);
});

it("sends the change after its message, which Slack did not take before", async () => {
  slack.refuse("fatal_error");
  await world.beginWaits(["late"]);
  await settle();
  await world.endWaits(["late"]);
  await world.pass();
  slack.refuse(undefined);
  world.advance(60);
  await world.pass();
  expect(slack.messages).toMatchObject([{ text: "shop/late: Over: Waits for a person" }]);
});

it("tells of a wait together with its end, if it was over before it was told", async () => {
  await world.beginWaits(["short"]);
  await world.pass();
  await world.endWaits(["short"]);
  await settle();
  expect(slack.messages).toHaveLength(1);
  expect(JSON.stringify(slack.messages[0]?.blocks)).toContain("✅ Over");
});

it("takes a message that was deleted in Slack for changed, and says so", async () => {
  await world.beginWaits(["gone"]);
  await settle();
  slack.messages.splice(0);
  await world.endWaits(["gone"]);
  await world.pass();
  expect(await logOf()).toMatchObject([
    { state: "sent" },
    { state: "sent", last_error: "the message stays as it is: message_not_found" },
  ]);
});
