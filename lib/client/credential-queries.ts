import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useItemList } from "#lib/client/list-queries.ts";
import { queryKeys } from "#lib/client/query-keys.ts";
import { request } from "#lib/client/request.ts";
import type { CreatedHookCredential, CreateHookCredentialRequest, HookCredential } from "#lib/contract/hook.ts";
import type { ApiToken, CreatedToken, CreateTokenRequest, Session } from "#lib/contract/system.ts";

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

/** Loads open sessions: the caller's own, or all for an admin. Change events do not cover them. */
export function useSessions() {
  return useItemList<Session>({ queryKey: queryKeys.sessions(), path: "/api/v1/sessions", refetchEveryMs: 30_000 });
}

export function useRevokeSession() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) =>
      request<Session>({ method: "DELETE", path: `/api/v1/sessions/${encodeURIComponent(id)}` }),
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.sessions() }),
  });
}

const path = "/api/v1/hook-credentials";

/** Loads the credentials of controllers. Change events do not cover them. */
export function useHookCredentials() {
  return useItemList<HookCredential>({ queryKey: queryKeys.hookCredentials(), path, refetchEveryMs: 30_000 });
}

/** Creates a credential. The answer contains the secret: it stays in the calling component and is never cached. */
export function useCreateHookCredential() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: CreateHookCredentialRequest) => request<CreatedHookCredential>({ method: "POST", path, body }),
    gcTime: 0,
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.hookCredentials() }),
  });
}

export function useRevokeHookCredential() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) =>
      request<HookCredential>({ method: "DELETE", path: `${path}/${encodeURIComponent(id)}` }),
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.hookCredentials() }),
  });
}
