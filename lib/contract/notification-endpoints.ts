import { z } from "zod";
import { ListQuery, listOf } from "#lib/contract/common.ts";
import {
  NotifiableEventItem,
  NotificationChannels,
  NotificationItem,
  NotificationListQuery,
} from "#lib/contract/notification.ts";

/** The part of the endpoint table for notifications. */
export const notificationEndpoints = {
  listNotifiableEvents: {
    method: "GET",
    path: "/api/v1/notifiable-events",
    summary: "Events for notifications that you may see, newest first",
    role: "viewer",
    query: ListQuery,
    response: listOf(NotifiableEventItem),
  },
  listNotificationChannels: {
    method: "GET",
    path: "/api/v1/notification-channels",
    summary: "The channels of the config, with how their messages fare",
    role: "admin",
    query: z.strictObject({}),
    response: NotificationChannels,
  },
  sendTestNotification: {
    method: "POST",
    path: "/api/v1/notification-channels/{channel}/test",
    summary: "Sends a test message to a channel",
    role: "admin",
    params: z.strictObject({ channel: z.string() }),
    response: NotificationItem,
    status: 202,
  },
  listNotifications: {
    method: "GET",
    path: "/api/v1/notifications",
    summary: "The messages to all channels, newest first",
    role: "admin",
    query: NotificationListQuery,
    response: listOf(NotificationItem),
  },
  retryNotification: {
    method: "POST",
    path: "/api/v1/notifications/{id}/retry",
    summary: "Sends a message again that was given up or suppressed",
    role: "admin",
    params: z.strictObject({ id: z.string() }),
    response: NotificationItem,
    status: 202,
  },
} as const;
