"use client";

import { FreshChip } from "#components/ui/fresh-chip.tsx";
import { type Column, ItemTable } from "#components/ui/item-table.tsx";
import { LoadMore } from "#components/ui/load-more.tsx";
import { useSteadyItems } from "#components/ui/use-steady-items.ts";
import type { ItemList } from "#lib/client/list-queries.ts";

type SteadyTableProps<Item> = {
  caption: string;
  items: readonly Item[];
  list: ItemList<Item>;
  keyOf: (item: Item) => string;
  columns: readonly Column<Item>[];
  card: (item: Item) => React.ReactNode;
};

/** Renders a live, paged table: cells change in place; new rows are announced while someone uses the table. */
export function SteadyTable<Item>({ caption, items, list, keyOf, columns, card }: SteadyTableProps<Item>) {
  const { rows, fresh, showFresh, holdProps } = useSteadyItems(items, keyOf);
  return (
    <>
      <FreshChip count={fresh} onShow={showFresh} />
      <div {...holdProps} aria-busy={list.isPlaceholder || undefined}>
        <ItemTable caption={caption} columns={columns} rows={rows} card={card} />
      </div>
      <LoadMore hasMore={list.hasMore} isLoading={list.isLoadingMore} onLoad={list.loadMore} />
    </>
  );
}
