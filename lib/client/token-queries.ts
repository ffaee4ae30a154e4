import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useItemList } from "#lib/client/list-queries.ts";
import { queryKeys } from "#lib/client/query-keys.ts";
import { request } from "#lib/client/request.ts";
import type { ApiToken, CreatedToken, CreateTokenRequest } from "#lib/contract/system.ts";

/** API tokens: one's own, or everybody's for an admin. No change event tells of them. */
export function useTokens() {
  return useItemList<ApiToken>({ queryKey: queryKeys.tokens(), path: "/api/v1/tokens", refetchEveryMs: 30_000 });
}

/** The answer holds the secret: it stays in the component that asked and in no cache. */
export function useCreateToken() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: CreateTokenRequest) => request<CreatedToken>({ method: "POST", path: "/api/v1/tokens", body }),
    gcTime: 0,
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.tokens() }),
  });
}

export function useRevokeToken() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) =>
      request<ApiToken>({ method: "DELETE", path: `/api/v1/tokens/${encodeURIComponent(id)}` }),
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.tokens() }),
  });
}
