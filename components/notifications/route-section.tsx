"use client";

import { Button, Code, Group, Stack, Table, Text } from "@mantine/core";
import dynamic from "next/dynamic";
import { stringify } from "yaml";
import { withoutDefaults } from "#components/notifications/channel-form.ts";
import { CopyText } from "#components/ui/copy-text.tsx";
import { describeScope } from "#components/ui/describe-scope.ts";
import { FormError } from "#components/ui/dialog-parts.tsx";
import { Section } from "#components/ui/section.tsx";
import { EditButtons, useItemEditor } from "#components/ui/setting-parts.tsx";
import { useNotificationSetting, useSetNotificationSetting } from "#lib/client/admin-queries.ts";
import type { NotificationSetting, RouteSetting } from "#lib/contract/notification-setting.ts";
import { notifiableKinds } from "#lib/domain/notify/notifiable-event.ts";

const RouteDialog = dynamic(
  () => import("#components/notifications/route-dialog.tsx").then((module) => module.RouteDialog),
  { ssr: false },
);

/** Shows which events go to which channels, once there is a channel. */
export function RouteSection() {
  const { data } = useNotificationSetting();
  return data === undefined || data.channels.length + data.routes.length === 0 ? null : <Routes setting={data} />;
}

function Routes({ setting }: { setting: NotificationSetting }) {
  const { channels, routes, source, changedAt } = setting;
  const set = useSetNotificationSetting();
  const remove = useSetNotificationSetting();
  const { edited, edit, close } = useItemEditor(setting, { set, remove });
  const mayChange = source === "interface";
  return (
    <Section id="routes" title="Routes">
      <Stack gap="md">
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
        <FormError title="The route was not removed" error={remove.error} />
        {routes.length > 0 && (
          <Table.ScrollContainer minWidth={560}>
            <Table>
              <Table.Caption className="visually-hidden">Routes</Table.Caption>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th scope="col">Name</Table.Th>
                  <Table.Th scope="col">Events</Table.Th>
                  <Table.Th scope="col">Where</Table.Th>
                  <Table.Th scope="col">Sent to</Table.Th>
                  {mayChange && <Table.Td />}
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {routes.map((route, index) => (
                  <Table.Tr key={route.name}>
                    <Table.Th scope="row">{route.name}</Table.Th>
                    <Table.Td>{describeEvents(route)}</Table.Td>
                    <Table.Td style={{ overflowWrap: "break-word" }}>{describeScope(route)}</Table.Td>
                    <Table.Td>{route.to.join(", ")}</Table.Td>
                    {mayChange && (
                      <Table.Td>
                        <EditButtons
                          name={route.name}
                          onEdit={() => edit(index)}
                          onRemove={() => remove.mutate({ channels, routes: routes.toSpliced(index, 1), changedAt })}
                          isRemoving={remove.isPending}
                        />
                      </Table.Td>
                    )}
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
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
      </Stack>
    </Section>
  );
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
