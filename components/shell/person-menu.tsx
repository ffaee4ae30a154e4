"use client";

import {
  ActionIcon,
  Menu,
  SegmentedControl,
  type SegmentedControlProps,
  Stack,
  Text,
  useMantineColorScheme,
} from "@mantine/core";
import { useMounted } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import Link from "next/link";
import { useId, useSyncExternalStore } from "react";
import { IconHelp, IconKeyboard, IconLogout, IconSettings, IconUserCircle } from "#components/ui/icons.tsx";
import { useTimeForm } from "#components/ui/relative-time.tsx";
import { docHref } from "#lib/client/doc-href.ts";
import { signOut } from "#lib/client/session.ts";
import { useMe } from "#lib/client/system-queries.ts";
import { type TimeForm, timeFormChoice, timeZoneChoice } from "#lib/client/time-display.ts";

export function PersonMenu({ onKeys }: { onKeys: () => void }) {
  const me = useMe().data;
  return (
    <Menu position="bottom-end" width={260} withinPortal>
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={me === undefined ? "You" : `${me.name}, ${me.role}`}
        >
          <IconUserCircle size={22} stroke={1.5} aria-hidden="true" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {me !== undefined && (
          <div style={{ padding: "0.375rem 0.75rem" }}>
            <Text fw={600}>{me.name}</Text>
            <Text size="xs" c="dimmed">
              {roleWords[me.role]}
            </Text>
          </div>
        )}
        <div style={{ padding: "0.375rem 0.75rem" }}>
          <Stack gap="xs">
            <ThemeChoice />
            <ZoneChoice />
            <FormChoice />
          </Stack>
        </div>
        <Menu.Divider />
        <Menu.Item component={Link} href="/settings" leftSection={<IconSettings size={16} aria-hidden="true" />}>
          Settings
        </Menu.Item>
        <Menu.Item component="a" href={docHref("README.md")} leftSection={<IconHelp size={16} aria-hidden="true" />}>
          Documentation
        </Menu.Item>
        <Menu.Item leftSection={<IconKeyboard size={16} aria-hidden="true" />} onClick={onKeys}>
          Keyboard shortcuts
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden="true" />} onClick={() => void leave()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

const roleWords = {
  viewer: "Viewer: read-only access",
  operator: "Operator: may act on rollouts",
  admin: "Admin: may act and see the administration",
};

type ChoiceProps = { label: string } & Pick<SegmentedControlProps, "value" | "onChange" | "data">;

function Choice({ label, ...props }: ChoiceProps) {
  const id = useId();
  return (
    <div>
      <Text id={id} size="xs" c="dimmed" mb={2}>
        {label}
      </Text>
      <SegmentedControl fullWidth size="xs" aria-labelledby={id} {...props} />
    </div>
  );
}

async function leave(): Promise<void> {
  await signOut().catch((error: Error) =>
    notifications.show({ color: "red", title: "You are still signed in", message: error.message }),
  );
}

function ThemeChoice() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const isMounted = useMounted();
  return (
    <Choice
      label="Colours"
      value={isMounted ? colorScheme : "auto"}
      onChange={(value) => setColorScheme(value as typeof colorScheme)}
      data={[
        { value: "light", label: "Light" },
        { value: "dark", label: "Dark" },
        { value: "auto", label: "System" },
      ]}
    />
  );
}

/** Says times by the clock: what the pointer shows over each of them, for those who have none. */
function FormChoice() {
  return (
    <Choice
      label="Times"
      value={useTimeForm()}
      onChange={(value) => timeFormChoice.set(value as TimeForm)}
      data={[
        { value: "ago", label: "14 min ago" },
        { value: "clock", label: "Clock" },
      ]}
    />
  );
}

/** Switches between the two zones that people compare; the settings offer every other. */
function ZoneChoice() {
  const zone = useSyncExternalStore(timeZoneChoice.subscribe, timeZoneChoice.get, () => undefined);
  const others = zone === undefined || zone === "UTC" ? [] : [{ value: zone, label: zone }];
  return (
    <Choice
      label="Time zone"
      value={zone ?? ""}
      onChange={(value) => timeZoneChoice.set(value === "" ? undefined : value)}
      data={[{ value: "", label: "Local" }, { value: "UTC", label: "UTC" }, ...others]}
    />
  );
}
