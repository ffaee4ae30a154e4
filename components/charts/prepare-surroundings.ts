import type { ChartSurroundings } from "#components/charts/chart-marks.tsx";
import type { Domain } from "#components/charts/chart-scale.ts";
import { prepareWeightSteps } from "#components/charts/prepare-weight-steps.ts";
import { spreadSeconds } from "#components/charts/spread-seconds.ts";
import type { AnalysisRunDetail, EarlierSeries } from "#lib/contract/analysis-run.ts";

type Input = {
  run: Pick<AnalysisRunDetail, "metrics" | "weights" | "marks" | "startedAt">;
  earlier: readonly EarlierSeries[];
  timeDomain: Domain;
};

/** Prepares the context of each metric's line. Earlier runs are shifted to begin with this one. */
export function prepareSurroundings({ run, earlier, timeDomain }: Input): Map<string, ChartSurroundings> {
  const weights = prepareWeightSteps(run.weights, timeDomain);
  const marks = run.marks.map(({ at, kind, text }) => ({ atMs: Date.parse(at), kind, text }));
  const startMs = run.startedAt === null ? undefined : Date.parse(run.startedAt);
  return new Map(
    run.metrics.map(({ name }) => {
      const own = startMs === undefined ? [] : earlier.filter(({ metric }) => metric === name);
      return [
        name,
        {
          weights,
          marks,
          earlier: own.map(({ uid, points }) => ({
            uid,
            stretches: spreadSeconds(
              points.map(({ offsetSeconds, low, high }) => ({
                atMs: (startMs ?? 0) + offsetSeconds * 1_000,
                low,
                high,
              })),
            ),
          })),
        },
      ];
    }),
  );
}
