import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { queryKeys } from "#lib/client/query-keys.ts";
import { request } from "#lib/client/request.ts";
import type { ListPage } from "#lib/contract/common.ts";
import type { SavedList, SavedView, SavedViewChange } from "#lib/contract/saved-view.ts";

const path = "/api/v1/saved-views";

/** Returns the address of a list as a saved view shows it. */
export function savedViewHref({ id, list, query }: Pick<SavedView, "id" | "list" | "query">): string {
  const parameters = new URLSearchParams(query);
  parameters.set("view", id);
  return `/${list}?${parameters}`;
}

/** Loads the views of a list that the person sees: their own and the shared ones. Change events do not cover them. */
export function useSavedViews(list: SavedList) {
  return useQuery({
    queryKey: queryKeys.savedViews(list),
    queryFn: ({ signal }) => request<ListPage<SavedView>>({ path, query: { list, limit: 200 }, signal }),
    staleTime: 30_000,
  });
}

export type SaveView = { id?: string | undefined } & SavedViewChange;

/** Saves a new view of the list, or changes the one with the id. */
export function useSaveView(list: SavedList) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, ...body }: SaveView) =>
      request<SavedView>({
        method: "POST",
        path: id === undefined ? path : `${path}/${encodeURIComponent(id)}`,
        body: id === undefined ? { ...body, list } : body,
      }),
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.savedViews(list) }),
  });
}

export function useDeleteView(list: SavedList) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => request<SavedView>({ method: "DELETE", path: `${path}/${encodeURIComponent(id)}` }),
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.savedViews(list) }),
  });
}
