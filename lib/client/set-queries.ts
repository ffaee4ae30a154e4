import { useMutation, useQuery } from "@tanstack/react-query";
import { useItemList } from "#lib/client/list-queries.ts";
import { type Filters, queryKeys } from "#lib/client/query-keys.ts";
import { request } from "#lib/client/request.ts";
import type { ActionGroup, ActionGroupRequest, GroupPlan, GroupPlanRequest } from "#lib/contract/action-group.ts";
import type { SetAborts, SetDifferences, SetMember, SetMetrics, VersionSet } from "#lib/contract/version-set.ts";
import { parseImage } from "#lib/domain/delivery/version-set.ts";

const groups = "/api/v1/action-groups";

function setApiPath(version: string): string {
  return `/api/v1/sets/version/${encodeURIComponent(version)}`;
}

/** Returns the path of the page of all rollouts with the version of this image; undefined if the image names none. */
export function versionSetHref(image: string): string | undefined {
  const { repository, versions } = parseImage(image);
  // A digest is more exact than a tag.
  const version = versions.at(-1);
  return version === undefined ? undefined : versionHref(version, { image: repository });
}

/** Returns the path of the page of a version: of one image, or of all that have it. Without either, the page asks. */
export function versionHref(version: string, choice?: { image: string } | { images: "all" }): string {
  const path = `/sets/version/${encodeURIComponent(version)}`;
  return choice === undefined ? path : `${path}?${new URLSearchParams(choice)}`;
}

export function actionGroupHref(seq: number): string {
  return `/action-groups/${seq}`;
}

/** Loads the versions that were aborted in some members of a set while others still receive them. */
export function useSetAborts() {
  return useQuery({
    queryKey: queryKeys.setAborts(),
    queryFn: ({ signal }) => request<SetAborts>({ path: "/api/v1/sets/aborts", signal }),
  });
}

/** Counts how far a version has got. */
export function useVersionSet(version: string, filters: Filters) {
  return useQuery({
    queryKey: queryKeys.versionSet(version, filters),
    queryFn: ({ signal }) => request<VersionSet>({ path: setApiPath(version), query: filters, signal }),
  });
}

export function useVersionMembers(version: string, filters: Filters) {
  return useItemList<SetMember>({
    queryKey: queryKeys.versionMembers(version, filters),
    path: `${setApiPath(version)}/members`,
    filters,
    pageSize: 200,
  });
}

/** Loads the metrics of this version, rollout by rollout, once they are wanted. */
export function useVersionMetrics(version: string, filters: Filters, enabled: boolean) {
  return useQuery({
    queryKey: queryKeys.versionMetrics(version, filters),
    queryFn: ({ signal }) => request<SetMetrics>({ path: `${setApiPath(version)}/metrics`, query: filters, signal }),
    enabled,
    placeholderData: (previous) => previous,
  });
}

/** Compares the rollouts once they are listed, and again at times. */
export function useVersionDifferences(version: string, filters: Filters, enabled: boolean) {
  return useQuery({
    queryKey: queryKeys.versionDifferences(version, filters),
    queryFn: ({ signal }) =>
      request<SetDifferences>({ path: `${setApiPath(version)}/differences`, query: filters, signal }),
    enabled,
    refetchInterval: 60_000,
  });
}

/**
 * Loads the plan of an action on many rollouts once, so that it does not change while a person reads it. A new `asked`
 * loads it again.
 */
export function useGroupPlan(body: GroupPlanRequest, asked: unknown) {
  return useQuery({
    queryKey: queryKeys.groupPlan(asked),
    queryFn: ({ signal }) => request<GroupPlan>({ method: "POST", path: `${groups}/plan`, body, signal }),
    // Nor when everything is loaded again, as after an interruption of the change stream.
    staleTime: "static",
    gcTime: 0,
  });
}

/** Loads the actions that these rollouts allow, again after each change. Keeps the previous answer while loading. */
export function useAllowedOnMany(members: GroupPlanRequest["members"], enabled: boolean) {
  return useQuery({
    queryKey: queryKeys.allowedOnMany(JSON.stringify(members)),
    queryFn: ({ signal }) => request<GroupPlan>({ method: "POST", path: `${groups}/plan`, body: { members }, signal }),
    enabled,
    placeholderData: (previous) => previous,
    gcTime: 0,
  });
}

export function useActOnMany() {
  return useMutation({
    mutationFn: ({ body, idempotencyKey }: { body: ActionGroupRequest; idempotencyKey: string }) =>
      request<ActionGroup>({ method: "POST", path: groups, body, headers: { "idempotency-key": idempotencyKey } }),
  });
}

/** Follows a request for many rollouts until no member can change any more. */
export function useActionGroup(seq: number) {
  return useQuery({
    queryKey: queryKeys.actionGroup(seq),
    queryFn: ({ signal }) => request<ActionGroup>({ path: `${groups}/${seq}`, signal }),
    refetchInterval: ({ state: { data } }) => {
      if (data === undefined || data.running) return 1_000;
      return data.members.every(({ final }) => final) ? false : 5_000;
    },
  });
}
