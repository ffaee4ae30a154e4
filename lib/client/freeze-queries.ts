import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { queryKeys } from "#lib/client/query-keys.ts";
import { request } from "#lib/client/request.ts";
import type { Freeze, FreezeChange, FreezeRequest } from "#lib/contract/freeze.ts";

const path = "/api/v1/freezes";

/** Loads the freezes that people made. An event announces a change; polling shows the start and the end of each. */
export function useFreezes() {
  return useQuery({
    queryKey: queryKeys.freezes(),
    queryFn: ({ signal }) => request<{ items: Freeze[] }>({ path, signal }),
    refetchInterval: 30_000,
  });
}

export function useCreateFreeze() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: Partial<FreezeRequest>) => request<Freeze>({ method: "POST", path, body }),
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.freezes() }),
  });
}

/** Extends a freeze, or ends it now without a new end. */
export function useChangeFreeze(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: FreezeChange) =>
      request<Freeze>({ method: "POST", path: `${path}/${encodeURIComponent(id)}`, body }),
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.freezes() }),
  });
}
