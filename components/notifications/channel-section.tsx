"use client";

import { Anchor, Button, Group, Paper, Skeleton, Stack, Text, Title } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import dynamic from "next/dynamic";
import { classifyChannel, nameType } from "#components/notifications/classify-notification.ts";
import classes from "#components/notifications/notifications.module.css";
import { channelFields, writeChannel } from "#components/notifications/write-channel.ts";
import { ConfigSnippet } from "#components/ui/config-snippet.tsx";
import { FormError } from "#components/ui/dialog-parts.tsx";
import { QueryView } from "#components/ui/query-view.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { Section } from "#components/ui/section.tsx";
import { EditButtons, SettingHead, useItemEditor } from "#components/ui/setting-parts.tsx";
import { StateBadge } from "#components/ui/state-badge.tsx";
import { useNotificationSetting, useSetNotificationSetting } from "#lib/client/admin-queries.ts";
import { docHref } from "#lib/client/doc-href.ts";
import { useNotificationChannels, useSendTest } from "#lib/client/notification-queries.ts";
import type { NotificationChannel } from "#lib/contract/notification.ts";
import type { NotificationSetting } from "#lib/contract/notification-setting.ts";

const ChannelDialog = dynamic(
  () => import("#components/notifications/channel-dialog.tsx").then((module) => module.ChannelDialog),
  { ssr: false },
);

/** Shows the channels, and how their messages fare. An admin changes them here, unless the config file sets them. */
export function ChannelSection() {
  const query = useNotificationSetting();
  return (
    <Section id="channels" title="Channels">
      <QueryView what="The channels" query={query} skeleton={<Skeleton height={140} aria-hidden="true" />}>
        {(setting) => <Channels setting={setting} />}
      </QueryView>
    </Section>
  );
}

function Channels({ setting }: { setting: NotificationSetting }) {
  const { channels, routes, allow, unusable, source, changedAt } = setting;
  const query = useNotificationChannels();
  const set = useSetNotificationSetting();
  const remove = useSetNotificationSetting();
  const { edited, edit, close } = useItemEditor(setting, { set, remove });
  const isOurs = source === "interface";
  const mayAdd = isOurs && allow.length > 0;
  const buttonsOf = (name: string) => {
    const index = channels.findIndex((channel) => channel.name === name);
    if (!isOurs || index === -1) return null;
    const kept = routes.flatMap(({ to, ...route }) => {
      const others = to.filter((channel) => channel !== name);
      return others.length === 0 ? [] : [{ ...route, to: others }];
    });
    return (
      <EditButtons
        name={name}
        onEdit={() => edit(index)}
        onRemove={() => remove.mutate({ channels: channels.toSpliced(index, 1), routes: kept, changedAt })}
        isRemoving={remove.isPending}
      />
    );
  };
  return (
    <Stack gap="md">
      <SettingHead
        origin={setting}
        path="notifications"
        what="channels and routes"
        actions={
          mayAdd && (
            <Button size="xs" onClick={() => edit(channels.length)}>
              Add a channel
            </Button>
          )
        }
      >
        Where notifications go.
      </SettingHead>
      <FormError title="The channel was not removed" error={remove.error} />
      <QueryView
        what="The state of the channels"
        query={{ data: query.data?.items, error: query.error, refetch: query.refetch }}
        skeleton={<Skeleton height={140} aria-hidden="true" />}
      >
        {(items) => (
          <>
            {items.length + unusable.length === 0 ? (
              <Text size="sm">
                No channels yet.{" "}
                {mayAdd ? "Add one, then add a route that leads to it." : "Each channel also needs a route."}
              </Text>
            ) : (
              <ul className={classes.channels}>
                {items.map((channel) => (
                  <ChannelCard key={channel.name} channel={channel} buttons={buttonsOf(channel.name)} />
                ))}
                {unusable.map(({ name, reason }) => (
                  <Paper key={name} component="li" withBorder p="md">
                    <Title order={3} size="h4" className={classes.name}>
                      {name}
                    </Title>
                    <Text size="sm" c="var(--gh-orange-text)" className={classes.error} my="xs">
                      Not in use: {reason}
                    </Text>
                    {buttonsOf(name)}
                  </Paper>
                ))}
              </ul>
            )}
            {!mayAdd && (
              <ConfigSnippet
                title="Add a channel"
                fields={channelFields}
                write={writeChannel}
                doc="notifications.md"
                isOpen={items.length === 0}
              />
            )}
          </>
        )}
      </QueryView>
      {isOurs && !mayAdd && (
        <Text size="sm" c="dimmed">
          To add channels on this page instead, list the secrets and addresses that they may use in the config file,
          under <code>notifications.allow</code>.{" "}
          <Anchor href={docHref("notifications.md#channels-made-in-the-interface")} inherit>
            How
          </Anchor>
        </Text>
      )}
      {edited !== undefined && (
        <ChannelDialog
          channel={edited.seen.channels[edited.index]}
          index={edited.index}
          allow={edited.seen.allow}
          request={set}
          onSave={(channel) => set.mutate(withChannel(edited, channel), { onSuccess: close })}
          onClose={close}
        />
      )}
    </Stack>
  );
}

/** Replaces a channel, or adds one. Routes follow a new name. */
function withChannel(
  { index, seen }: { index: number; seen: NotificationSetting },
  channel: NotificationSetting["channels"][number],
) {
  const { channels, changedAt } = seen;
  const before = channels[index]?.name;
  const routes = seen.routes.map((route) => ({
    ...route,
    to: route.to.map((name) => (name === before ? channel.name : name)),
  }));
  return { channels: channels.toSpliced(index, 1, channel), routes, changedAt };
}

function ChannelCard({ channel, buttons }: { channel: NotificationChannel; buttons: React.ReactNode }) {
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
      <Group justify="space-between" gap="xs" mt="sm">
        <Button
          size="xs"
          variant="default"
          loading={test.isPending}
          onClick={send}
          aria-label={`Send a test message to ${name}`}
        >
          Send a test message
        </Button>
        {buttons}
      </Group>
    </Paper>
  );
}
