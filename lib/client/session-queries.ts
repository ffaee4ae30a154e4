import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useItemList } from "#lib/client/list-queries.ts";
import { queryKeys } from "#lib/client/query-keys.ts";
import { request } from "#lib/client/request.ts";
import type { Session } from "#lib/contract/system.ts";

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
