import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useItemList } from "#lib/client/list-queries.ts";
import { queryKeys } from "#lib/client/query-keys.ts";
import { request } from "#lib/client/request.ts";
import type { HeldObject, ReleaseHeldRequest, Source } from "#lib/contract/system.ts";

/** Loads the objects that one source holds, page by page. */
export function useHeldObjects(source: string) {
  return useItemList<HeldObject>({
    queryKey: queryKeys.heldObjects(source),
    path: "/api/v1/sources/held",
    filters: { source },
    pageSize: 100,
  });
}

/**
 * Lets an admin confirm that the objects a source holds are gone. The recorder carries it out within about a second.
 */
export function useReleaseHeld() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: ReleaseHeldRequest) =>
      request<Source>({ method: "POST", path: "/api/v1/sources/release", body }),
    onSettled: () => queries.invalidateQueries({ queryKey: queryKeys.sources() }),
  });
}
