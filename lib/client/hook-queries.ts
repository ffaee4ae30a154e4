import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useItemList } from "#lib/client/list-queries.ts";
import { queryKeys } from "#lib/client/query-keys.ts";
import { request } from "#lib/client/request.ts";
import type { CreatedHookCredential, CreateHookCredentialRequest, HookCredential } from "#lib/contract/hook.ts";

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
