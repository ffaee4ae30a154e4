import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { queryKeys } from "#lib/client/query-keys.ts";
import { request } from "#lib/client/request.ts";
import { useDetail } from "#lib/client/use-detail.ts";
import type { ListPage } from "#lib/contract/common.ts";
import type { Controller, ControllerDetail, ControllerSamples } from "#lib/contract/controller.ts";
import type { ChartRange } from "#lib/domain/controllers/chart-ranges.ts";

/** The address of one controller. */
export type ControllerAddress = { cluster: string; component: string };

function pathOf({ cluster, component }: ControllerAddress): string {
  return `/controllers/${encodeURIComponent(cluster)}/${encodeURIComponent(component)}`;
}

export function controllerHref(address: ControllerAddress): string {
  return pathOf(address);
}

/** Leads to the known defects of the controller's version. */
export function defectsHref(address: ControllerAddress): string {
  return `${controllerHref(address)}#defects`;
}

/** Polls: scrapes are no changes that anybody announces. */
const pollMs = 10_000;

export function useControllers() {
  return useQuery({
    queryKey: queryKeys.controllerList(),
    queryFn: ({ signal }) => request<ListPage<Controller>>({ path: "/api/v1/controllers", signal }),
    refetchInterval: pollMs,
  });
}

export function useController(address: ControllerAddress) {
  return useDetail({
    queryKey: queryKeys.controller(address.cluster, address.component),
    queryFn: ({ signal }) => request<ControllerDetail>({ path: `/api/v1${pathOf(address)}`, signal }),
    refetchInterval: pollMs,
  });
}

/** Loads what was sampled; the charts of the range before stay until those of the new one are there. */
export function useControllerSamples(address: ControllerAddress, range: ChartRange) {
  return useQuery({
    queryKey: queryKeys.controllerSamples(address.cluster, address.component, range),
    queryFn: ({ signal }) =>
      request<ControllerSamples>({ path: `/api/v1${pathOf(address)}/samples?range=${range}`, signal }),
    refetchInterval: range === "1h" || range === "6h" ? 15_000 : 60_000,
    placeholderData: keepPreviousData,
  });
}
