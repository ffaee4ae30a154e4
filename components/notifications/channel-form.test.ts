import { expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { formOf, listFields, readChannel, valuesOf, withoutDefaults } from "#components/notifications/channel-form.ts";
import { type ChannelSetting, NotificationSettingChange } from "#lib/contract/notification-setting.ts";
import { NotificationConfig } from "#lib/server/platform/config/notification-schema.ts";

const channels: ChannelSetting[] = [
  { name: "team", type: "slack", webhookUrl: "file:hook" },
  { name: "bot", type: "slack", token: "env:BOT", channel: "C0123ABCD", apiUrl: "https://slack.com/api" },
  { name: "pager", type: "webhook", url: "https://a.example/x", signingSecret: "env:KEY", token: "file:token" },
  { name: "chat", type: "teams", webhookUrl: "env:TEAMS" },
  { name: "duty", type: "pagerduty", routingKey: "env:ROUTING", apiUrl: "https://events.pagerduty.com" },
  { name: "europe", type: "pagerduty", routingKey: "env:ROUTING", apiUrl: "https://events.eu.pagerduty.com" },
  { name: "alerts", type: "alertmanager", url: "https://am.example", token: "env:TOKEN" },
  {
    ...{ name: "code", type: "deployments", provider: "gitlab", token: "env:CODE", apiUrl: "https://gitlab.example" },
    ...{ repository: "gatehouse.dev/repository", commit: "example.com/commit", environment: "{cluster}" },
    repositories: ["shop/web", "tools/*"],
    ...{ clusters: ["prod-*", "eu"], namespaces: ["*"], rollouts: ["*"] },
  },
  {
    ...{ name: "pipeline", type: "cdevents", url: "https://a.example/cd", signingSecret: "env:KEY" },
    ...{ environment: "{cluster}", clusters: ["*"], namespaces: ["shop", "pay-*"], rollouts: ["*"] },
  },
  { name: "bus", type: "webhook", url: "file:url", signingSecret: "env:KEY" },
  {
    ...{ name: "mail", type: "email", host: "smtp.example", port: 465, security: "tls", from: "a@b.c" },
    ...{ to: ["d@e.f", "g@h.i"], user: "gatehouse", password: "env:PASS" },
  },
];

it.each(channels)("reads $name as it was typed", (channel) => {
  expect(readChannel(formOf(channel), valuesOf(channel))).toEqual(channel);
});

it("ignores what was typed in the form of another type", () => {
  const typed = { name: " x ", token: "env:BOT", webhookUrl: "file:hook", to: "a@b.c" };
  expect(readChannel("slack", typed)).toEqual({ name: "x", type: "slack", webhookUrl: "file:hook" });
  expect(listFields("slack").map(({ key }) => key)).toEqual(["name", "webhookUrl"]);
});

it("writes YAML without defaults, which the config reads as the same", () => {
  const routes = [
    { name: "all", to: ["team"] },
    { name: "bad", minSeverity: "critical", clusters: ["prod-*"], to: ["mail"] },
  ];
  const change = NotificationSettingChange.parse({ channels, routes, changedAt: null });
  const lists = { channels: change.channels.map(withoutDefaults), routes: change.routes.map(withoutDefaults) };
  expect(lists.routes).toEqual(routes);
  expect(lists.channels.filter((channel) => "apiUrl" in channel)).toEqual([
    expect.objectContaining({ name: "europe" }),
    {
      ...{ name: "code", type: "deployments", provider: "gitlab", token: "env:CODE", apiUrl: "https://gitlab.example" },
      repositories: ["shop/web", "tools/*"],
      ...{ commit: "example.com/commit", environment: "{cluster}", clusters: ["prod-*", "eu"] },
    },
  ]);
  expect(NotificationConfig.parse(parse(stringify(lists)))).toEqual(
    NotificationConfig.parse({ channels: change.channels, routes: change.routes }),
  );
});
