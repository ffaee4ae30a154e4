"use client";

import { Button, Checkbox, Popover, SegmentedControl, Text } from "@mantine/core";
import dynamic from "next/dynamic";
import { useState } from "react";
import { IconAdjustmentsHorizontal, IconBookmark, IconDownload } from "#components/ui/icons.tsx";
import type { Column } from "#components/ui/item-table.tsx";
import { type Density, useDensity } from "#components/ui/list-preferences.ts";
import classes from "#components/ui/list-tools.module.css";
import type { ListState } from "#components/ui/use-list-state.ts";
import { listExportHref } from "#lib/client/list-queries.ts";

const SaveViewDialog = dynamic(
  () => import("#components/ui/save-view-dialog.tsx").then((module) => module.SaveViewDialog),
  { ssr: false },
);

type ColumnInfo = Pick<Column<never>, "key" | "header" | "isName" | "sort" | "sortsDown">;

type ColumnMenuProps = {
  all: readonly ColumnInfo[];
  /** Keys of the columns in effect. */
  shown: readonly string[];
  /** Whether these columns were chosen, instead of the usual ones. */
  isChosen: boolean;
  /** Null: the usual ones again. */
  onColumns: (keys: readonly string[] | null) => void;
};

/** Tools for a list as a whole: columns and row height, order of the cards, saved view, CSV. */
export function ListTools({ state, ...choice }: ColumnMenuProps & { state: ListState }) {
  return (
    <div className={classes.tools}>
      <SortChoice state={state} columns={choice.all} />
      <Popover position="bottom-end" width={260} shadow="md" withinPortal trapFocus>
        <Popover.Target>
          <Button
            size="compact-xs"
            variant="default"
            className={classes.wide}
            leftSection={<IconAdjustmentsHorizontal size={14} aria-hidden="true" />}
          >
            Columns and rows
          </Button>
        </Popover.Target>
        <Popover.Dropdown>
          <ColumnMenu {...choice} />
        </Popover.Dropdown>
      </Popover>
      <SaveView state={state} />
      <CsvLink state={state} />
    </div>
  );
}

/** Saves the filters, order and columns of the address; disabled if it has none of these. */
export function SaveView({ state }: { state: ListState }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        size="compact-xs"
        variant="default"
        leftSection={<IconBookmark size={14} aria-hidden="true" />}
        className={classes.save}
        disabled={state.query === ""}
        onClick={() => setOpen(true)}
      >
        Save view
      </Button>
      {isOpen && <SaveViewDialog state={state} view={undefined} onClose={() => setOpen(false)} />}
    </>
  );
}

/** Downloads the filtered rows as CSV, in the order of the page. */
export function CsvLink({ state, more = {} }: { state: ListState; more?: Readonly<Record<string, string>> }) {
  return (
    <Button
      component="a"
      size="compact-xs"
      variant="default"
      href={listExportHref(state.list, { ...state.applied, ...more })}
      leftSection={<IconDownload size={14} aria-hidden="true" />}
      title="All rows that match the filters, in this order"
    >
      CSV
    </Button>
  );
}

function ColumnMenu({ all, shown, isChosen, onColumns }: ColumnMenuProps) {
  const [density, setDensity] = useDensity();
  const toggle = (key: string) => {
    const next = shown.includes(key) ? shown.filter((each) => each !== key) : [...shown, key];
    onColumns(all.map((column) => column.key).filter((each) => next.includes(each)));
  };
  return (
    <div className={classes.menu}>
      <Text size="xs" c="dimmed" fw={500}>
        Columns
      </Text>
      {all.map(({ key, header, isName }) => (
        <Checkbox
          key={key}
          size="xs"
          label={header}
          checked={shown.includes(key)}
          disabled={isName === true}
          onChange={() => toggle(key)}
        />
      ))}
      <Button size="compact-xs" variant="subtle" disabled={!isChosen} onClick={() => onColumns(null)}>
        Usual columns
      </Button>
      <Text size="xs" c="dimmed" fw={500} id="list-density">
        Rows, in all lists
      </Text>
      <SegmentedControl
        size="xs"
        fullWidth
        aria-labelledby="list-density"
        value={density}
        data={[
          { value: "comfortable", label: "Comfortable" },
          { value: "compact", label: "Compact" },
        ]}
        onChange={(value) => setDensity(value as Density)}
      />
    </div>
  );
}

/** Cards have no header to click. */
function SortChoice({ state, columns }: { state: ListState; columns: readonly ColumnInfo[] }) {
  const options = columns.flatMap(({ sort, header, sortsDown }) => {
    if (sort === undefined) return [];
    const [first, second] = sortsDown === true ? [`-${sort}`, sort] : [sort, `-${sort}`];
    return [
      { value: first, label: header },
      { value: second, label: `${header}, reversed` },
    ];
  });
  return (
    <select
      className={classes.narrow}
      aria-label="Sorted by"
      value={state.sort}
      onChange={(event) => state.setSort(event.currentTarget.value)}
    >
      {options.map(({ value, label }) => (
        <option key={value} value={value}>
          Sorted by {label.toLowerCase()}
        </option>
      ))}
    </select>
  );
}
