import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { queryKeys } from "#lib/client/query-keys.ts";
import { request } from "#lib/client/request.ts";
import type { SearchAnswer } from "#lib/contract/search.ts";

const freshMs = 10_000;

/** Finds what has these words; what the words before found stays until the answer is there. Nothing for no words. */
export function useSearch(q: string) {
  return useQuery({
    queryKey: queryKeys.search(q),
    queryFn: ({ signal }) => request<SearchAnswer>({ path: "/api/v1/search", query: { q }, signal }),
    enabled: q !== "",
    placeholderData: q === "" ? undefined : keepPreviousData,
    staleTime: freshMs,
  });
}
