import { expect, it } from "vitest";
import { stringify } from "yaml";
import { channelFields, writeChannel } from "#components/notifications/write-channel.ts";
import { ChannelSetting } from "#lib/contract/notification-setting.ts";
import { parseConfig } from "#lib/server/platform/config/parse-config.ts";
import { nestItems } from "#test/nest-items.ts";
import { completeConfig } from "../../scripts/doc-examples.ts";

const initial = Object.fromEntries(channelFields.map(({ key, value }) => [key, value])) as Parameters<
  typeof writeChannel
>[0];
it.each([
  { name: "Slack at first", typed: {} },
  { name: "a webhook", typed: { type: "webhook", target: "https://hooks.example.org/x", severity: "critical" } },
  { name: "Teams", typed: { type: "teams" } },
  { name: "deployments", typed: { type: "deployments", clusters: "prod-*" } },
  { name: "CDEvents", typed: { type: "cdevents", clusters: "prod-*" } },
  { name: "PagerDuty", typed: { type: "pagerduty", target: "env:ROUTING_KEY" } },
  { name: "Alertmanager", typed: { type: "alertmanager", target: "http://alertmanager:9093" } },
  { name: "mail to two people", typed: { type: "email", target: "a@example.org, b@example.org", clusters: "prod-*" } },
])("writes a part of the config that is accepted: $name", ({ typed }) => {
  const text = completeConfig(stringify(nestItems(writeChannel({ ...initial, ...typed }))));
  expect(() => parseConfig({ file: "gatehouse.yaml", text })).not.toThrow();
});

it("offers each type that the config has", () => {
  const types = ChannelSetting.options.map(({ shape }) => shape.type.value);
  const offered = channelFields.find(({ key }) => key === "type")?.options?.map((option) => Object(option).value);
  expect(new Set(offered)).toEqual(new Set(types));
});

it("asks for the target and the severity that a type has", () => {
  const labelsOf = (type: string) =>
    channelFields
      .filter(({ isShown }) => isShown?.({ ...initial, type }) !== false)
      .map(({ label }) => (typeof label === "string" ? label : label({ ...initial, type })));
  expect(labelsOf("pagerduty")).toContain("File with the routing key, or env:NAME");
  expect(labelsOf("webhook")).toEqual(expect.arrayContaining(["Address", "Send from severity"]));
  expect(labelsOf("cdevents")).not.toContain("Send from severity");
});

it("writes what was typed", () => {
  const typed = { type: "email", name: "mail", target: "a@example.org, b@example.org", clusters: "prod-*" };
  expect(nestItems(writeChannel({ ...initial, ...typed }))).toMatchObject({
    notifications: {
      channels: [{ name: "mail", to: ["a@example.org", "b@example.org"] }],
      routes: [{ clusters: ["prod-*"], to: ["mail"] }],
    },
  });
});

it("takes the place of a secret as it is written", () => {
  const urlOf = (target: string) => writeChannel({ ...initial, target })[0]?.item.webhookUrl;
  expect(["/run/slack", "file:/run/slack", "env:SLACK_URL"].map(urlOf)).toEqual([
    "file:/run/slack",
    "file:/run/slack",
    "env:SLACK_URL",
  ]);
});
