import { useQuery } from "@tanstack/react-query";
import { useItemList } from "#lib/client/list-queries.ts";
import { type Filters, queryKeys } from "#lib/client/query-keys.ts";
import { request } from "#lib/client/request.ts";
import { useDetail } from "#lib/client/use-detail.ts";
import type { Abort, AuditDetail, AuditItem, AuditVerification } from "#lib/contract/audit.ts";
import type { ListPage } from "#lib/contract/common.ts";

export function useAudit(filters: Filters) {
  return useItemList<AuditItem>({
    queryKey: queryKeys.auditList(filters),
    path: "/api/v1/audit",
    filters,
    pageSize: 50,
  });
}

/** Counts the sign-ins that these filters show. `hasMore`: there are more than a page. */
export function useSignInCount(filters: Filters, isWanted: boolean) {
  const asked = { ...filters, signIns: "only", limit: 200 };
  const { data } = useQuery({
    queryKey: queryKeys.auditList(asked),
    queryFn: ({ signal }) => request<ListPage<AuditItem>>({ path: "/api/v1/audit", query: asked, signal }),
    enabled: isWanted,
  });
  return { count: data?.items.length ?? 0, hasMore: (data?.nextCursor ?? null) !== null };
}

/** Loads who aborted what: aborted releases, the last first. */
export function useAborts(filters: Filters) {
  return useItemList<Abort>({ queryKey: queryKeys.abortList(filters), path: "/api/v1/aborts", filters, pageSize: 50 });
}

export function useAuditEntry(seq: number) {
  return useDetail({
    queryKey: queryKeys.auditEntry(seq),
    queryFn: ({ signal }) => request<AuditDetail>({ path: `/api/v1/audit/${seq}`, signal }),
  });
}

/** Loads the newest entry of somebody who answered what waited. */
export function useLastAnswer() {
  const filters = { about: "answers", rows: "acts", limit: 1 };
  return useQuery({
    queryKey: queryKeys.auditList(filters),
    queryFn: ({ signal }) => request<{ items: AuditItem[] }>({ path: "/api/v1/audit", query: filters, signal }),
  });
}

const verification = {
  retry: false,
  gcTime: 0,
  staleTime: Number.POSITIVE_INFINITY,
  refetchOnReconnect: false,
} as const;

function verify(signal: AbortSignal, query = {}): Promise<AuditVerification> {
  return request<AuditVerification>({ path: "/api/v1/audit/verify", query, signal });
}

/**
 * Verifies a small log once when the page opens, and the whole chain on demand, which leaves an entry. Returns the newest
 * result: how far the chain was verified, and when.
 */
export function useAuditVerification() {
  const opened = useQuery({
    ...verification,
    queryKey: [...queryKeys.auditVerification(), "quick"],
    queryFn: ({ signal }) => verify(signal, { quick: "true" }),
  });
  const asked = useQuery({
    ...verification,
    queryKey: queryKeys.auditVerification(),
    queryFn: ({ signal }) => verify(signal),
    enabled: false,
  });
  const { data, dataUpdatedAt, error } = asked.isFetched ? asked : opened;
  return {
    data: data?.skipped === true ? undefined : data,
    isSkipped: data?.skipped === true,
    dataUpdatedAt,
    error,
    isFetching: asked.isFetching || opened.isFetching,
    verify: () => void asked.refetch(),
  };
}

/** Loads the newest recorded verification, if the reader may see one. */
export function useLastVerification(isWanted: boolean): AuditItem | undefined {
  const filters = { q: "audit.verify", limit: 10 };
  const { data } = useQuery({
    queryKey: queryKeys.auditList(filters),
    queryFn: ({ signal }) => request<ListPage<AuditItem>>({ path: "/api/v1/audit", query: filters, signal }),
    enabled: isWanted,
  });
  // The words may also stand in a reason.
  return data?.items.find(({ code }) => code === "audit.verify");
}
