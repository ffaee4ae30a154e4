import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useItemList } from "#lib/client/list-queries.ts";
import { type Filters, queryKeys } from "#lib/client/query-keys.ts";
import { request } from "#lib/client/request.ts";
import { useDetail } from "#lib/client/use-detail.ts";
import type { Finding, FindingCounts, FindingDetail } from "#lib/contract/finding.ts";

const path = "/api/v1/findings";

export function findingHref(id: string): string {
  return `/findings/${encodeURIComponent(id)}`;
}

export function useFindings(filters: Filters, { enabled = true, pageSize = 50 } = {}) {
  return useItemList<Finding>({
    queryKey: queryKeys.findingList({ ...filters, pageSize }),
    path,
    filters,
    pageSize,
    enabled,
  });
}

export function useFinding(id: string) {
  return useDetail({
    queryKey: queryKeys.finding(id),
    queryFn: ({ signal }) => request<FindingDetail>({ path: `${path}/${encodeURIComponent(id)}`, signal }),
  });
}

/** Open findings by severity; the key is below that of the lists, so that a changed finding counts anew. */
export function useFindingCounts() {
  return useQuery({
    queryKey: [...queryKeys.findingLists(), "counts"],
    queryFn: ({ signal }) => request<FindingCounts>({ path: `${path}/counts`, signal }),
  });
}

export function useAcknowledgeFinding() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, reason }: { id: string; reason: string }) =>
      request<FindingDetail>({
        method: "POST",
        path: `${path}/${encodeURIComponent(id)}/acknowledge`,
        body: { reason },
      }),
    onSettled: () => client.invalidateQueries({ queryKey: ["findings"] }),
  });
}

export function useWithdrawFinding() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) =>
      request<FindingDetail>({ method: "DELETE", path: `${path}/${encodeURIComponent(id)}/acknowledge` }),
    onSettled: () => client.invalidateQueries({ queryKey: ["findings"] }),
  });
}
