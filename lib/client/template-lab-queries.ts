import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { BacktestBody } from "#lib/client/backtest-queries.ts";
import { queryKeys } from "#lib/client/query-keys.ts";
import { request } from "#lib/client/request.ts";
import type { EvaluateRequest, LintAnswer, LintRequest, PhaseVerdict } from "#lib/contract/analysis-engine.ts";
import type { Measurement } from "#lib/contract/analysis-run.ts";
import type { BacktestAnswer } from "#lib/contract/backtest.ts";
import type { ListPage } from "#lib/contract/common.ts";

/** Lints a text. The answer names the text that it is about: while one types, it is an older one. */
export function useLint(body: LintRequest) {
  return useQuery({
    queryKey: queryKeys.templateLint(body),
    queryFn: async ({ signal }) => {
      const answer = await request<LintAnswer>({ method: "POST", path: "/api/v1/analysis/lint", body, signal });
      return { source: body.source, ...answer };
    },
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
}

/** Reads the last values that the newest run of a template or a rollout recorded for a metric; oldest first. */
export function useRecordedValues(filter: BacktestBody["filter"], metric: string | undefined) {
  const isChosen = filter.template !== undefined || filter.rollout !== undefined;
  return useQuery({
    queryKey: queryKeys.recordedValues(filter, metric),
    queryFn: ({ signal }) => readValues({ filter, metric: metric ?? "" }, signal),
    enabled: isChosen && metric !== undefined,
    staleTime: 60_000,
  });
}

const maxValues = 12;

export type RecordedValues = { run: { uid: string; name: string }; values: string[] } | null;

async function readValues(
  { filter, metric }: Pick<BacktestBody, "filter" | "metric">,
  signal: AbortSignal,
): Promise<RecordedValues> {
  const body: BacktestBody = { metric, filter: { ...filter, limit: 1 }, proposal: {} };
  const { runs } = await request<BacktestAnswer>({ method: "POST", path: "/api/v1/analysis/backtest", body, signal });
  const [run] = runs;
  if (run === undefined) return null;
  const path = `/api/v1/analysis-runs/${encodeURIComponent(run.uid)}/measurements`;
  const query = { metric, points: 200, limit: 200 };
  const { items } = await request<ListPage<Measurement>>({ path, query, signal });
  const values = items.flatMap(({ value }) => (value === null ? [] : [value]));
  return { run: { uid: run.uid, name: run.name }, values: values.slice(-maxValues) };
}

/** Evaluates conditions on some results, one after the other: a person may have few evaluations at a time. */
export function useEvaluations(asked: readonly EvaluateRequest[]) {
  return useQuery({
    queryKey: queryKeys.evaluations(asked),
    queryFn: async ({ signal }) => {
      const verdicts: PhaseVerdict[] = [];
      for (const body of asked) {
        verdicts.push(await request<PhaseVerdict>({ method: "POST", path: "/api/v1/analysis/evaluate", body, signal }));
      }
      return verdicts;
    },
    enabled: asked.length > 0,
    staleTime: 60_000,
  });
}
