import { splitNames } from "#components/ui/split-names.ts";
import type { ChannelSetting } from "#lib/contract/notification-setting.ts";
import { notifiableKinds } from "#lib/domain/notify/notifiable-event.ts";

export const channelForms = [
  { value: "slack", label: "Slack (incoming webhook)" },
  { value: "bot", label: "Slack (bot)" },
  { value: "teams", label: "Microsoft Teams" },
  { value: "pagerduty", label: "PagerDuty" },
  { value: "alertmanager", label: "Alertmanager" },
  { value: "webhook", label: "Webhook" },
  { value: "email", label: "E-mail" },
  { value: "deployments", label: "Deployments (GitHub, GitLab)" },
  { value: "cdevents", label: "CDEvents" },
] as const;
export type ChannelForm = (typeof channelForms)[number]["value"];

export type Field = {
  key: string;
  label: string;
  hint?: string;
  /** place: one of the places of secrets that the config file allows. */
  kind?: "place";
  /** An address that begins with it; the config file lists those that are allowed. */
  scheme?: "http" | "smtp";
  options?: readonly string[];
  isOptional?: true;
  /** At first. */
  value?: string;
};

const pagerDutyApi = "https://events.pagerduty.com";

const scope: readonly Field[] = [
  { key: "clusters", label: "Clusters", value: "*", hint: "Patterns, separated by commas." },
  { key: "namespaces", label: "Namespaces", value: "*" },
  { key: "rollouts", label: "Rollouts", value: "*" },
];

const webhook: readonly Field[] = [
  { key: "url", label: "Address", scheme: "http" },
  { key: "signingSecret", label: "Signing secret", kind: "place" },
  { key: "token", label: "Bearer token", kind: "place", isOptional: true },
];

const fieldsOf: Readonly<Record<ChannelForm, readonly Field[]>> = {
  slack: [{ key: "webhookUrl", label: "Webhook URL", kind: "place" }],
  bot: [
    { key: "token", label: "Bot token", kind: "place" },
    { key: "channel", label: "Slack channel", hint: "Its id, such as C0123ABCD." },
  ],
  teams: [{ key: "webhookUrl", label: "Webhook URL of the workflow", kind: "place" }],
  pagerduty: [
    { key: "routingKey", label: "Routing key", kind: "place" },
    { key: "apiUrl", label: "API address", value: pagerDutyApi, hint: "In the EU: https://events.eu.pagerduty.com." },
  ],
  alertmanager: [
    { key: "url", label: "Address", scheme: "http" },
    { key: "token", label: "Bearer token", kind: "place", isOptional: true },
  ],
  webhook,
  email: [
    { key: "host", label: "SMTP server", scheme: "smtp" },
    { key: "port", label: "Port", value: "587" },
    { key: "security", label: "Encryption", options: ["starttls", "tls", "none"], value: "starttls" },
    { key: "from", label: "From" },
    { key: "to", label: "To", hint: "Addresses, separated by commas." },
    { key: "user", label: "User", isOptional: true },
    { key: "password", label: "Password", kind: "place", isOptional: true },
  ],
  deployments: [
    { key: "provider", label: "Code host", options: ["github", "gitlab"], value: "github" },
    { key: "token", label: "Token", kind: "place" },
    { key: "apiUrl", label: "Address of your own server", scheme: "http", isOptional: true },
    { key: "repositories", label: "Repositories", hint: "The only ones that it reports to, such as shop/web, shop/*." },
    { key: "repository", label: "Annotation of the repository", value: "gatehouse.dev/repository" },
    { key: "commit", label: "Annotation of the commit", value: "gatehouse.dev/commit" },
    { key: "environment", label: "Environment", value: "{cluster}/{namespace}/{name}" },
    ...scope,
  ],
  cdevents: [...webhook, { key: "environment", label: "Environment", value: "{cluster}/{namespace}" }, ...scope],
};

export function listFields(form: ChannelForm): readonly Field[] {
  return [{ key: "name", label: "Name", hint: "Lower-case letters, digits and dashes." }, ...fieldsOf[form]];
}

