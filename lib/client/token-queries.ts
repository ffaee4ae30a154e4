import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useItemList } from "#lib/client/list-queries.ts";
import { queryKeys } from "#lib/client/query-keys.ts";
import { request } from "#lib/client/request.ts";
import type { ApiToken, CreatedToken, CreateTokenRequest } from "#lib/contract/system.ts";

/** Loads API tokens: the caller's own, or all for an admin. Change events do not cover them. */
export function useTokens() {
  return useItemList<ApiToken>({ queryKey: queryKeys.tokens(), path: "/api/v1/tokens", refetchEveryMs: 30_000 });
}

/** Creates a token. The answer contains the secret: it stays in the calling component and is never cached. */
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
