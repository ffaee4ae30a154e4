import { Group, Text } from "@mantine/core";
import { classifyNotification, formatEvents, nameType } from "#components/notifications/classify-notification.ts";
import classes from "#components/notifications/notifications.module.css";
import { RetryButton } from "#components/notifications/retry-button.tsx";
import type { Column } from "#components/ui/item-table.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { RowLink } from "#components/ui/row-link.tsx";
import { StateBadge } from "#components/ui/state-badge.tsx";
import { eventHref } from "#lib/client/event-href.ts";
import type { NotificationItem } from "#lib/contract/notification.ts";

export const messageColumns: readonly Column<NotificationItem>[] = [
  {
    key: "state",
    header: "State",
    width: "12%",
    cell: (item) => <StateBadge shown={classifyNotification(item)} size="sm" />,
  },
  { key: "title", header: "Message", width: "36%", isName: true, cell: (item) => <MessageTitle item={item} /> },
  {
    key: "channel",
    header: "Channel",
    width: "15%",
    cell: ({ channel, channelType }) => `${channel} (${nameType(channelType)})`,
  },
  { key: "events", header: "Events", width: "9%", cell: (item) => formatEvents(item) },
  { key: "attempts", header: "Tries", width: "6%", align: "right", cell: ({ attempts }) => attempts },
  {
    key: "time",
    header: "Made",
    width: "11%",
    align: "right",
    noWrap: true,
    cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
  },
  { key: "act", header: "Again", width: "11%", cell: (item) => <RetryButton item={item} /> },
];

function MessageTitle({ item: { title, path, lastError } }: { item: NotificationItem }) {
  return (
    <>
      {path === null ? title : <RowLink href={eventHref(path)}>{title}</RowLink>}
      {lastError !== null && (
        <Text size="xs" c="dimmed" className={classes.error}>
          {lastError}
        </Text>
      )}
    </>
  );
}

/** Shows a message as a card, for narrow screens. */
export function MessageCard({ item }: { item: NotificationItem }) {
  const { channel, channelType, createdAt, attempts } = item;
  return (
    <>
      <Group justify="space-between" gap="xs">
        <StateBadge shown={classifyNotification(item)} size="sm" />
        <Text size="xs" c="dimmed">
          <RelativeTime at={createdAt} />
        </Text>
      </Group>
      <div className={classes.name}>
        <MessageTitle item={item} />
      </div>
      <Group justify="space-between" gap="xs">
        <Text size="sm" c="dimmed">
          {channel} ({nameType(channelType)}) · {formatEvents(item)} · {attempts === 1 ? "1 try" : `${attempts} tries`}
        </Text>
        <RetryButton item={item} />
      </Group>
    </>
  );
}
