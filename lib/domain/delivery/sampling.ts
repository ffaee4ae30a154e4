import type { ApiResource } from "#lib/domain/kube/api-resource.ts";

/** `at`: ISO 8601, by the clock that scraped it. */
export type MetricPoint = { at: string; value: number };

/** A series of a controller's own metrics, as Prometheus answers a range selector: raw samples with their own times. */
export type MetricSeries = {
  name: string;
  labels: Readonly<Record<string, string>>;
  /** Oldest first. */
  points: readonly MetricPoint[];
};

/**
 * A sampled value of one rollout: of a metric of its analysis, in the unit of its measurements, or, if `metric` is
 * null, the percentage of the traffic on the new version.
 */
export type RolloutSample = MetricPoint & { metric: string | null };

/** The object in which a controller writes how much traffic the new version gets. */
export type TrafficRoute = {
  resource: ApiResource;
  /** In the rollout's namespace. */
  name: string;
  /** Reads the percentage on the new version; undefined if the object does not contain it. */
  readWeight(object: unknown): number | undefined;
};

/** The version and default router of a controller, from its metrics. Undefined: missing, or its replicas disagree. */
export type SampledController = {
  version: string | undefined;
  /** The router of rollouts that name none; empty if the controller names none either. */
  defaultRouter: string | undefined;
};

/** Which metrics a controller has about its rollouts; see also `DeliveryObject.readSamples`. */
export type SamplingProvider = {
  /** Names of the series. */
  series: readonly string[];
  readController(series: readonly MetricSeries[]): SampledController;
};
