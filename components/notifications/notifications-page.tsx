"use client";

import { Stack, Text, Title } from "@mantine/core";
import { IconLock, IconMailForward } from "@tabler/icons-react";
import { ChannelCards } from "#components/notifications/channel-cards.tsx";
import { MessageCard, messageColumns } from "#components/notifications/message-columns.tsx";
import { FilterBar, FilterChoice } from "#components/ui/filter-bar.tsx";
import { ListView } from "#components/ui/list-view.tsx";
import { PageTitle } from "#components/ui/page-title.tsx";
import { NothingHere } from "#components/ui/query-view.tsx";
import { useFilters } from "#components/ui/use-filters.ts";
import { useNotificationChannels, useNotifications } from "#lib/client/notification-queries.ts";
import { useMe } from "#lib/client/system-queries.ts";

const states = [
  { value: "queued", label: "queued" },
  { value: "sending", label: "sending" },
  { value: "sent", label: "sent" },
  { value: "failed", label: "given up" },
  { value: "suppressed", label: "suppressed" },
];

const empty = {
  icon: <IconMailForward size={40} stroke={1.2} />,
  hint: "A message is made when something happens that a route of the config leads to a channel. What happened before notifications were set up is not sent.",
};

/** Shows an admin where notifications go, and what became of each message. */
export function NotificationsPage() {
  const me = useMe().data;
  if (me === undefined || me.role === "admin") return <DeliveryLog />;
  return (
    <>
      <PageTitle>Notifications</PageTitle>
      <NothingHere
        icon={<IconLock size={40} stroke={1.2} />}
        title="For admins only"
        hint="Messages are about everything that is watched. Notifications of this browser are in your settings."
      />
    </>
  );
}

function DeliveryLog() {
  return (
    <>
      <PageTitle>Notifications</PageTitle>
      <Stack gap="xl">
        <ChannelCards />
        <Messages />
      </Stack>
    </>
  );
}

function Messages() {
  const { values, applied, isFiltered, set, clear } = useFilters(["channel", "state"]);
  const list = useNotifications(applied);
  const channels = useNotificationChannels().data?.items ?? [];
  return (
    <section aria-labelledby="messages">
      <Title order={2} id="messages">
        Messages
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        Each message is tried until it is sent, or given up after the time that the config says. A repeat carries the
        same id.
      </Text>
      <FilterBar isFiltered={isFiltered} onClear={clear}>
        <FilterChoice
          label="Channel"
          value={values.channel}
          options={channels.map(({ name }) => ({ value: name, label: name }))}
          onChange={set("channel")}
        />
        <FilterChoice label="State" value={values.state} options={states} onChange={set("state")} />
      </FilterBar>
      <ListView
        caption="Messages"
        list={list}
        filterKey={JSON.stringify(applied)}
        keyOf={({ id }) => id}
        columns={messageColumns}
        card={(item) => <MessageCard item={item} />}
        empty={empty}
        isFiltered={isFiltered}
        onClear={clear}
      />
    </section>
  );
}
