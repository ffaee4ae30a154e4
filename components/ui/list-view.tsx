"use client";

import { Button } from "@mantine/core";
import dynamic from "next/dynamic";
import { useState } from "react";
import { findWrongFilters } from "#components/ui/find-wrong-filters.ts";
import { FreshChip } from "#components/ui/fresh-chip.tsx";
import { type Column, ItemTable, ItemTableSkeleton, type TableOrder } from "#components/ui/item-table.tsx";
import { useDensity, useStoredColumns } from "#components/ui/list-preferences.ts";
import { LoadMore, NothingHere, QueryView } from "#components/ui/query-view.tsx";
import type { ListState } from "#components/ui/use-list-state.ts";
import { useSteadyItems } from "#components/ui/use-steady-items.ts";
import type { ItemList } from "#lib/client/list-queries.ts";
import { useClusters, useMe } from "#lib/client/system-queries.ts";

const ListTools = dynamic(() => import("#components/ui/list-tools.tsx").then((module) => module.ListTools), {
  ssr: false,
  loading: () => <div style={{ height: "1.875rem" }} />,
});

const WrongFilters = dynamic(() => import("#components/ui/wrong-filters.tsx").then((module) => module.WrongFilters), {
  ssr: false,
});

type ListViewProps<Item> = {
  /** Name of the items, in the plural: "Analysis runs". */
  caption: string;
  list: ItemList<Item>;
  /** A list with an address of its own: the state in that address, and its setters. */
  state?: ListState | undefined;
  /** A list without an address of its own: its filters, so that a wrong one can be named and taken out. */
  filters?: Pick<ListState, "values" | "remove">;
  /** Another key of filters makes another list: rows of the previous one are not held. */
  filterKey?: string;
  keyOf: (item: Item) => string;
  columns: readonly Column<Item>[];
  /** A column before the others that the reader cannot hide. */
  lead?: Column<Item> | undefined;
  card: (item: Item) => React.ReactNode;
  /** Shown for an empty list: `hint` says how to get items into it. */
  empty: { icon: React.ReactNode; hint: string };
  isFiltered?: boolean;
  onClear?: () => void;
};

/** Renders a live, paged table with its tools, and its loading, failed and empty states. */
export function ListView<Item>(props: ListViewProps<Item>) {
  const { caption, list, state, filterKey, keyOf, card, empty } = props;
  const { isFiltered = state?.isFiltered ?? false, onClear = state?.clear } = props;
  const noun = caption.charAt(0).toLowerCase() + caption.slice(1);
  const columns = useColumns(props.columns);
  const choice = useColumnChoice(columns, state);
  const filters = state ?? props.filters;
  const asked = { ...filters?.values, ...(state === undefined ? {} : { sort: state.sort }) };
  const wrong = findWrongFilters(list.error, asked);
  if (filters !== undefined && wrong.length > 0) return <WrongFilters wrong={wrong} noun={noun} state={filters} />;
  const order = state === undefined ? undefined : { sort: state.sort, onSort: state.setSort };
  return (
    <>
      {state !== undefined && (isFiltered || state.columns !== undefined || list.items?.length !== 0) && (
        <ListTools
          state={state}
          all={columns}
          shown={choice.columns.map(({ key }) => key)}
          isChosen={choice.isChosen}
          onColumns={choice.onColumns}
        />
      )}
      <QueryView
        what={`The ${noun}`}
        query={{ data: list.items, error: list.error, refetch: list.retry }}
        skeleton={<ItemTableSkeleton columns={choice.columns} />}
      >
        {(items) =>
          items.length > 0 ? (
            <SteadyTable
              caption={caption}
              items={items}
              list={list}
              filterKey={filterKey ?? (state === undefined ? undefined : JSON.stringify(state.applied))}
              keyOf={keyOf}
              columns={props.lead === undefined ? choice.columns : [props.lead, ...choice.columns]}
              card={card}
              order={order}
            />
          ) : isFiltered ? (
            <NothingHere
              icon={empty.icon}
              title={`No ${noun} match`}
              hint="No results for these filters."
              {...(onClear === undefined ? {} : { action: <Button onClick={onClear}>Clear filters</Button> })}
            />
          ) : (
            <NothingHere icon={empty.icon} title={`No ${noun} yet`} hint={empty.hint} />
          )
        }
      </QueryView>
    </>
  );
}

