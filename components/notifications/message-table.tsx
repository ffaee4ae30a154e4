"use client";

import { Button, Group, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import {
  classifyNotification,
  formatEvents,
  mayRetry,
  nameType,
} from "#components/notifications/classify-notification.ts";
import classes from "#components/notifications/notifications.module.css";
import { CardTop } from "#components/ui/common-columns.tsx";
import { IconMailForward } from "#components/ui/icons.tsx";
import type { Column } from "#components/ui/item-table.tsx";
import { ListView } from "#components/ui/list-view.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { StateBadge } from "#components/ui/state-badge.tsx";
import { RowLink } from "#components/ui/table-parts.tsx";
import type { ListState } from "#components/ui/use-list-state.ts";
import { eventHref } from "#lib/client/event-href.ts";
import type { ItemList } from "#lib/client/list-queries.ts";
import { useRetryNotification } from "#lib/client/notification-queries.ts";
import type { NotificationItem } from "#lib/contract/notification.ts";

const empty = {
  icon: <IconMailForward size={40} stroke={1.2} />,
  hint: "Messages appear here when an event matches a route of the config. Earlier events are not sent.",
};

type MessageTableProps = {
  list: ItemList<NotificationItem>;
  filters: Pick<ListState, "values" | "remove">;
  filterKey: string;
  isFiltered: boolean;
  onClear: () => void;
};

/** Shows the messages that were sent, are to be sent, or were given up. */
export function MessageTable(props: MessageTableProps) {
  return (
    <ListView
      {...props}
      caption="Messages"
      keyOf={({ id }) => id}
      columns={messageColumns}
      card={(item) => <MessageCard item={item} />}
      empty={empty}
    />
  );
}

const messageColumns: readonly Column<NotificationItem>[] = [
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
function MessageCard({ item }: { item: NotificationItem }) {
  const { channel, channelType, createdAt, attempts } = item;
  return (
    <>
      <CardTop at={createdAt}>
        <StateBadge shown={classifyNotification(item)} size="sm" />
      </CardTop>
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

/** Has a message sent again that was given up or suppressed; nothing for any other. */
function RetryButton({ item }: { item: NotificationItem }) {
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
