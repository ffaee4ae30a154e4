import { useQuery } from "@tanstack/react-query";
import { useItemList } from "#lib/client/list-queries.ts";
import { type Filters, queryKeys } from "#lib/client/query-keys.ts";
import { request } from "#lib/client/request.ts";
import { rolloutApiPath } from "#lib/client/rollout-path.ts";
import { useDetail } from "#lib/client/use-detail.ts";
import type { AnalysisRunSummary } from "#lib/contract/analysis-run.ts";
import type { RolloutEvent, RolloutPod } from "#lib/contract/cluster-objects.ts";
import type { RolloutGates } from "#lib/contract/hook.ts";
import type { InboxItem } from "#lib/contract/inbox.ts";
import type { RolloutLogs } from "#lib/contract/log.ts";
import type { AllowedAction, Release, RolloutDetail, RolloutSummary } from "#lib/contract/rollout.ts";
import type { RolloutCounts } from "#lib/contract/rollout-lists.ts";
import type { TimelineEvent } from "#lib/contract/timeline.ts";
import type { ObjectRef } from "#lib/domain/delivery/object-ref.ts";

/** Loads the inbox. Without filters, all callers share one list, which the rail counts. */
export function useInbox(wanted: Filters = {}) {
  const filters = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== ""));
  return useItemList<InboxItem>({
    queryKey: queryKeys.inboxList(filters),
    path: "/api/v1/inbox",
    filters,
    pageSize: 50,
    askAgainMs: (items) => askAgainMs(items.flatMap(({ actions }) => actions)),
  });
}

/** Loads the inbox items that no longer wait for an answer: acknowledged, or aborted on purpose. */
export function useAnsweredInbox(wanted: Filters) {
  return useInbox({ ...wanted, answered: "true" });
}

export function useRollouts(filters: Filters) {
  const queryKey = queryKeys.rolloutList(filters);
  return useItemList<RolloutSummary>({ queryKey, path: "/api/v1/rollouts", filters, pageSize: 100 });
}

/** Counts the rollouts under these filters by need. */
export function useRolloutCounts(filters: Filters) {
  return useQuery({
    queryKey: [...queryKeys.rolloutLists(), "counts", filters],
    queryFn: ({ signal }) => request<RolloutCounts>({ path: "/api/v1/rollouts/counts", query: filters, signal }),
    placeholderData: (previous) => previous,
  });
}

export function useRollout(rollout: ObjectRef, enabled = true) {
  return useDetail({
    queryKey: queryKeys.rollout(rollout),
    queryFn: ({ signal }) => request<RolloutDetail>({ path: rolloutApiPath(rollout), signal }),
    enabled,
    refetchInterval: ({ state }) => askAgainMs(state.data?.allowedActions, { isFresh: state.data?.source.fresh }),
  });
}

/** Loads the answers to the controller at each gate. Its calls make no change event: they come once per interval. */
export function useRolloutGates(rollout: ObjectRef) {
  return useQuery({
    queryKey: queryKeys.rolloutPart(rollout, "gates"),
    queryFn: ({ signal }) => request<RolloutGates>({ path: `${rolloutApiPath(rollout)}/gates`, signal }),
    refetchInterval: 5_000,
  });
}

export function useRolloutReleases(rollout: ObjectRef, enabled = true) {
  return useItemList<Release>({
    queryKey: queryKeys.rolloutPart(rollout, "releases"),
    path: `${rolloutApiPath(rollout)}/releases`,
    enabled,
  });
}

export function useRolloutRuns(rollout: ObjectRef) {
  return useItemList<AnalysisRunSummary>({
    queryKey: queryKeys.rolloutPart(rollout, "runs"),
    path: `${rolloutApiPath(rollout)}/analysis-runs`,
  });
}

export function useRolloutTimeline(rollout: ObjectRef) {
  return useItemList<TimelineEvent>({
    queryKey: queryKeys.rolloutPart(rollout, "timeline"),
    path: `${rolloutApiPath(rollout)}/timeline`,
    pageSize: 30,
  });
}

/** Loads the pods of the rollout's ReplicaSets, newest first. */
export function useRolloutPods(rollout: ObjectRef, filters: Filters) {
  return useItemList<RolloutPod>({
    queryKey: queryKeys.rolloutPods(rollout, filters),
    path: `${rolloutApiPath(rollout)}/pods`,
    filters,
  });
}

/** Loads the cluster's Events about the rollout and its objects, newest first. */
export function useRolloutEvents(rollout: ObjectRef, filters: Filters) {
  return useItemList<RolloutEvent>({
    queryKey: queryKeys.rolloutEvents(rollout, filters),
    path: `${rolloutApiPath(rollout)}/events`,
    filters,
    pageSize: 20,
  });
}

/** Loads the live object, read from the cluster as the signed-in person; refetched only on demand. */
export function useRolloutObject(rollout: ObjectRef) {
  return useQuery({
    queryKey: queryKeys.rolloutPart(rollout, "object"),
    queryFn: ({ signal }) => request<Record<string, unknown>>({ path: `${rolloutApiPath(rollout)}/object`, signal }),
    retry: false,
  });
}

export function useReleases(filters: Filters) {
  return useItemList<Release>({ queryKey: queryKeys.releaseList(filters), path: "/api/v1/releases", filters });
}

const everyMs = 15_000;

/**
 * Loads the pods whose logs can be read, from the cluster itself: they have no change events. `job` names the Job of an
 * analysis run whose pods are wanted too.
 */
export function useRolloutLogs(rollout: ObjectRef, job: string | null) {
  return useQuery({
    queryKey: queryKeys.rolloutLogs(rollout, job),
    queryFn: ({ signal }) => request<RolloutLogs>({ path: `${rolloutApiPath(rollout)}/logs`, query: { job }, signal }),
    refetchInterval: everyMs,
    retry: false,
  });
}

type Judged = Pick<AllowedAction, "clusterAccess" | "reasonCode">;

/**
 * Returns how soon to ask again about open points of an answer, in ms; false without open points. Neither point makes a
 * change event: the cluster may check the right to act there too slowly for the page, and a source that is heard again
 * only updates its time of contact.
 */
export function askAgainMs(actions: readonly Judged[] = [], { isFresh = true } = {}): number | false {
  if (actions.some(({ clusterAccess }) => clusterAccess === "unknown")) return 2_000;
  return !isFresh || actions.some(({ reasonCode }) => reasonCode === "source_stale") ? 5_000 : false;
}
