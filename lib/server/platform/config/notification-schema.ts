import { isIPv6 } from "node:net";
import { z } from "zod";
import { notifiableKinds } from "#lib/domain/notify/notifiable-event.ts";
import { findingSeverities } from "#lib/domain/oversight/rule.ts";
import { isTimeZone } from "#lib/domain/policy/freeze.ts";
import { redactText } from "#lib/domain/storable/redact-text.ts";
import { scopeFields } from "./policy-schema.ts";
import { isSecretPlace, SecretPlace } from "./secret-place.ts";
import { caFile, httpUrl, webhookFields } from "./webhook-schema.ts";

/** The name of a channel, a route or a stream. */
export const name = z
  .string()
  .regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/, "use lower-case letters, digits and dashes, at most 63");
const severity = z.enum(findingSeverities);

const slackApi = "https://slack.com/api";
const pagerDutyApi = "https://events.pagerduty.com";

// Secrets are read at each message, so that they can be changed without a restart.
const SlackChannel = z
  .strictObject({
    name,
    type: z.literal("slack"),
    /** An incoming webhook: whoever knows its URL can post. */
    webhookUrl: SecretPlace.optional(),
    /** A bot's token, with the channel that it posts to. */
    token: SecretPlace.optional(),
    channel: z.string().min(1).optional(),
    /** Where chat.postMessage is. */
    apiUrl: httpUrl.default(slackApi),
  })
  .refine(({ webhookUrl, token }) => (webhookUrl === undefined) !== (token === undefined), {
    message: "say exactly one of webhookUrl, token",
  })
  .refine(({ token, channel }) => token === undefined || channel !== undefined, {
    path: ["channel"],
    message: "a token posts to a channel: name it, such as C0123ABCD",
  })
  .refine(({ token, channel }) => token !== undefined || channel === undefined, {
    path: ["channel"],
    message: "a webhook posts to the channel that it was made for: leave this out",
  });

const WebhookChannel = z.strictObject({ name, type: z.literal("webhook"), ...webhookFields });

const address = z.string().regex(/^[^\s<>,;@]+@[^\s<>,;]+$/, "say an address such as releases@example.org");
const EmailChannel = z
  .strictObject({
    name,
    type: z.literal("email"),
    host: z.string().min(1),
    port: z.number().int().min(1).max(65_535).default(587),
    /** `starttls` refuses a server without it. */
    security: z.enum(["starttls", "tls", "none"]).default("starttls"),
    from: address,
    to: z.array(address).min(1).max(50),
    user: z.string().min(1).optional(),
    password: SecretPlace.optional(),
    caFile,
  })
  .refine(({ user, password }) => (user === undefined) === (password === undefined), {
    path: ["user"],
    message: "user and password belong together: say both, or neither",
  });

const PagerDutyChannel = z.strictObject({
  name,
  type: z.literal("pagerduty"),
  /** The integration key of an Events API v2 integration. */
  routingKey: SecretPlace,
  /** Of the service region: https://events.eu.pagerduty.com in the EU. */
  apiUrl: httpUrl.default(pagerDutyApi),
});

const AlertmanagerChannel = z.strictObject({
  name,
  type: z.literal("alertmanager"),
  /** The address before /api/v2/alerts, or where it is stored if it is secret. */
  url: webhookFields.url,
  /** Sent as a bearer token. */
  token: SecretPlace.optional(),
  caFile,
});

const TeamsChannel = z.strictObject({
  name,
  type: z.literal("teams"),
  /** The address of a workflow that takes webhooks: whoever knows it can post. */
  webhookUrl: SecretPlace,
});

const codeHosts = { github: "https://api.github.com", gitlab: "https://gitlab.com" } as const;

const annotation = z.string().regex(/^[\w./-]{1,317}$/, "is not the name of an annotation, such as example.com/commit");

const repositoryPattern = z
  .string()
  .regex(/^[\w.*?/-]{1,300}$/, "is not a repository or a pattern of repositories, such as shop/web or shop/*");

function environment(template: string) {
  return z
    .string()
    .max(200, "use at most 200 characters")
    .regex(
      /^(?:[\w $./-]|\{(?:cluster|namespace|kind|name)\})+$/,
      "use letters, digits, spaces, - _ / . and the placeholders {cluster}, {namespace}, {kind}, {name}",
    )
    .default(template);
}

/** The deployments of a code host: one for each release, with its state. No route leads here. */
const DeploymentsChannel = z
  .strictObject({
    name,
    type: z.literal("deployments"),
    provider: z.enum(["github", "gitlab"]),
    token: SecretPlace,
    /** Of your own server: https://HOST/api/v3 for GitHub Enterprise, https://HOST for GitLab. */
    apiUrl: httpUrl.optional(),
    /** The only ones that it reports to: whoever may annotate a rollout names any. */
    repositories: z
      .array(repositoryPattern, {
        error: "list the repositories that the token may be used for, such as [shop/web] or [shop/*]",
      })
      .min(1, "name at least one repository, such as shop/web or shop/*"),
    /** The annotations that name them, in the pod template or on the rollout. */
    repository: annotation.default("gatehouse.dev/repository"),
    commit: annotation.default("gatehouse.dev/commit"),
    environment: environment("{cluster}/{namespace}/{name}"),
    ...scopeFields,
    caFile,
  })
  .transform(({ apiUrl, ...channel }) => ({ ...channel, apiUrl: apiUrl ?? codeHosts[channel.provider] }));

