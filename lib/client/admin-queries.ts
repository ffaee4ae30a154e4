import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type Filters, queryKeys } from "#lib/client/query-keys.ts";
import { request } from "#lib/client/request.ts";
import type { AdminConfig, AdminFreezes, AdminPolicies, AdminStorage } from "#lib/contract/admin.ts";
import type { AdminAccess, ClusterPermissions, PermissionAnswer, WhoMay } from "#lib/contract/admin-access.ts";
import type { LinkTemplates, LinkTemplatesChange } from "#lib/contract/link-template.ts";
import type { NotificationSetting, NotificationSettingChange } from "#lib/contract/notification-setting.ts";
import type { PolicyReplay, PolicyReplayRequest } from "#lib/contract/policy-replay.ts";

/** No event announces a change of the config: the pages poll. */
const pollMs = 30_000;

export function useAdminAccess() {
  return useQuery({
    queryKey: queryKeys.admin("access"),
    queryFn: ({ signal }) => request<AdminAccess>({ path: "/api/v1/admin/access", signal }),
    refetchInterval: pollMs,
  });
}

/** Loads who may carry out an action at a place, once one is named. */
export function useWhoMay(query: Filters | undefined) {
  return useQuery({
    queryKey: queryKeys.admin("who-may", query),
    queryFn: ({ signal }) => request<WhoMay>({ path: "/api/v1/admin/who-may", query: query ?? {}, signal }),
    enabled: query !== undefined,
    placeholderData: keepPreviousData,
  });
}

/** Loads the permissions of a person, robot or token, once one is named. */
export function usePermissions(query: Filters | undefined) {
  return useQuery({
    queryKey: queryKeys.admin("permissions", query),
    queryFn: ({ signal }) =>
      request<PermissionAnswer>({ path: "/api/v1/admin/permissions", query: query ?? {}, signal }),
    enabled: query !== undefined,
    retry: false,
  });
}

/** Asks the cluster, on demand: each question costs it some requests. */
export function useClusterPermissions(query: Filters, isAsked: boolean) {
  return useQuery({
    queryKey: queryKeys.admin("cluster-permissions", query),
    queryFn: ({ signal }) => request<ClusterPermissions>({ path: "/api/v1/admin/permissions/cluster", query, signal }),
    enabled: isAsked,
    retry: false,
    staleTime: 0,
  });
}

export function useAdminFreezes(range: { from: string; to: string }) {
  return useQuery({
    queryKey: queryKeys.admin("freezes", range),
    queryFn: ({ signal }) => request<AdminFreezes>({ path: "/api/v1/admin/freezes", query: range, signal }),
    refetchInterval: pollMs,
    placeholderData: keepPreviousData,
  });
}

type SettingPart = "links" | "notifications";
const settingPath = (part: SettingPart) => `/api/v1/admin/${part}`;

/** Loads a part of the config that an admin may set in the interface. */
function useSetting<Answer>(part: SettingPart) {
  return useQuery({
    queryKey: queryKeys.admin(part),
    queryFn: ({ signal }) => request<Answer>({ path: settingPath(part), signal }),
    refetchInterval: pollMs,
  });
}

function useSetSetting<Answer, Change>(part: SettingPart) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: Change) => request<Answer>({ method: "POST", path: settingPath(part), body }),
    // The states of channels are a query of their own.
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: queryKeys.admin(part) }),
        ...(part === "notifications" ? [client.invalidateQueries({ queryKey: queryKeys.notifications() })] : []),
      ]),
  });
}

export const useLinkTemplates = () => useSetting<LinkTemplates>("links");
export const useSetLinkTemplates = () => useSetSetting<LinkTemplates, LinkTemplatesChange>("links");
export const useNotificationSetting = () => useSetting<NotificationSetting>("notifications");
export const useSetNotificationSetting = () =>
  useSetSetting<NotificationSetting, NotificationSettingChange>("notifications");

export function useAdminPolicies() {
  return useQuery({
    queryKey: queryKeys.admin("policies"),
    queryFn: ({ signal }) => request<AdminPolicies>({ path: "/api/v1/admin/policies", signal }),
    refetchInterval: pollMs,
  });
}

/** Replays rules over past actions; changes nothing. */
export function useReplayPolicies() {
  return useMutation({
    mutationFn: (body: PolicyReplayRequest) =>
      request<PolicyReplay>({ method: "POST", path: "/api/v1/admin/policies/replay", body }),
  });
}

export function useAdminConfig() {
  return useQuery({
    queryKey: queryKeys.admin("config"),
    queryFn: ({ signal }) => request<AdminConfig>({ path: "/api/v1/admin/config", signal }),
    refetchInterval: pollMs,
  });
}

export function useAdminStorage() {
  return useQuery({
    queryKey: queryKeys.admin("storage"),
    queryFn: ({ signal }) => request<AdminStorage>({ path: "/api/v1/admin/storage", signal }),
    refetchInterval: 60_000,
  });
}
