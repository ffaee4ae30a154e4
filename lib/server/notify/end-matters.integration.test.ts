import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { type NotificationReceiver, startNotificationReceiver } from "#test/notification-receiver.ts";
import { createNotifyWorld } from "#test/notify-world.ts";
import { listFaults } from "#test/published/validate-published.ts";

let receiver: NotificationReceiver;
let world: Awaited<ReturnType<typeof createNotifyWorld>>;

beforeAll(async () => {
  receiver = await startNotificationReceiver();
  world = await createNotifyWorld((fileOf) => ({
    channels: [
      { name: "slack", type: "slack", webhookUrl: fileOf("slack", receiver.url.replace("/hook", "/slack")) },
      { name: "teams", type: "teams", webhookUrl: fileOf("teams", receiver.url.replace("/hook", "/teams")) },
      { name: "begins", type: "slack", webhookUrl: fileOf("begins", receiver.url.replace("/hook", "/begins")) },
    ],
    routes: [
      { name: "all", to: ["slack", "teams"], namespaces: ["shop"] },
      { name: "waits", to: ["begins"], events: ["waiting"] },
      { name: "critical", to: ["slack"], minSeverity: "critical" },
    ],
  }));
});
beforeEach(() => {
  receiver.received.length = 0;
});
afterEach(() =>
  world.query("UPDATE rollout SET attention_reason = NULL, attention_since = NULL, attention_severity = NULL"),
);
afterAll(async () => {
  await world.close();
  await receiver.close();
});

async function settle(): Promise<void> {
  await world.pass();
  world.advance(16);
  await world.pass();
}
const bodies = () => receiver.received.map(({ body }) => body);

it("tells every channel that was told of a wait that it is over, if its route leads there", async () => {
  await world.beginWaits(["web"]);
  await settle();
  expect(bodies()).toHaveLength(3);
  receiver.received.length = 0;
  world.advance(720);
  await world.endWaits(["web"]);
  await settle();
  const [slack, teams] = bodies().toSorted((one, other) => one.indexOf("attachments") - other.indexOf("attachments"));
  expect(bodies()).toHaveLength(2);
  for (const body of [slack, teams]) {
    expect(body).toContain("shop/web: Over: Waits for a person");
    expect(body).toMatch(/shop\/web no longer waits, after 12 min \d+ s/);
    expect(body).toContain("✅ Over");
  }
  expect(listFaults("teams", JSON.parse(teams ?? ""))).toEqual([]);
  expect(await world.query("SELECT FROM notification_matter")).toEqual([]);
});

it("tells once, also of a wait that another one follows at once", async () => {
  await world.beginWaits(["next"]);
  await settle();
  receiver.received.length = 0;
  await world.query("UPDATE rollout SET attention_reason = 'inconclusive' WHERE name = 'next'");
  await settle();
  await settle();
  expect(bodies()).toHaveLength(2);
});

it("says nothing while the cluster is unknown or the wait goes on", async () => {
  await world.beginWaits(["waits"]);
  await settle();
  receiver.received.length = 0;
  await world.query("UPDATE rollout SET message = 'other words', updated_at = now() WHERE name = 'waits'");
  await settle();
  expect(bodies()).toEqual([]);
});
