import type {
  MetricSeries,
  RolloutSample,
  SampledController,
  SamplingProvider,
} from "#lib/domain/delivery/sampling.ts";
import { labelMetrics } from "./measuring/analysis-spec.ts";
import type { CanaryObject } from "./objects/canary-object.ts";
import { analysisOf, targetNameOf } from "./objects/canary-spec.ts";
import { readFlaggerVersion } from "./view/controller-version.ts";

const info = "flagger_info";
const weight = "flagger_canary_weight";
const analysis = "flagger_canary_metric_analysis";

/** The metrics of fluxcd/flagger pkg/metrics/recorder.go, 1.44.0. */
export const flaggerSampling: SamplingProvider = { series: [info, weight, analysis], readController };

function readController(series: readonly MetricSeries[]): SampledController {
  const infos = series.filter(({ name }) => name === info);
  const versions = new Set(infos.map(({ labels }) => readFlaggerVersion(labels.version ?? "")));
  const routers = new Set(infos.map(({ labels }) => labels.mesh_provider));
  return {
    version: versions.size === 1 ? [...versions][0] : undefined,
    defaultRouter: routers.size === 1 ? [...routers][0] : undefined,
  };
}

/**
 * Reads the samples of one Canary from Flagger's metrics, oldest first. Their labels name the target, not the Canary.
 * The values have the units of Gatehouse's measurements already: percent, and seconds for `request-duration`. Metrics
 * with the same name share one series and are left out.
 */
export function readCanarySamples(canary: CanaryObject, series: readonly MetricSeries[]): RolloutSample[] {
  const { namespace = "default" } = canary.metadata;
  const target = targetNameOf(canary);
  const labels = labelMetrics(analysisOf(canary)?.metrics ?? []);
  const isUnique = (name: string) => labels.filter(({ metric }) => metric.name === name).length === 1;
  return series
    .filter((each) => labelOf(each, "namespace") === namespace)
    .flatMap((each): RolloutSample[] => {
      if (each.name === weight && labelOf(each, "workload") === target)
        return each.points.map((point) => ({ ...point, metric: null }));
      const metric = labelOf(each, "metric") ?? "";
      const isOwn = each.name === analysis && labelOf(each, "name") === target && isUnique(metric);
      return isOwn ? each.points.map((point) => ({ ...point, metric })) : [];
    })
    .toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at));
}

/** Reads a label. Prometheus renames it if the scraped target has one of that name (`honor_labels: false`). */
function labelOf({ labels }: MetricSeries, name: string): string | undefined {
  return labels[`exported_${name}`] ?? labels[name];
}
