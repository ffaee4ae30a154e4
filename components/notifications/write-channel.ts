import { channelTypes } from "#components/notifications/classify-notification.ts";
import type { ConfigItem, SnippetField } from "#components/ui/config-snippet.tsx";
import { splitNames } from "#components/ui/split-names.ts";

type Key = "type" | "name" | "target" | "clusters" | "severity";

export const channelFields: readonly SnippetField<Key>[] = [
  { key: "type", label: "Type", value: "slack", options: channelTypes },
  { key: "name", label: "Name", value: "releases" },
  { key: "target", label: ({ type }) => targetLabels[type] ?? "Address", value: "" },
  { key: "clusters", label: "Clusters, such as prod-*", value: "" },
  {
    key: "severity",
    label: "Send from severity",
    value: "any",
    options: ["any", "info", "warning", "critical"],
    isShown: ({ type }) => !hasOwnScope(type),
  },
];

const targetLabels: Readonly<Record<string, string>> = {
  slack: "File with the URL of the incoming webhook, or env:NAME",
  teams: "File with the URL of the workflow, or env:NAME",
  pagerduty: "File with the routing key, or env:NAME",
  deployments: "File with the token, or env:NAME",
  email: "Recipients, separated by commas",
};

/** No route leads to these. */
function hasOwnScope(type: string): boolean {
  return type === "deployments" || type === "cdevents";
}

/** Describes a channel and the route that leads to it, for the config. */
export function writeChannel({
  type,
  name,
  target,
  clusters,
  severity,
}: Readonly<Record<Key, string>>): readonly ConfigItem[] {
  const id = name.trim() || "releases";
  const patterns = splitNames(clusters);
  const route = {
    name: id,
    ...(patterns.length > 0 && { clusters: patterns }),
    ...(severity !== "any" && { minSeverity: severity }),
    to: [id],
  };
  const channel = writeTarget(type, id, target.trim());
  if (hasOwnScope(type))
    return [
      { list: "notifications.channels", item: { ...channel, ...(patterns.length > 0 && { clusters: patterns }) } },
    ];
  return [
    { list: "notifications.channels", item: channel },
    { list: "notifications.routes", item: route },
  ];
}

function writeTarget(type: string, name: string, target: string): Record<string, unknown> {
  switch (type) {
    case "webhook":
    case "cdevents":
      return {
        ...{ name, type, url: target || "https://events.example.com/gatehouse" },
        signingSecret: "file:/etc/gatehouse/webhook-secret",
      };
    case "email":
      return {
        ...{ name, type, host: "smtp.example.com", from: "gatehouse@example.com" },
        to: target === "" ? ["releases@example.com"] : splitNames(target),
      };
    case "pagerduty":
      return { name, type, routingKey: writeSecret(target || "/etc/gatehouse/pagerduty-key") };
    case "alertmanager":
      return { name, type, url: target || "https://alertmanager.example.com" };
    case "teams":
      return { name, type, webhookUrl: writeSecret(target || "/etc/gatehouse/teams-webhook") };
    case "deployments":
      return {
        ...{ name, type, provider: "github", token: writeSecret(target || "/etc/gatehouse/github-token") },
        repositories: ["shop/*"],
      };
    default:
      return { name, type: "slack", webhookUrl: writeSecret(target || "/etc/gatehouse/slack-webhook") };
  }
}

/** The place of a secret: a file, unless it names another. */
function writeSecret(place: string): string {
  return /^(?:file|env):/.test(place) ? place : `file:${place}`;
}
