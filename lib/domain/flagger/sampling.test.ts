import { describe, expect, it } from "vitest";
import type { MetricSeries } from "#lib/domain/delivery/sampling.ts";
import { parseCanary } from "./objects/canary-object.ts";
import { flaggerSampling, readCanarySamples } from "./sampling.ts";

function canaryOf(metrics: object[] = [{ name: "errors" }, { name: "request-duration" }]) {
  const parsed = parseCanary({
    apiVersion: "flagger.app/v1beta1",
    kind: "Canary",
    metadata: { name: "shop-canary", namespace: "shop", uid: "u", resourceVersion: "1" },
    spec: { targetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web" }, analysis: { metrics } },
  });
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.value;
}

const at = (seconds: number) => new Date(Date.UTC(2026, 10, 20, 12, 0, seconds)).toISOString();
const series = (name: string, labels: Record<string, string>, values: [number, number][]): MetricSeries => ({
  name,
  labels,
  points: values.map(([second, value]) => ({ at: at(second), value })),
});
const weightOf = (labels: Record<string, string>, ...values: [number, number][]) =>
  series("flagger_canary_weight", labels, values);
const metricOf = (labels: Record<string, string>, ...values: [number, number][]) =>
  series("flagger_canary_metric_analysis", labels, values);

describe("samples of a canary", () => {
  it("are those of its target, not of the primary, of a namesake or of the canary's own name", () => {
    const found = readCanarySamples(canaryOf(), [
      weightOf({ workload: "web", namespace: "shop" }, [5, 20]),
      weightOf({ workload: "web-primary", namespace: "shop" }, [5, 80]),
      weightOf({ workload: "web", namespace: "other" }, [5, 50]),
      weightOf({ workload: "shop-canary", namespace: "shop" }, [5, 60]),
      metricOf({ name: "web", namespace: "shop", metric: "errors" }, [5, 0], [15, 2.5]),
      metricOf({ name: "web", namespace: "shop", metric: "unknown" }, [5, 1]),
    ]);
    expect(found).toEqual([
      { metric: null, at: at(5), value: 20 },
      { metric: "errors", at: at(5), value: 0 },
      { metric: "errors", at: at(15), value: 2.5 },
    ]);
  });

  it("are found if Prometheus renamed the labels, and joined over Flagger's pods", () => {
    const own = { exported_namespace: "shop", namespace: "flagger-system", workload: "web" };
    const found = readCanarySamples(canaryOf(), [
      weightOf({ ...own, pod: "new" }, [25, 40]),
      weightOf({ ...own, pod: "old" }, [5, 20], [15, 20]),
    ]);
    expect(found.map(({ at: time, value }) => [time, value])).toEqual([
      [at(5), 20],
      [at(15), 20],
      [at(25), 40],
    ]);
  });

  it("leave out metrics that share their name", () => {
    const canary = canaryOf([{ name: "errors" }, { name: "errors", templateRef: { name: "other" } }]);
    expect(readCanarySamples(canary, [metricOf({ name: "web", namespace: "shop", metric: "errors" }, [5, 1])])).toEqual(
      [],
    );
  });
});

describe("Flagger's own metrics", () => {
  const infoOf = (version: string, mesh_provider: string) =>
    series("flagger_info", { version, mesh_provider }, [[1, 1]]);
  it.each([
    { name: "one", given: [infoOf("1.44.0", "nginx")], version: "1.44.0", defaultRouter: "nginx" },
    { name: "none", given: [], version: undefined, defaultRouter: undefined },
    {
      name: "replicas that agree",
      given: [infoOf("1.43.0", ""), infoOf("1.43.0", "")],
      version: "1.43.0",
      defaultRouter: "",
    },
    {
      name: "an upgrade",
      given: [infoOf("1.43.0", "istio"), infoOf("1.44.0", "istio")],
      version: undefined,
      defaultRouter: "istio",
    },
    { name: "no release", given: [infoOf("main-0a1b2c3", "istio")], version: undefined, defaultRouter: "istio" },
  ])("say its version and default router: $name", ({ given, ...expected }) => {
    expect(flaggerSampling.readController(given)).toEqual({
      version: expected.version,
      defaultRouter: expected.defaultRouter,
    });
  });
});
