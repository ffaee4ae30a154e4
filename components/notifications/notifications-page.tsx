"use client";

import { Skeleton, Stack, Text, Title } from "@mantine/core";
import dynamic from "next/dynamic";
import { ChannelSection } from "#components/notifications/channel-section.tsx";
import { FilterBar, FilterChoice } from "#components/ui/filter-bar.tsx";
import { IconLock } from "#components/ui/icons.tsx";
import { PageTitle } from "#components/ui/page-title.tsx";
import { NothingHere } from "#components/ui/query-view.tsx";
import { useFilters } from "#components/ui/use-filters.ts";
import { useNotificationChannels, useNotifications } from "#lib/client/notification-queries.ts";
import { useIsAdmin, useMe } from "#lib/client/system-queries.ts";

// Only admins have it, and it brings a writer of YAML.
const RouteSection = dynamic(
  () => import("#components/notifications/route-section.tsx").then((module) => module.RouteSection),
  { ssr: false },
);
const MessageTable = dynamic(
  () => import("#components/notifications/message-table.tsx").then((module) => module.MessageTable),
  { ssr: false, loading: () => <Skeleton height={320} /> },
);

const states = [
  { value: "queued", label: "queued" },
  { value: "sending", label: "sending" },
  { value: "sent", label: "sent" },
  { value: "failed", label: "given up" },
  { value: "suppressed", label: "suppressed" },
];

/** Shows an admin where notifications go, and what became of each message. */
export function NotificationsPage() {
  const isAdmin = useIsAdmin();
  if (useMe().data === undefined || isAdmin) return <DeliveryLog />;
  return (
    <>
      <PageTitle>Notifications</PageTitle>
      <NothingHere
        icon={<IconLock size={40} stroke={1.2} />}
        title="For admins only"
        hint="Messages cover everything that Gatehouse watches. Browser notifications are in your settings."
      />
    </>
  );
}

function DeliveryLog() {
  return (
    <>
      <PageTitle>Notifications</PageTitle>
      <Stack gap="xl">
        <ChannelSection />
        <RouteSection />
        <Messages />
      </Stack>
    </>
  );
}

function Messages() {
  const filters = useFilters(["channel", "state"]);
  const { values, applied, isFiltered, set, clear } = filters;
  const list = useNotifications(applied);
  const { data, error } = useNotificationChannels();
  const channels = data?.items ?? [];
  // Without a channel nothing can be sent; older messages are still shown.
  const isUnused = error === null && list.error === null && channels.length === 0 && (list.items ?? []).length === 0;
  if (isUnused && !isFiltered) return null;
  return (
    <section aria-labelledby="messages">
      <Title order={2} id="messages">
        Messages
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        Gatehouse retries each message until it is sent, or gives up after the configured time. Repeats have the same
        id.
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
      <MessageTable
        list={list}
        filters={filters}
        filterKey={JSON.stringify(applied)}
        isFiltered={isFiltered}
        onClear={clear}
      />
    </section>
  );
}