export function formOf(channel: ChannelSetting): ChannelForm {
  return channel.type === "slack" && channel.token !== undefined ? "bot" : channel.type;
}

/** Returns the fields of a channel as they are typed. */
export function valuesOf(channel: ChannelSetting): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(channel).map(([key, value]) => [key, Array.isArray(value) ? value.join(", ") : String(value)]),
  );
}

/** Reads the typed fields of a form; those of other forms are ignored. */
export function readChannel(form: ChannelForm, typed: Readonly<Record<string, string>>): ChannelSetting {
  const values = new Map(listFields(form).map(({ key, value = "" }) => [key, (typed[key] ?? value).trim()]));
  const text = (key: string): string => values.get(key) ?? "";
  const [name, token, user, password] = [text("name"), text("token"), text("user"), text("password")];
  switch (form) {
    case "slack":
      return { name, type: "slack", webhookUrl: text("webhookUrl") };
    case "bot":
      return {
        ...{ name, type: "slack", token, channel: text("channel") },
        ...(typed.apiUrl === undefined ? {} : { apiUrl: typed.apiUrl }),
      };
    case "teams":
      return { name, type: "teams", webhookUrl: text("webhookUrl") };
    case "pagerduty":
      return { name, type: "pagerduty", routingKey: text("routingKey"), apiUrl: text("apiUrl") };
    case "alertmanager":
      return { name, type: "alertmanager", url: text("url"), ...(token === "" ? {} : { token }) };
    case "webhook":
      return {
        ...{ name, type: "webhook", url: text("url"), signingSecret: text("signingSecret") },
        ...(token === "" ? {} : { token }),
      };
    case "email":
      return {
        ...{ name, type: "email", host: text("host"), port: Number(text("port")) },
        security: text("security") === "tls" ? "tls" : text("security") === "none" ? "none" : "starttls",
        ...{ from: text("from"), to: splitNames(text("to")) },
        ...(user === "" ? {} : { user }),
        ...(password === "" ? {} : { password }),
      };
    case "cdevents":
      return {
        ...{ name, type: "cdevents", url: text("url"), signingSecret: text("signingSecret") },
        ...(token === "" ? {} : { token }),
        ...{ environment: text("environment"), clusters: splitNames(text("clusters")) },
        ...{ namespaces: splitNames(text("namespaces")), rollouts: splitNames(text("rollouts")) },
      };
    case "deployments":
      return {
        ...{ name, type: "deployments", token, provider: text("provider") === "gitlab" ? "gitlab" : "github" },
        ...(text("apiUrl") === "" ? {} : { apiUrl: text("apiUrl") }),
        repositories: splitNames(text("repositories")),
        ...{ repository: text("repository"), commit: text("commit"), environment: text("environment") },
        ...{ clusters: splitNames(text("clusters")), namespaces: splitNames(text("namespaces")) },
        rollouts: splitNames(text("rollouts")),
      };
  }
}

/** The values of channels and routes that the config need not say. */
const defaults: Readonly<Record<string, unknown>> = {
  port: 587,
  security: "starttls",
  clusters: ["*"],
  namespaces: ["*"],
  rollouts: ["*"],
  events: notifiableKinds,
  minSeverity: "info",
  to: [],
  repository: "gatehouse.dev/repository",
  commit: "gatehouse.dev/commit",
};

const environments: Readonly<Record<string, string>> = {
  deployments: "{cluster}/{namespace}/{name}",
  cdevents: "{cluster}/{namespace}",
};

const apiUrls: Readonly<Record<string, string>> = {
  slack: "https://slack.com/api",
  pagerduty: pagerDutyApi,
  github: "https://api.github.com",
  gitlab: "https://gitlab.com",
};

/** Leaves out what the config fills in by itself. */
export function withoutDefaults(item: object): Readonly<Record<string, unknown>> {
  const { type = "", provider = type } = item as { type?: string; provider?: string };
  const given = new Map(Object.entries({ ...defaults, environment: environments[type], apiUrl: apiUrls[provider] }));
  return Object.fromEntries(
    Object.entries(item).filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(given.get(key))),
  );
}
