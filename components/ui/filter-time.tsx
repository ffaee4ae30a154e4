"use client";

import { TextInput } from "@mantine/core";
import { useMounted } from "@mantine/hooks";
import { useState } from "react";
import { FilterChoice } from "#components/ui/filter-bar.tsx";
import { fromLocalInput, readLastMonth, toLocalInput } from "#components/ui/local-input.ts";
import { serverNowMs } from "#lib/client/server-clock.ts";
import { shownTimeZone } from "#lib/client/time-display.ts";

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

const spans = [
  { value: "1h", label: "last hour" },
  { value: "24h", label: "last 24 h" },
  { value: "7d", label: "last 7 days" },
  { value: "30d", label: "last 30 days" },
  { value: "month", label: "last month" },
  { value: "own", label: "from … to" },
];

type Span = Record<"last" | "from" | "to", string>;

type FilterSpanProps = {
  label: string;
  /** `last` counts back from now, so a saved view stays current; `from` and `to` are ISO 8601. Each may be empty. */
  values: Readonly<Span>;
  onChange: (values: Record<keyof Span, string | null>) => void;
};

/** Takes a span of time: one that ends now, or between two points. */
export function FilterSpan({ label, values: { last, from, to }, onChange }: FilterSpanProps) {
  const [isOwn, setOwn] = useState(false);
  const hasPoints = from !== "" || to !== "";
  const shown = last !== "" ? last : hasPoints || isOwn ? "own" : "";
  const choose = (value: string | null) => {
    if (value === "month") return onChange({ last: null, ...readLastMonth(serverNowMs()) });
    setOwn(value === "own");
    onChange({
      last: value === "own" ? null : value,
      from: value === "own" && hasPoints ? from : null,
      to: value === "own" && hasPoints ? to : null,
    });
  };
  return (
    <>
      <FilterChoice label={label} value={shown} options={spans} onChange={choose} />
      {(shown === "own" || hasPoints) && (
        <>
          <FilterTime
            label="From"
            value={from}
            onChange={(value) => onChange({ last: last || null, from: value, to: to || null })}
          />
          <FilterTime
            label="To"
            value={to}
            onChange={(value) => onChange({ last: last || null, from: from || null, to: value })}
          />
        </>
      )}
    </>
  );
}
