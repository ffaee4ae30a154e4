"use client";

import { useState } from "react";
import { FreshChip } from "#components/ui/fresh-chip.tsx";
import { type Column, ItemTable, type TableOrder } from "#components/ui/item-table.tsx";
import { useDensity } from "#components/ui/list-preferences.ts";
import { LoadMore } from "#components/ui/load-more.tsx";
import { useSteadyItems } from "#components/ui/use-steady-items.ts";
import type { ItemList } from "#lib/client/list-queries.ts";

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
export function SteadyTable<Item>(props: SteadyTableProps<Item>) {
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
