"use client";

import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { mayRetry } from "#components/notifications/classify-notification.ts";
import classes from "#components/notifications/notifications.module.css";
import { useRetryNotification } from "#lib/client/notification-queries.ts";
import type { NotificationItem } from "#lib/contract/notification.ts";

/** Has a message sent again that was given up or suppressed; nothing for any other. */
export function RetryButton({ item }: { item: NotificationItem }) {
  const retry = useRetryNotification();
  if (!mayRetry(item)) return null;
  return (
    <Button
      size="compact-sm"
      variant="default"
      className={classes.act}
      loading={retry.isPending}
      aria-label={`Send again: ${item.title}`}
      onClick={() =>
        retry.mutate(item.id, {
          onError: (error) =>
            notifications.show({ color: "red", title: "The message was not sent again", message: error.message }),
        })
      }
    >
      Send again
    </Button>
  );
}