/** A signed CDEvent for the end of each release. No route leads here. */
const CdEventsChannel = z.strictObject({
  name,
  type: z.literal("cdevents"),
  ...webhookFields,
  environment: environment("{cluster}/{namespace}"),
  ...scopeFields,
});

/** Where messages go. */
export const ChannelConfig = z.discriminatedUnion("type", [
  SlackChannel,
  WebhookChannel,
  EmailChannel,
  PagerDutyChannel,
  AlertmanagerChannel,
  TeamsChannel,
  DeploymentsChannel,
  CdEventsChannel,
]);
export type ChannelConfig = z.infer<typeof ChannelConfig>;
export type SlackChannelConfig = Extract<ChannelConfig, { type: "slack" }>;
export type WebhookChannelConfig = Extract<ChannelConfig, { type: "webhook" }>;
export type EmailChannelConfig = Extract<ChannelConfig, { type: "email" }>;
export type PagerDutyChannelConfig = Extract<ChannelConfig, { type: "pagerduty" }>;
export type AlertmanagerChannelConfig = Extract<ChannelConfig, { type: "alertmanager" }>;
export type TeamsChannelConfig = Extract<ChannelConfig, { type: "teams" }>;
export type DeploymentsChannelConfig = Extract<ChannelConfig, { type: "deployments" }>;

export type CdEventsChannelConfig = Extract<ChannelConfig, { type: "cdevents" }>;

/** Channels that get the releases of their own scope, and no events by routes. */
export function isOfReleases<Channel extends { type: ChannelConfig["type"] }>(
  channel: Channel,
): channel is Extract<Channel, { type: "deployments" | "cdevents" }> {
  return channel.type === "deployments" || channel.type === "cdevents";
}

/** Channels whose messages are about something until it is over, instead of events. */
const trackingTypes: readonly ChannelConfig["type"][] = ["pagerduty", "alertmanager"];

export function isTracking(type: ChannelConfig["type"]): boolean {
  return trackingTypes.includes(type);
}

const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, "say a time of day such as 22:00, in quotes");

const QuietHoursConfig = z
  .strictObject({
    start: timeOfDay,
    end: timeOfDay,
    timeZone: z
      .string()
      .refine(isTimeZone, { error: ({ input }) => `"${input}" is not a time zone such as Europe/Berlin` })
      .default("UTC"),
  })
  .refine(({ start, end }) => start !== end, { path: ["end"], message: "start and end are the same time" });

export const RouteConfig = z.strictObject({
  name,
  ...scopeFields,
  /** Only events of the rollouts of this team. */
  team: z.string().min(1).optional(),
  events: z
    .array(z.enum(notifiableKinds))
    .min(1, "name at least one event, or leave it out for all")
    .default([...notifiableKinds]),
  minSeverity: severity.default("info"),
  /** Without it, an event goes to the channel of the team that owns its rollout. */
  to: z.array(z.string().min(1)).min(1, "name at least one channel").optional(),
  quietHours: QuietHoursConfig.optional(),
});

const defaultPorts: Readonly<Record<string, string>> = { "http:": "80", "https:": "443", "smtp:": "587" };

/** Returns scheme, host and port of an address; undefined if it is none, or if it has a user part. */
function originOf(address: string): string | undefined {
  const url = URL.parse(address);
  if (url === null || url.hostname === "" || url.username !== "" || url.password !== "") return undefined;
  const port = url.port === "" ? defaultPorts[url.protocol] : url.port;
  return port === undefined ? undefined : `${url.protocol}//${url.hostname.toLowerCase()}:${port}`;
}

