"use client";

import { TextInput } from "@mantine/core";
import { useMounted } from "@mantine/hooks";
import { fromLocalInput, toLocalInput } from "#components/ui/local-input.ts";
import { shownTimeZone } from "#lib/client/time-zone.ts";

type FilterTimeProps = {
  label: string;
  /** ISO 8601 as in the URL, or empty. */
  value: string;
  onChange: (value: string | null) => void;
};

/** Takes a point in time, typed in the chosen zone. */
export function FilterTime({ label, value, onChange }: FilterTimeProps) {
  // The server does not know the zone.
  const isMounted = useMounted();
  return (
    <TextInput
      size="xs"
      type="datetime-local"
      aria-label={isMounted ? `${label}, in the time zone ${shownTimeZone()}` : label}
      leftSection={<span aria-hidden="true">{label}</span>}
      leftSectionWidth={46}
      leftSectionPointerEvents="none"
      w={225}
      value={isMounted ? toLocalInput(value) : ""}
      onChange={(event) => onChange(fromLocalInput(event.currentTarget.value))}
    />
  );
}
