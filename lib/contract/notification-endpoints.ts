import { z } from "zod";
import { ListQuery, listOf } from "#lib/contract/common.ts";
import { get, post } from "#lib/contract/endpoint.ts";
import {
  NotifiableEventItem,
  NotificationChannels,
  NotificationItem,
  NotificationListQuery,
} from "#lib/contract/notification.ts";

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