const AllowedTarget = z
  .string()
  .refine(
    (text) => isSecretPlace(text) || (/^(?:https?|smtp):\/\/[^\s/?#@]+$/.test(text) && originOf(text) !== undefined),
    "say the place of a secret, as file:PATH or env:NAME, or an address without a path, such as https://events.example.com or smtp://smtp.example.com:587",
  );

/**
 * Returns the keys of a channel made in the interface that lead to a file, a variable or an address that the config
 * does not allow, with the reason in words. No file of certificates is allowed.
 */
export function findDisallowed(channel: ChannelConfig, allow: readonly string[]): { key: string; message: string }[] {
  return listDisallowedTargets(channel, allow).map(({ key, target }) => ({
    key,
    message: `the config file does not list ${redactText(target)} in notifications.allow`,
  }));
}

function listDisallowedTargets(channel: ChannelConfig, allow: readonly string[]): { key: string; target: string }[] {
  const origins = new Set(allow.flatMap((text) => (isSecretPlace(text) ? [] : (originOf(text) ?? []))));
  return listTargets(channel).flatMap(([key, target]) => {
    if (target !== undefined && key === "caFile") return [{ key, target }];
    if (target === undefined || (isSecretPlace(target) && allow.includes(target))) return [];
    const origin = isSecretPlace(target) ? undefined : originOf(target);
    return origin !== undefined && origins.has(origin) ? [] : [{ key, target }];
  });
}

function listTargets(channel: ChannelConfig): [key: string, target: string | undefined][] {
  switch (channel.type) {
    case "slack": {
      const { webhookUrl, token, apiUrl } = channel;
      return [
        ["webhookUrl", webhookUrl],
        ["token", token],
        ["apiUrl", apiUrl === slackApi ? undefined : apiUrl],
      ];
    }
    case "cdevents":
    case "webhook": {
      const { url, signingSecret, token, caFile } = channel;
      return Object.entries({ url, signingSecret, token, caFile });
    }
    case "pagerduty": {
      const { routingKey, apiUrl } = channel;
      return [
        ["routingKey", routingKey],
        ["apiUrl", apiUrl === pagerDutyApi ? undefined : apiUrl],
      ];
    }
    case "alertmanager": {
      const { url, token, caFile } = channel;
      return Object.entries({ url, token, caFile });
    }
    case "teams":
      return [["webhookUrl", channel.webhookUrl]];
    case "deployments": {
      const { token, provider, apiUrl, caFile } = channel;
      return Object.entries({ token, apiUrl: apiUrl === codeHosts[provider] ? undefined : apiUrl, caFile });
    }
    case "email": {
      const { host, port, password, caFile } = channel;
      const named = isIPv6(host) ? `[${host}]` : host;
      const address = isIPv6(host) || /^[\w.-]+$/.test(host) ? `smtp://${named}:${port}` : `smtp:${host}`;
      return Object.entries({ host: address, password, caFile });
    }
  }
}

/** The events that begin something that can be over. */
const beginnings: readonly string[] = [
  "waiting",
  "inconclusive",
  "promotion-failing",
  "finding-opened",
  "finding-worsened",
];

/** The Slack app whose clicks are answered. Its channels get the buttons. */
const SlackAppConfig = z.strictObject({
  /** Slack signs each click with it. */
  signingSecret: SecretPlace,
  /** The only workspace whose people may click: others may share a channel. */
  team: z.string().regex(/^[TE][A-Z0-9]{2,30}$/, "say the id of the workspace, such as T0123ABCD"),
  /** Slack's id of a person, and the subject that they sign in with here. */
  users: z
    .record(z.string(), z.string().min(1, "say the subject that the person signs in with"))
    .superRefine((users, context) => {
      const message = "say Slack's id of a person, such as U0123ABCD";
      for (const user of Object.keys(users))
        if (!/^[UW][A-Z0-9]{2,30}$/.test(user)) context.addIssue({ code: "custom", path: [user], message });
    })
    .default({}),
  /** A bot's token with users:read.email: others are found by their e-mail address. */
  token: SecretPlace.optional(),
  apiUrl: httpUrl.default(slackApi),
});
export type SlackAppConfig = z.infer<typeof SlackAppConfig>;

/** The events that people are notified of, and the channels. */
export const NotificationConfig = z
  .strictObject({
    /** What channels made in the interface may use: the places of secrets, and addresses. */
    allow: z.array(AllowedTarget).default([]),
    /** Without it, messages in Slack have links only. */
    slack: SlackAppConfig.optional(),
    channels: z.array(ChannelConfig).default([]),
    routes: z.array(RouteConfig).default([]),
  })
  .superRefine(({ channels, routes }, context) => {
    const refuse = (path: (string | number)[], message: string) => context.addIssue({ code: "custom", path, message });
    const names = channels.map((channel) => channel.name);
    for (const [list, all] of [
      ["channels", names],
      ["routes", routes.map((route) => route.name)],
    ] as const)
      all.forEach((each, index) => {
        if (all.indexOf(each) !== index) refuse([list, index, "name"], `"${each}" is named twice`);
      });
    routes.forEach(({ to = [], events }, index) => {
      const tellsNone = events.every((kind) => !beginnings.includes(kind));
      for (const [at, name] of to.entries()) {
        const channel = channels.find((each) => each.name === name);
        if (channel === undefined) refuse(["routes", index, "to", at], `no channel is named "${name}"`);
        else if (isOfReleases(channel))
          refuse(["routes", index, "to", at], `"${name}" gets the releases of its own scope: remove it from the route`);
        else if (tellsNone && isTracking(channel.type))
          refuse(
            ["routes", index, "events"],
            `none of these opens anything in "${name}": name one of ${beginnings.join(", ")}`,
          );
      }
    });
  });
export type NotificationConfig = z.infer<typeof NotificationConfig>;
