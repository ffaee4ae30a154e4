"use client";

import { Button, CloseButton, Group, NativeSelect, TextInput } from "@mantine/core";
import { useState } from "react";
import classes from "#components/ui/filter-bar.module.css";
import { IconSearch } from "#components/ui/icons.tsx";
import { useClusters, useMe } from "#lib/client/system-queries.ts";

type FilterBarProps = {
  children: React.ReactNode;
  isFiltered: boolean;
  onClear: () => void;
  /** Rarely used filters and their values. A button shows them; they are shown anyway while one is set. */
  more?: { filters: React.ReactNode; values: readonly string[] };
};

/**
 * Shows the filters of a list; on a narrow screen, only once they are wanted. Their state is in the URL, so a filtered
 * view can be shared.
 */
export function FilterBar({ children, isFiltered, onClear, more }: FilterBarProps) {
  const [isOpen, setOpen] = useState(false);
  const [isMoreOpen, setMoreOpen] = useState(false);
  const isMoreSet = more?.values.some((value) => value !== "") === true;
  const showsMore = more !== undefined && (isMoreOpen || isMoreSet);
  // A filter that was set stays in its place while it is emptied.
  if (isMoreSet && !isMoreOpen) setMoreOpen(true);
  return (
    <Group gap="xs" mb="sm" role="search" align="end" className={classes.bar} data-open={isOpen || undefined}>
      <Button
        size="xs"
        variant="default"
        className={classes.toggle}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        Filters
      </Button>
      {children}
      {showsMore && more.filters}
      {more !== undefined && !isMoreSet && (
        <Button size="xs" variant="subtle" aria-expanded={showsMore} onClick={() => setMoreOpen(!isMoreOpen)}>
          {showsMore ? "Fewer filters" : "More filters"}
        </Button>
      )}
      {isFiltered && (
        <Button size="xs" variant="subtle" className={classes.clear} onClick={onClear}>
          Clear filters
        </Button>
      )}
    </Group>
  );
}

type FilterTextProps = {
  label: string;
  placeholder?: string;
  value: string;
  onChange: (value: string | null) => void;
  isSearch?: boolean;
};

export function FilterText({ label, placeholder, value, onChange, isSearch = false }: FilterTextProps) {
  return (
    <TextInput
      size="xs"
      type={isSearch ? "search" : "text"}
      aria-label={label}
      placeholder={placeholder ?? label}
      value={value}
      w={isSearch ? 190 : 120}
      leftSection={isSearch ? <IconSearch size={14} aria-hidden="true" /> : undefined}
      rightSection={
        value === "" ? null : <CloseButton size="xs" aria-label={`Clear ${label}`} onClick={() => onChange(null)} />
      }
      onChange={(event) => onChange(event.currentTarget.value === "" ? null : event.currentTarget.value)}
    />
  );
}

type FilterChoiceProps = {
  label: string;
  value: string;
  options: readonly { value: string; label: string }[];
  /** What an empty selection means. */
  unset?: string;
  onChange: (value: string | null) => void;
};

export function FilterChoice({ label, value, options, unset = "any", onChange }: FilterChoiceProps) {
  // A value from the URL that is not an option must stay visible; otherwise the list would have an invisible filter.
  const all =
    value === "" || options.some((option) => option.value === value) ? options : [...options, { value, label: value }];
  return (
    <NativeSelect
      size="xs"
      aria-label={label}
      maw={200}
      value={value}
      data={[
        { value: "", label: `${label}: ${unset}` },
        ...all.map((option) => ({ ...option, label: `${label}: ${option.label}` })),
      ]}
      onChange={(event) => onChange(event.currentTarget.value === "" ? null : event.currentTarget.value)}
    />
  );
}

type NameChoiceProps = { value: string; onChange: (value: string | null) => void };

/** Chooses a team; nothing without teams. */
export function TeamChoice({ value, onChange }: NameChoiceProps) {
  const teams = useMe().data?.teams ?? [];
  if (teams.length === 0 && value === "") return null;
  const options = teams.map(({ name }) => ({ value: name, label: name }));
  return <FilterChoice label="Team" value={value} options={options} onChange={onChange} />;
}

/** Chooses a set of the config; nothing without sets. */
export function SetChoice({ value, onChange }: NameChoiceProps) {
  const sets = useMe().data?.sets ?? [];
  if (sets.length === 0 && value === "") return null;
  const options = sets.map((name) => ({ value: name, label: name }));
  return <FilterChoice label="Set" value={value} options={options} onChange={onChange} />;
}

export function ClusterChoice({ value, onChange }: NameChoiceProps) {
  const clusters = useClusters().data?.items ?? [];
  const options = clusters.map(({ name }) => ({ value: name, label: name }));
  return <FilterChoice label="Cluster" value={value} options={options} onChange={onChange} />;
}
