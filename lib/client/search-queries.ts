import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { queryKeys } from "#lib/client/query-keys.ts";
import { request } from "#lib/client/request.ts";
import type { SearchAnswer } from "#lib/contract/search.ts";

const freshMs = 10_000;

/** Searches for the words. The previous results stay until the answer is there; without words there is no search. */
export function useSearch(q: string) {
  return useQuery({
    queryKey: queryKeys.search(q),
    queryFn: ({ signal }) => request<SearchAnswer>({ path: "/api/v1/search", query: { q }, signal }),
    enabled: q !== "",
    placeholderData: q === "" ? undefined : keepPreviousData,
    staleTime: freshMs,
  });
}
