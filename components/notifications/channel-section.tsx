"use client";

import { Anchor, Box, Button, Group, Paper, Skeleton, Stack, Text, Title } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import dynamic from "next/dynamic";
import { classifyChannel, nameType, wordTest } from "#components/notifications/classify-notification.ts";
import classes from "#components/notifications/notifications.module.css";
import { channelFields, writeChannel } from "#components/notifications/write-channel.ts";
import { QueryView } from "#components/ui/query-view.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { Section } from "#components/ui/section.tsx";
import { EditButtons, SettingHead, useItemEditor, useItemRemoval } from "#components/ui/setting-parts.tsx";
import { StateBadge } from "#components/ui/state-badge.tsx";
import { useNotificationSetting, useSetNotificationSetting } from "#lib/client/admin-queries.ts";
import { docHref } from "#lib/client/doc-href.ts";
import { useNotificationChannels, useSendTest } from "#lib/client/notification-queries.ts";
import type { NotificationChannel } from "#lib/contract/notification.ts";
import type { NotificationSetting } from "#lib/contract/notification-setting.ts";

type ChannelKey = (typeof channelFields)[number]["key"];
const ConfigSnippet = dynamic(
  () => import("#components/ui/config-snippet.tsx").then((module) => module.ConfigSnippet<ChannelKey>),
  { ssr: false, loading: () => <Skeleton height={48} aria-hidden="true" /> },
);
const ChannelDialog = dynamic(
  () => import("#components/notifications/channel-dialog.tsx").then((module) => module.ChannelDialog),
  { ssr: false },
);
const RemoveDialog = dynamic(() => import("#components/ui/form-dialog.tsx").then((module) => module.RemoveDialog), {
  ssr: false,
});

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
  const { channels, allow, unusable, source } = setting;
  const query = useNotificationChannels();
  const set = useSetNotificationSetting();
  const remove = useSetNotificationSetting();
  const { edited, edit, close } = useItemEditor(setting, set);
  const removal = useItemRemoval<Removal>(remove);
  const { removed } = removal;
  const isOurs = source === "interface";
  const mayAdd = isOurs && allow.length > 0;
  const buttonsOf = (name: string) => {
    const index = channels.findIndex((channel) => channel.name === name);
    if (!isOurs || index === -1) return null;
    return <EditButtons name={name} onEdit={() => edit(index)} onRemove={() => removal.ask({ name, seen: setting })} />;
  };
  return (
    <Stack gap="md" ref={removal.place} tabIndex={-1}>
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
        {channels.length > 0 && "Where notifications go."}
      </SettingHead>
      <QueryView
        what="The state of the channels"
        query={{ data: query.data?.items, error: query.error, refetch: query.refetch }}
        skeleton={<Skeleton height={140} aria-hidden="true" />}
      >
        {(items) => (
          <>
            {items.length + unusable.length === 0 ? (
              <Text size="sm">
                No channels: Gatehouse notifies no one outside the browser.
                {mayAdd && " Add one, then add a route that leads to it."}
              </Text>
            ) : (
              <ul className={classes.channels}>
                {items.map((channel) => (
                  <ChannelCard key={channel.name} channel={channel} buttons={buttonsOf(channel.name)} />
                ))}
                {unusable.map(({ name, reason }) => (
                  <Paper key={name} component="li" withBorder p="md">
                    <Title order={3} size="sm" className={classes.name}>
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
              // Its height while the writer loads.
              <Box mih={items.length === 0 ? 380 : 48}>
                <ConfigSnippet
                  title="Write YAML for a channel"
                  fields={channelFields}
                  write={writeChannel}
                  doc="notifications.md"
                  checks="checks that the secret is there and the server answers, and sends nothing"
                  isOpen={items.length === 0}
                />
              </Box>
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
      {removed !== undefined && (
        <RemoveDialog
          name={removed.name}
          request={remove}
          errorTitle="The channel was not removed"
          onRemove={() => remove.mutate(withoutChannel(removed), { onSuccess: removal.finish })}
          onClose={removal.close}
        >
          <Text size="sm">{describeRemoval(removed)}</Text>
        </RemoveDialog>
      )}
    </Stack>
  );
}

type Removal = { name: string; seen: NotificationSetting };

/** Removes a channel from the list and from its routes. A route that led only to it goes too. */
function withoutChannel({ name, seen }: Removal) {
  const routes = seen.routes
    .map((route) => ({ ...route, to: route.to.filter((channel) => channel !== name) }))
    .filter(({ to }) => to.length > 0);
  return { channels: seen.channels.filter((channel) => channel.name !== name), routes, changedAt: seen.changedAt };
}

function describeRemoval(removal: Removal): string {
  const kept = withoutChannel(removal).routes.map((route) => route.name);
  const gone = removal.seen.routes.flatMap((route) => (kept.includes(route.name) ? [] : [route.name]));
  const messages = "Messages that still wait for this channel are not sent.";
  if (gone.length === 0) return messages;
  return `${gone.length === 1 ? "This route leads only to it, and is" : "These routes lead only to it, and are"} removed too: ${gone.join(", ")}. ${messages}`;
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
  const { name, type, routes, lastSuccessAt, lastErrorAt, lastError, waiting, failed, test: lastTest } = channel;
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
        <Title order={3} size="sm" className={classes.name}>
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
      {lastTest !== null && (
        <Text size="sm" className={classes.error}>
          Test <RelativeTime at={lastTest.at} />: {wordTest(lastTest)}
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
