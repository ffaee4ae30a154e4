import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { withBasePath } from "#lib/client/base-path.ts";
import type { Filters } from "#lib/client/query-keys.ts";
import { request } from "#lib/client/request.ts";
import { useHeldError } from "#lib/client/use-detail.ts";
import type { ListPage } from "#lib/contract/common.ts";
import type { SavedList } from "#lib/contract/saved-view.ts";
import { formatQuery } from "#packages/client/src/send.ts";

type ListInput<Item> = {
  queryKey: readonly unknown[];
  path: string;
  filters?: Filters;
  pageSize?: number;
  enabled?: boolean;
  /** For lists that change events do not cover. */
  refetchEveryMs?: number;
  /** How soon to ask again about open points of the items, in ms; false: not before the next change event. */
  askAgainMs?: (items: readonly Item[]) => number | false;
};

export type ItemList<Item> = {
  /** Undefined until the first page has arrived. */
  items: Item[] | undefined;
  error: Error | null;
  retry(): void;
  hasMore: boolean;
  isLoadingMore: boolean;
  loadMore(): void;
  /** The items belong to the previous filters; new ones are loading. */
  isPlaceholder: boolean;
};

/** Returns the address of a list's CSV, filtered and sorted like the list. */
export function listExportHref(list: SavedList, filters: Filters): string {
  return withBasePath(`/api/v1/${list}/export${formatQuery(filters)}`);
}

/** Reads a list page by page with the server's cursors. */
export function useItemList<Item>({
  queryKey,
  path,
  filters = {},
  pageSize = 50,
  enabled = true,
  refetchEveryMs,
  askAgainMs,
}: ListInput<Item>): ItemList<Item> {
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ signal, pageParam }) =>
      request<ListPage<Item>>({ path, query: { ...filters, limit: pageSize, cursor: pageParam }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    placeholderData: keepPreviousData,
    enabled,
    refetchInterval: ({ state }) =>
      refetchEveryMs ?? askAgainMs?.(state.data?.pages.flatMap((page) => page.items) ?? []) ?? false,
  });
  const error = useHeldError(query);
  return {
    items: query.data?.pages.flatMap((page) => page.items),
    error,
    retry: () => void query.refetch(),
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    loadMore: () => {
      if (query.hasNextPage && !query.isFetchingNextPage) void query.fetchNextPage();
    },
    isPlaceholder: query.isPlaceholderData,
  };
}
