import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { queryKeys } from "#lib/client/query-keys.ts";
import { request } from "#lib/client/request.ts";
import { useDetail } from "#lib/client/use-detail.ts";
import type { ReleaseCourse, ReleaseMoment } from "#lib/contract/release-course.ts";

const followMs = 3_000;

function releaseApiPath(id: string): string {
  return `/api/v1/releases/${encodeURIComponent(id)}`;
}

/** Loads the course of a release. One that is under way is followed: moments of it make no change event of their own. */
export function useReleaseCourse(id: string, enabled = true) {
  return useDetail({
    queryKey: queryKeys.release(id),
    queryFn: ({ signal }) => request<ReleaseCourse>({ path: `${releaseApiPath(id)}/course`, signal }),
    refetchInterval: ({ state }) => (state.data !== undefined && state.data.to === null ? followMs : false),
    enabled,
  });
}

/** Loads a release as it stood at a moment (ISO 8601); the one before stays until it is there. */
export function useReleaseMoment(id: string, at: string) {
  return useQuery({
    queryKey: queryKeys.releaseMoment(id, at),
    queryFn: ({ signal }) => request<ReleaseMoment>({ path: `${releaseApiPath(id)}/moment`, query: { at }, signal }),
    placeholderData: keepPreviousData,
    // What was is not changed by what happens now.
    staleTime: Number.POSITIVE_INFINITY,
  });
}
