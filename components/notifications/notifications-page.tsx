"use client";

import { Button, Group, Paper, Skeleton, Stack, Text, Title } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconLock } from "@tabler/icons-react";
import dynamic from "next/dynamic";
import { classifyChannel, nameType } from "#components/notifications/classify-notification.ts";
import classes from "#components/notifications/notifications.module.css";
import { channelFields, writeChannel } from "#components/notifications/write-channel.ts";
import { ConfigSnippet } from "#components/ui/config-snippet.tsx";
import { FilterBar, FilterChoice } from "#components/ui/filter-bar.tsx";
import { PageTitle } from "#components/ui/page-title.tsx";
import { NothingHere, QueryView } from "#components/ui/query-view.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { Section } from "#components/ui/section.tsx";
import { StateBadge } from "#components/ui/state-badge.tsx";
import { useFilters } from "#components/ui/use-filters.ts";
import { useNotificationChannels, useNotifications, useSendTest } from "#lib/client/notification-queries.ts";
import { useIsAdmin, useMe } from "#lib/client/system-queries.ts";
import type { NotificationChannel } from "#lib/contract/notification.ts";

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
        <ChannelCards />
        <Messages />
      </Stack>
    </>
  );
}

function Messages() {
  const filters = useFilters(["channel", "state"]);
  const { values, applied, isFiltered, set, clear } = filters;
  const list = useNotifications(applied);
  const channels = useNotificationChannels().data?.items ?? [];
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

/** Shows the channels of the config, and how their messages fare. */
function ChannelCards() {
  const channels = useNotificationChannels();
  return (
    <Section id="channels" title="Channels">
      <QueryView
        what="The channels"
        query={{ data: channels.data?.items, error: channels.error, refetch: channels.refetch }}
        skeleton={<Skeleton height={140} aria-hidden="true" />}
      >
        {(items) => (
          <>
            {items.length === 0 ? (
              <Text size="sm" mb="sm">
                No channels yet. Each channel also needs a route.
              </Text>
            ) : (
              <ul className={classes.channels}>
                {items.map((channel) => (
                  <ChannelCard key={channel.name} channel={channel} />
                ))}
              </ul>
            )}
            <ConfigSnippet
              title="Add a channel"
              fields={channelFields}
              write={writeChannel}
              doc="notifications.md"
              isOpen={items.length === 0}
            />
          </>
        )}
      </QueryView>
    </Section>
  );
}

function ChannelCard({ channel }: { channel: NotificationChannel }) {
  const { name, type, routes, lastSuccessAt, lastErrorAt, lastError, waiting, failed } = channel;
  const test = useSendTest();
  const send = () =>
    test.mutate(name, {
      onSuccess: () =>
        notifications.show({ title: "Test message queued", message: `To ${name}. Its result is below.` }),
      onError: (error) =>
        notifications.show({ color: "red", title: "The test message was not sent", message: error.message }),
    });
  return (
    <Paper component="li" withBorder p="md">
      <Group justify="space-between" gap="xs" wrap="nowrap" align="start">
        <Title order={3} size="h4" className={classes.name}>
          {name}
        </Title>
        <StateBadge shown={classifyChannel(channel)} size="sm" />
      </Group>
      <Text size="sm" c="dimmed">
        {nameType(type)} · {routes.length === 0 ? "no route leads here" : `routes: ${routes.join(", ")}`}
      </Text>
      <Text size="sm" mt="xs">
        {lastSuccessAt === null ? (
          "Nothing sent yet"
        ) : (
          <>
            Last sent <RelativeTime at={lastSuccessAt} />
          </>
        )}
        {waiting > 0 && `, ${waiting} waiting`}
        {failed > 0 && `, ${failed} given up`}
      </Text>
      {lastError !== null && lastErrorAt !== null && (
        <Text size="sm" c="var(--gh-orange-text)" className={classes.error}>
          Last try <RelativeTime at={lastErrorAt} />: {lastError}
        </Text>
      )}
      <Button
        size="xs"
        variant="default"
        mt="sm"
        loading={test.isPending}
        onClick={send}
        aria-label={`Send a test message to ${name}`}
      >
        Send a test message
      </Button>
    </Paper>
  );
}
