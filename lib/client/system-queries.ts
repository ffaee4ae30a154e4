import { useQuery } from "@tanstack/react-query";
import { queryKeys } from "#lib/client/query-keys.ts";
import { request } from "#lib/client/request.ts";
import type { ListPage } from "#lib/contract/common.ts";
import type { Cluster, ConfigStatus, Me, Source } from "#lib/contract/system.ts";
import { actsInArea } from "#lib/domain/policy/list-grants.ts";
import { isAdmin, isClusterAdmin, type Rights } from "#lib/domain/policy/rights.ts";

export function useMe() {
  return useQuery({
    queryKey: queryKeys.me(),
    queryFn: ({ signal }) => request<Me>({ path: "/api/v1/me", signal }),
    staleTime: 60_000,
  });
}

/**
 * Returns whether the reader administers everything, as the service asks it. `role` of /me is the strongest role in any
 * scope: an admin of one namespace has it too.
 */
export function useIsAdmin(): boolean {
  return isAdmin(useRights());
}

/** Returns whether the reader administers all of a cluster, as the service asks it. */
export function useIsClusterAdmin(cluster: string): boolean {
  return isClusterAdmin(useRights(), cluster);
}

/** Returns whether the reader may carry out an action at some place. */
export function useMayActSomewhere(action: string): boolean {
  return actsInArea(useRights(), { action, area: {} }) !== "none";
}

/** Returns the clusters that the reader administers, of those that are configured. */
export function useAdministeredClusters(): string[] {
  const rights = useRights();
  const clusters = useClusters().data?.items.map(({ name }) => name) ?? [];
  return clusters.filter((cluster) => isClusterAdmin(rights, cluster));
}

/** A person with a session has all that the grants give; only a token is capped. */
function useRights(): Rights {
  return { grants: useMe().data?.grants ?? [], cap: "admin" };
}

/** Polls the sources instead of only refetching on change: the age of the last contact grows while nothing happens. */
export function useSources() {
  return useQuery({
    queryKey: queryKeys.sources(),
    queryFn: ({ signal }) => request<ListPage<Source>>({ path: "/api/v1/sources", signal }),
    refetchInterval: 10_000,
  });
}

export function useClusters() {
  return useQuery({
    queryKey: queryKeys.clusters(),
    queryFn: ({ signal }) => request<ListPage<Cluster>>({ path: "/api/v1/clusters", signal }),
    refetchInterval: 30_000,
  });
}

/** Polls the config status: the file changes without a change in the database, so no event announces it. */
export function useConfigStatus() {
  return useQuery({
    queryKey: queryKeys.configStatus(),
    queryFn: ({ signal }) => request<ConfigStatus>({ path: "/api/v1/config", signal }),
    refetchInterval: 10_000,
  });
}
