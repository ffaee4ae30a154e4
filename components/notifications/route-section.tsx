"use client";

import { Button, Code, Group, Stack, Text } from "@mantine/core";
import dynamic from "next/dynamic";
import { stringify } from "yaml";
import { withoutDefaults } from "#components/notifications/channel-form.ts";
import { CopyText } from "#components/ui/copy-text.tsx";
import { Section } from "#components/ui/section.tsx";
import { EditButtons, useItemEditor, useItemRemoval } from "#components/ui/setting-parts.tsx";
import { SettingTable } from "#components/ui/setting-table.tsx";
import { useNotificationSetting, useSetNotificationSetting } from "#lib/client/admin-queries.ts";
import type { NotificationSetting, RouteSetting } from "#lib/contract/notification-setting.ts";
import { notifiableKinds } from "#lib/domain/notify/notifiable-event.ts";
import { describeScope } from "#lib/domain/policy/describe-scope.ts";

const RouteDialog = dynamic(
  () => import("#components/notifications/route-dialog.tsx").then((module) => module.RouteDialog),
  { ssr: false },
);
const RemoveDialog = dynamic(() => import("#components/ui/form-dialog.tsx").then((module) => module.RemoveDialog), {
  ssr: false,
});

/** Shows which events go to which channels, once there is a channel. */
export function RouteSection() {
  const { data } = useNotificationSetting();
  return data === undefined || data.channels.length + data.routes.length === 0 ? null : <Routes setting={data} />;
}

function Routes({ setting }: { setting: NotificationSetting }) {
  const { routes, source } = setting;
  const set = useSetNotificationSetting();
  const remove = useSetNotificationSetting();
  const { edited, edit, close } = useItemEditor(setting, set);
  const removal = useItemRemoval<{ index: number; name: string; seen: NotificationSetting }>(remove);
  const { removed } = removal;
  const mayChange = source === "interface";
  const toTools = ({ name }: RouteSetting, index: number) => (
    <EditButtons name={name} onEdit={() => edit(index)} onRemove={() => removal.ask({ index, name, seen: setting })} />
  );
  return (
    <Section id="routes" title="Routes">
      <Stack gap="md" ref={removal.place} tabIndex={-1}>
        <Group justify="space-between" gap="sm">
          <Text size="sm" c="dimmed">
            {routes.length === 0 ? "No routes yet, so nothing is sent." : "Which events are sent to which channels."}
          </Text>
          {mayChange && (
            <Button size="xs" onClick={() => edit(routes.length)}>
              Add a route
            </Button>
          )}
        </Group>
        {routes.length > 0 && (
          <SettingTable
            label="Routes"
            items={routes}
            keyOf={({ name }) => name}
            nameWidth="16%"
            columns={columns}
            toTools={mayChange ? toTools : undefined}
          />
        )}
        <AsYaml setting={setting} />
        {edited !== undefined && (
          <RouteDialog
            route={edited.seen.routes[edited.index]}
            index={edited.index}
            channels={edited.seen.channels.map(({ name }) => name)}
            request={set}
            onSave={(route) => {
              const { seen, index } = edited;
              set.mutate(
                {
                  ...{ channels: seen.channels, changedAt: seen.changedAt },
                  routes: seen.routes.toSpliced(index, 1, route),
                },
                { onSuccess: close },
              );
            }}
            onClose={close}
          />
        )}
        {removed !== undefined && (
          <RemoveDialog
            name={removed.name}
            request={remove}
            errorTitle="The route was not removed"
            onRemove={() => {
              const { channels, routes, changedAt } = removed.seen;
              const change = { channels, routes: routes.toSpliced(removed.index, 1), changedAt };
              remove.mutate(change, { onSuccess: removal.finish });
            }}
            onClose={removal.close}
          >
            <Text size="sm">New events are no longer sent by this route. Its channels stay.</Text>
          </RemoveDialog>
        )}
      </Stack>
    </Section>
  );
}

const columns = [
  { header: "Events", width: "30%", show: describeEvents },
  { header: "Where", width: "22%", show: describePlace },
  { header: "Sent to", width: "16%", show: ({ to }: RouteSetting) => to.join(", ") || "the team's channel" },
];

function describePlace(route: RouteSetting): string {
  const place = describeScope(route);
  return route.team === undefined ? place : `${place}, only team ${route.team}`;
}

/** Describes the events: "all, from warning; quiet 22:00 to 07:00 (Europe/Berlin)". */
function describeEvents({ events, minSeverity, quietHours }: RouteSetting): string {
  const kinds = events.length === notifiableKinds.length ? "all" : events.join(", ");
  const severity = minSeverity === "info" ? "" : `, from ${minSeverity}`;
  if (quietHours === undefined) return `${kinds}${severity}`;
  return `${kinds}${severity}; quiet ${quietHours.start} to ${quietHours.end} (${quietHours.timeZone})`;
}

/** Shows channels and routes as the config file would have them. */
function AsYaml({ setting: { channels, routes } }: { setting: NotificationSetting }) {
  const lists = { channels: channels.map(withoutDefaults), routes: routes.map(withoutDefaults) };
  const text = stringify({ notifications: lists });
  return (
    <details>
      <summary>As YAML, for the config file</summary>
      <Stack gap="xs" align="start" mt="xs">
        <Code block aria-label="Channels and routes as YAML" tabIndex={0} w="100%">
          {text}
        </Code>
        <CopyText text={text} size="xs" />
      </Stack>
    </details>
  );
}
