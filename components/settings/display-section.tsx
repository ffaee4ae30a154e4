"use client";

import { Group, Paper, Radio, Select, Stack } from "@mantine/core";
import { useSyncExternalStore } from "react";
import { useTimeForm } from "#components/ui/relative-time.tsx";
import { Section } from "#components/ui/section.tsx";
import { ownTimeZone, type TimeForm, timeFormChoice, timeZoneChoice } from "#lib/client/time-display.ts";

/** Chooses how this browser shows times; only for the browser, since a server knows no zone. */
export function DisplaySection() {
  return (
    <Section id="display" title="Display">
      <Paper withBorder p="md">
        <Stack gap="md">
          <ZoneSelect />
          <FormRadio />
        </Stack>
      </Paper>
    </Section>
  );
}

function ZoneSelect() {
  const zone = useSyncExternalStore(timeZoneChoice.subscribe, timeZoneChoice.get, () => undefined);
  const others = [...new Set(["UTC", ...Intl.supportedValuesOf("timeZone")])];
  return (
    <Select
      label="Time zone"
      description="For times that this browser shows and that you type. Exports and links use UTC."
      maw={380}
      searchable
      allowDeselect={false}
      nothingFoundMessage="No such zone"
      value={zone ?? ""}
      onChange={(value) => timeZoneChoice.set(value === null || value === "" ? undefined : value)}
      data={[{ value: "", label: `This browser's own (${ownTimeZone()})` }, ...others]}
    />
  );
}

function FormRadio() {
  return (
    <Radio.Group
      label="Times"
      description="Hover over a time to see the exact one. Press t to switch."
      value={useTimeForm()}
      onChange={(value) => timeFormChoice.set(value as TimeForm)}
    >
      <Group gap="md" mt="xs">
        <Radio value="ago" label="How long ago" />
        <Radio value="clock" label="By the clock" />
      </Group>
    </Radio.Group>
  );
}