/** Leaves out the column of teams if there are none. */
function useColumns<Item>(columns: readonly Column<Item>[]): readonly Column<Item>[] {
  const hasTeams = (useMe().data?.teams ?? []).length > 0;
  return hasTeams ? columns : columns.filter(({ key }) => key !== "team");
}

/**
 * Columns in the address take precedence over those of this browser: a saved view has its own. A choice is stored in
 * the place that the columns in effect came from.
 */
function useColumnChoice<Item>(columns: readonly Column<Item>[], state: ListState | undefined) {
  const [stored, store] = useStoredColumns(state?.list);
  const clusters = useClusters().data?.items;
  if (state === undefined) return { columns, isChosen: false, onColumns: () => {} };
  const chosen = state.columns ?? stored;
  const hasClusters = clusters !== undefined && clusters.length > 1;
  return {
    columns: chooseColumns({ columns, chosen, hasClusters }),
    isChosen: chosen !== undefined,
    onColumns: (keys: readonly string[] | null) => {
      if (state.columns !== undefined) state.setColumns(keys);
      if (state.columns === undefined || keys === null) store(keys);
    },
  };
}

type ChooseColumns<Item> = {
  columns: readonly Column<Item>[];
  /** Keys of the chosen columns; undefined: the usual ones. */
  chosen: readonly string[] | undefined;
  /** With one cluster, its column is the same in each row. */
  hasClusters: boolean;
};

/** Returns the columns to show, in their own order. The one that names the row always stays. */
export function chooseColumns<Item>({ columns, chosen, hasClusters }: ChooseColumns<Item>): readonly Column<Item>[] {
  const known = chosen?.filter((key) => columns.some((column) => column.key === key));
  // A link with columns that this version does not have shows the usual ones.
  if (known === undefined || known.length === 0)
    return columns.filter(({ key, isExtra }) => isExtra !== true && (key !== "cluster" || hasClusters));
  return columns.filter(({ key, isName }) => isName === true || known.includes(key));
}

type SteadyTableProps<Item> = {
  caption: string;
  items: readonly Item[];
  list: ItemList<Item>;
  /** Key of the filters: another key makes another list, whose rows may move at once. */
  filterKey?: string | undefined;
  keyOf: (item: Item) => string;
  columns: readonly Column<Item>[];
  card: (item: Item) => React.ReactNode;
  order?: TableOrder | undefined;
};

/** Renders a live, paged table: cells change in place; new rows are announced while someone uses the table. */
function SteadyTable<Item>(props: SteadyTableProps<Item>) {
  const { caption, items, list, filterKey = "", keyOf, columns, card, order } = props;
  const [density] = useDensity();
  // While other filters load, the rows are still those of the previous ones.
  const [arrivedKey, setArrivedKey] = useState(filterKey);
  if (!list.isPlaceholder && arrivedKey !== filterKey) setArrivedKey(filterKey);
  const { rows, fresh, showFresh, holdProps } = useSteadyItems(items, keyOf, arrivedKey);
  return (
    <>
      <FreshChip count={fresh} onShow={showFresh} />
      <div {...holdProps} aria-busy={list.isPlaceholder || undefined}>
        <ItemTable caption={caption} columns={columns} rows={rows} card={card} order={order} density={density} />
      </div>
      <LoadMore hasMore={list.hasMore} isLoading={list.isLoadingMore} onLoad={list.loadMore} />
    </>
  );
}
