import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { request } from "#lib/client/request.ts";
import type { PlayFaultRequest, SandboxFaults } from "#lib/contract/sandbox-faults.ts";

const path = "/api/v1/sandbox/faults";
const queryKey = ["sandbox-faults"];

/** Loads the faults that the demo's cluster plays; polled often, since faults end by themselves. */
export function useSandboxFaults() {
  return useQuery({
    queryKey,
    queryFn: ({ signal }) => request<SandboxFaults>({ path, signal }),
    refetchInterval: 3_000,
  });
}

export function usePlayFault() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: PlayFaultRequest) => request<SandboxFaults>({ method: "POST", path, body }),
    onSuccess: (faults) => queries.setQueryData(queryKey, faults),
  });
}
