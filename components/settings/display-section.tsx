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
      description="In which this browser shows times, and in which you type them. Exports and links use UTC."
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
      description="The pointer over a time shows the exact one in any case. The key t switches."
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
