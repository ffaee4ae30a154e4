"use client";

import { NativeSelect, SegmentedControl, Switch } from "@mantine/core";
import classes from "#components/rollouts/logs/logs.module.css";
import type { LogView, SetLogView } from "#components/rollouts/logs/use-log-view.ts";
import { FilterText } from "#components/ui/filter-bar.tsx";

type LogToolsProps = {
  view: LogView;
  set: SetLogView;
  containers: readonly { name: string; label: string }[];
  /** The container that is shown if none was chosen. */
  usual: string | null;
  hasPrevious: boolean;
  isWrapped: boolean;
};

/** Chooses the settings that the columns share: container, instance, search, and line format. */
export function LogTools({ view, set, containers, usual, hasPrevious, isWrapped }: LogToolsProps) {
  const isAround = view.at !== null;
  return (
    <search className={classes.tools} aria-label="Choose and search lines">
      <NativeSelect
        size="xs"
        aria-label="Container"
        value={view.container ?? usual ?? ""}
        data={containers.map(({ name, label }) => ({ value: name, label }))}
        onChange={(event) => {
          const { value } = event.currentTarget;
          void set({ container: value === usual ? null : value, previous: null });
        }}
      />
      {(hasPrevious || view.previous) && (
        <SegmentedControl
          size="xs"
          aria-label="Instance"
          value={view.previous ? "previous" : "current"}
          onChange={(value) => void set({ previous: value === "previous" ? true : null })}
          data={[
            { value: "current", label: "Current" },
            { value: "previous", label: "Before the restart" },
          ]}
        />
      )}
      <FilterText
        label="Find in lines"
        isSearch
        value={view.find}
        onChange={(value) => void set({ find: value, ...(value === null ? { only: null } : {}) })}
      />
      <div className={classes.switches}>
        <Switch
          size="xs"
          label="Only matching lines"
          checked={view.only}
          disabled={view.find === ""}
          onChange={(event) => void set({ only: event.currentTarget.checked || null })}
        />
        {!isAround && (
          <Switch
            size="xs"
            label="Follow"
            checked={view.follow && !view.previous}
            disabled={view.previous}
            onChange={(event) => void set({ follow: event.currentTarget.checked ? null : false })}
          />
        )}
        <Switch
          size="xs"
          label="Times"
          checked={view.times}
          onChange={(event) => void set({ times: event.currentTarget.checked ? null : false })}
        />
        <Switch
          size="xs"
          label="Wrap"
          checked={isWrapped}
          onChange={(event) => void set({ wrap: event.currentTarget.checked })}
        />
      </div>
    </search>
  );
}
