import { isJson } from "./measurement-value.ts";
import type { Measurement, MetricSpec } from "./types.ts";

/**
 * Returns whether the controller ended the measurement before it had a result. The phase then says how the provider answers to an
 * end: until 1.9.3 a Job's is Successful, since 1.10 Inconclusive (argo-rollouts metricproviders/job, analysis.go).
 */
export function isCutOff({ message = "" }: Pick<Measurement, "message">): boolean {
  return message.toLowerCase() === "metric terminated";
}

/**
 * Returns whether the controller accepted the measurement without evaluating a condition: a web provider does so with a
 * body that is not JSON (argoproj/argo-rollouts#4535, all releases up to 1.10.2). With a `jsonPath` the value may also be
 * a text within JSON, which is evaluated.
 */
export function isUnevaluated(metric: Pick<MetricSpec, "provider">, { phase, value }: Measurement): boolean {
  const web = metric.provider?.web;
  if (web === undefined || phase !== "Successful") return false;
  return !hasPath(web) && !isJson(value ?? "");
}

function hasPath(web: unknown): boolean {
  return typeof web === "object" && web !== null && "jsonPath" in web && web.jsonPath !== "" && web.jsonPath !== null;
}
