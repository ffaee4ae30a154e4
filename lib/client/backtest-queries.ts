import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { queryKeys } from "#lib/client/query-keys.ts";
import { request } from "#lib/client/request.ts";
import type { BacktestAnswer, BacktestProposal } from "#lib/contract/backtest.ts";

/** The body of the request; the filter's limit has a default. */
export type BacktestBody = {
  metric: string;
  filter: { rollout?: string; template?: string; from?: string; to?: string; limit?: number };
  proposal: BacktestProposal;
};

/** Replays recorded runs. The previous answer stays while rules are typed. */
export function useBacktest(body: BacktestBody | undefined) {
  return useQuery({
    queryKey: queryKeys.backtest(body),
    queryFn: ({ signal }) =>
      request<BacktestAnswer>({ method: "POST", path: "/api/v1/analysis/backtest", body, signal }),
    enabled: body !== undefined,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
}
