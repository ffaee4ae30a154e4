import { z } from "zod";
import { get, post } from "#lib/contract/endpoint.ts";
import { InvalidParam } from "#lib/contract/problem.ts";
import { settingOrigin, settingSeen } from "#lib/contract/stored-setting.ts";
import { notifiableKinds } from "#lib/domain/notify/notifiable-event.ts";
import { findingSeverities } from "#lib/domain/oversight/rule.ts";

const place = "Where the secret is: file:PATH or env:NAME.";

/** The config file has no maxima, a request has. */
function channelWith(text: z.ZodString) {
  const secret = text.describe(place).optional();
  const patterns = z.array(text).min(1).max(50).describe("Its own scope: no route leads here.");
  return z.discriminatedUnion("type", [
    z.strictObject({
      ...{ name: text, type: z.literal("slack"), webhookUrl: secret, token: secret },
      channel: text.optional().describe("Which a token posts to."),
      apiUrl: text.optional(),
    }),
    z.strictObject({
      ...{ name: text, type: z.literal("webhook") },
      url: text.describe("An address, or where it is stored."),
      signingSecret: text.describe(place),
      token: secret,
      caFile: text.optional().describe("Only in the config file."),
    }),
    z.strictObject({
      ...{ name: text, type: z.literal("pagerduty"), routingKey: text.describe(place) },
      apiUrl: text.optional().describe("Of the service region."),
    }),
    z.strictObject({
      ...{ name: text, type: z.literal("alertmanager") },
      url: text.describe("The address before /api/v2/alerts, or where it is stored."),
      token: secret,
      caFile: text.optional().describe("Only in the config file."),
    }),
    z.strictObject({ name: text, type: z.literal("teams"), webhookUrl: text.describe(place) }),
    z.strictObject({
      ...{ name: text, type: z.literal("deployments"), provider: z.enum(["github", "gitlab"]) },
      token: text.describe(place),
      apiUrl: text.optional().describe("Of your own server."),
      repositories: z.array(text).min(1).max(50).describe("Patterns of the only repositories that it reports to."),
      repository: text.optional().describe("The annotation that names the repository."),
      commit: text.optional().describe("The annotation that names the commit."),
      environment: text.optional().describe("May have {cluster}, {namespace}, {kind} and {name}."),
      ...{ clusters: patterns.optional(), namespaces: patterns.optional(), rollouts: patterns.optional() },
      caFile: text.optional().describe("Only in the config file."),
    }),
    z.strictObject({
      ...{ name: text, type: z.literal("cdevents") },
      url: text.describe("An address, or where it is stored."),
      signingSecret: text.describe(place),
      token: secret,
      environment: text.optional().describe("May have {cluster}, {namespace}, {kind} and {name}."),
      ...{ clusters: patterns.optional(), namespaces: patterns.optional(), rollouts: patterns.optional() },
      caFile: text.optional().describe("Only in the config file."),
    }),
    z.strictObject({
      ...{ name: text, type: z.literal("email"), host: text },
      port: z.number().int().default(587),
      security: z.enum(["starttls", "tls", "none"]).default("starttls"),
      ...{ from: text, to: z.array(text).min(1).max(50), user: text.optional(), password: secret },
      caFile: text.optional().describe("Only in the config file."),
    }),
  ]);
}

function routeWith(text: z.ZodString, maxItems: number) {
  const patterns = z.array(text).min(1).max(maxItems);
  return z.strictObject({
    name: text,
    ...{ clusters: patterns.default(["*"]), namespaces: patterns.default(["*"]), rollouts: patterns.default(["*"]) },
    events: z
      .array(z.enum(notifiableKinds))
      .min(1)
      .default([...notifiableKinds]),
    minSeverity: z.enum(findingSeverities).default("info"),
    to: patterns.describe("Names of channels."),
    quietHours: z
      .strictObject({ start: text, end: text, timeZone: text.default("UTC") })
      .optional()
      .describe("Times of day, such as 22:00. Critical events are sent anyway."),
  });
}

/** A channel that notifications are sent to: an item of `notifications.channels` in the config. */
export const ChannelSetting = channelWith(z.string());
export type ChannelSetting = z.infer<typeof ChannelSetting>;

/** A route that leads to channels: an item of `notifications.routes` in the config. */
export const RouteSetting = routeWith(z.string(), 10_000).extend({
  team: z.string().optional().describe("Only the rollouts of this team; only in the config file."),
  to: z.array(z.string()).describe("Names of channels. Empty, in the config file: that of the rollout's team."),
});
export type RouteSetting = z.infer<typeof RouteSetting>;

export const NotificationSetting = z.object({
  channels: z.array(ChannelSetting).describe("No secret: only where each one is."),
  routes: z.array(RouteSetting),
  allow: z
    .array(z.string())
    .describe("What channels made in the interface may use: `notifications.allow` of the config file."),
  unusable: z
    .array(InvalidParam)
    .describe("Stored channels, by name, that are not in force because the config file does not allow what they use."),
  ...settingOrigin,
});
export type NotificationSetting = z.infer<typeof NotificationSetting>;

const sentText = z.string().max(2000);

export const NotificationSettingChange = z.strictObject({
  channels: z.array(channelWith(sentText)).max(50).describe("All of them: they replace the present ones."),
  routes: z.array(routeWith(sentText, 50)).max(50).describe("All of them: they replace the present ones."),
  ...settingSeen,
});
export type NotificationSettingChange = z.infer<typeof NotificationSettingChange>;

/** The part of the endpoint table about the channels and routes of notifications. */
export const notificationSettingEndpoints = {
  getNotificationSetting: get("/api/v1/admin/notifications", "The channels and routes of notifications", {
    role: "admin",
    query: z.strictObject({}),
    response: NotificationSetting,
  }),
  setNotificationSetting: post(
    "/api/v1/admin/notifications",
    "Replaces the channels and routes of notifications, unless the config file sets them",
    { role: "admin", body: NotificationSettingChange, response: NotificationSetting },
  ),
} as const;
