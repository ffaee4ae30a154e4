"use client";

import { Button } from "@mantine/core";
import { type Column, ItemTableSkeleton } from "#components/ui/item-table.tsx";
import { NothingHere, QueryView } from "#components/ui/query-view.tsx";
import { SteadyTable } from "#components/ui/steady-table.tsx";
import type { ItemList } from "#lib/client/list-queries.ts";

type ListViewProps<Item> = {
  /** What the list contains, in the plural: "Analysis runs". */
  caption: string;
  list: ItemList<Item>;
  /** Another key of filters makes another list: rows of the previous one are not held. */
  filterKey?: string;
  keyOf: (item: Item) => string;
  columns: readonly Column<Item>[];
  card: (item: Item) => React.ReactNode;
  /** Shown for an empty list: `hint` says how to get items into it. */
  empty: { icon: React.ReactNode; hint: string };
  isFiltered?: boolean;
  onClear?: () => void;
};

/** Renders a live, paged table with its loading, failed and empty states. */
export function ListView<Item>(props: ListViewProps<Item>) {
  const { caption, list, filterKey, keyOf, columns, card, empty, isFiltered = false, onClear } = props;
  const noun = caption.charAt(0).toLowerCase() + caption.slice(1);
  return (
    <QueryView
      what={`The ${noun}`}
      data={list.items}
      error={list.error}
      retry={list.retry}
      skeleton={<ItemTableSkeleton columns={columns} />}
    >
      {(items) =>
        items.length > 0 ? (
          <SteadyTable
            key={filterKey}
            caption={caption}
            items={items}
            list={list}
            keyOf={keyOf}
            columns={columns}
            card={card}
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
  );
}
