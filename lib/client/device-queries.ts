import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { queryKeys } from "#lib/client/query-keys.ts";
import { request } from "#lib/client/request.ts";
import type { DeviceDecision, DeviceRequest } from "#lib/contract/device-sign-in.ts";

const pathOf = (userCode: string) => `/api/v1/device-requests/${encodeURIComponent(userCode)}`;

/** Loads the terminal that waits with this code. A wrong code is not asked for again: guesses are counted. */
export function useDeviceRequest(userCode: string) {
  return useQuery({
    queryKey: queryKeys.deviceRequest(userCode),
    queryFn: ({ signal }) => request<DeviceRequest>({ path: pathOf(userCode), signal }),
    enabled: userCode !== "",
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}

export function useDecideDevice(userCode: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: DeviceDecision) =>
      request<DeviceRequest>({ method: "POST", path: `${pathOf(userCode)}/decision`, body }),
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.tokens() }),
  });
}
