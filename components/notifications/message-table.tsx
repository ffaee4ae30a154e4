"use client";

import { IconMailForward } from "@tabler/icons-react";
import { MessageCard, messageColumns } from "#components/notifications/message-columns.tsx";
import { ListView } from "#components/ui/list-view.tsx";
import type { ListState } from "#components/ui/use-list-state.ts";
import type { ItemList } from "#lib/client/list-queries.ts";
import type { NotificationItem } from "#lib/contract/notification.ts";

const empty = {
  icon: <IconMailForward size={40} stroke={1.2} />,
  hint: "A message is made when something happens that a route of the config leads to a channel. What happened before notifications were set up is not sent.",
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
