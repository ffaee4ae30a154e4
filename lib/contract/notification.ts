import { z } from "zod";
import { ListQuery, listOf, Timestamp } from "#lib/contract/common.ts";
import { get, post } from "#lib/contract/endpoint.ts";
import { notifiableKinds } from "#lib/domain/notify/notifiable-event.ts";
import { findingSeverities } from "#lib/domain/oversight/rule.ts";

const Severity = z.enum(findingSeverities);
const ChannelType = z.enum([
  "slack",
  "webhook",
  "email",
  "pagerduty",
  "alertmanager",
  "teams",
  "deployments",
  "cdevents",
]);

export const NotificationState = z
  .enum(["queued", "sending", "sent", "failed", "suppressed"])
  .describe(
    "failed: given up until it is retried; suppressed: the config no longer has its channel, or its matter was over before it was sent.",
  );
export type NotificationState = z.infer<typeof NotificationState>;

export const NotifiableEventItem = z.object({
  id: z.string(),
  kind: z.enum(notifiableKinds),
  severity: Severity,
  cluster: z.string(),
  namespace: z.string(),
  kindOfObject: z.string().nullable(),
  name: z.string(),
  title: z.string(),
  sentence: z.string(),
  path: z.string().describe("Where the evidence is in the user interface."),
  at: Timestamp.describe("When it happened or was found."),
  queuedAt: Timestamp.describe("When Gatehouse stored it; later than `at` after downtime."),
});
export type NotifiableEventItem = z.infer<typeof NotifiableEventItem>;

export const NotificationItem = z.object({
  id: z.string().describe("The id that the message carries to its receiver, with each repeat."),
  channel: z.string(),
  channelType: ChannelType,
  shape: z
    .enum(["single", "group", "digest", "test", "trigger", "acknowledge", "resolve", "refresh"])
    .describe(
      "trigger, acknowledge, resolve: to PagerDuty and Alertmanager, about something until it is over; resolve, to Slack: changes an earlier message; refresh: keeps all open alerts of Alertmanager open.",
    ),
  severity: Severity,
  title: z.string(),
  events: z.number().int().describe("How many events it is about."),
  path: z.string().nullable().describe("The evidence of its most recent event in the user interface."),
  routes: z.array(z.string()),
  state: NotificationState,
  attempts: z.number().int(),
  createdAt: Timestamp,
  nextAttemptAt: Timestamp.nullable().describe("Null once it was sent or given up."),
  lastError: z
    .string()
    .nullable()
    .describe("Why the newest try failed. Of a message that was sent: what came back, if that says more."),
  sentAt: Timestamp.nullable(),
});
export type NotificationItem = z.infer<typeof NotificationItem>;

export const NotificationListQuery = ListQuery.extend({
  channel: z.string().max(100).optional(),
  state: NotificationState.optional(),
});
export type NotificationListQuery = z.infer<typeof NotificationListQuery>;

export const NotificationChannel = z.object({
  name: z.string(),
  type: ChannelType,
  routes: z.array(z.string()).describe("The routes of the config that lead to it."),
  lastSuccessAt: Timestamp.nullable(),
  lastErrorAt: Timestamp.nullable(),
  lastError: z.string().nullable().describe("Null if the newest message that was tried was sent."),
  waiting: z.number().int().describe("Messages and events that are not sent yet."),
  failed: z.number().int().describe("Messages that were given up."),
  test: z
    .object({ state: NotificationState, at: Timestamp, answer: z.string().nullable() })
    .nullable()
    .describe("The newest test message, and what came back."),
});
export type NotificationChannel = z.infer<typeof NotificationChannel>;

export const NotificationChannels = z.object({ items: z.array(NotificationChannel) });
export type NotificationChannels = z.infer<typeof NotificationChannels>;

/** The part of the endpoint table for notifications. */
export const notificationEndpoints = {
  listNotifiableEvents: get("/api/v1/notifiable-events", "Events for notifications that you may see, newest first", {
    query: ListQuery,
    response: listOf(NotifiableEventItem),
  }),
  listNotificationChannels: get(
    "/api/v1/notification-channels",
    "The channels of the config, with how their messages fare",
    { role: "admin", query: z.strictObject({}), response: NotificationChannels },
  ),
  sendTestNotification: post("/api/v1/notification-channels/{channel}/test", "Sends a test message to a channel", {
    role: "admin",
    params: z.strictObject({ channel: z.string() }),
    response: NotificationItem,
    status: 202,
  }),
  listNotifications: get("/api/v1/notifications", "The messages to all channels, newest first", {
    role: "admin",
    query: NotificationListQuery,
    response: listOf(NotificationItem),
  }),
  retryNotification: post("/api/v1/notifications/{id}/retry", "Sends a message again that was given up or suppressed", {
    role: "admin",
    params: z.strictObject({ id: z.string() }),
    response: NotificationItem,
    status: 202,
  }),
} as const;
