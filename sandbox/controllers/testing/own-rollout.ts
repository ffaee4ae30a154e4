import type { MetricSpec } from "#lib/domain/argo/analysis/types.ts";
import type { KubeObject } from "#sandbox/apiserver/store-types.ts";
import type { World } from "./sandbox-world.ts";

/** Conditions on a success rate of about 0.995, with the verdict that they lead to. */
const CONDITIONS = {
  good: { successCondition: "result[0] > 0.5" },
  bad: { successCondition: "result[0] > 1.5" },
  unclear: { successCondition: "result[0] > 1.5", failureCondition: "result[0] < 0.5" },
};

export type Outcome = keyof typeof CONDITIONS;

/** Makes a metric of three measurements in two seconds; with `isLong`, so many that only an explicit stop ends it. */
export function metricOf(outcome: Outcome, isLong = false): MetricSpec {
  const limits = { failureLimit: 1, inconclusiveLimit: 1, count: isLong ? 100_000 : 3 };
  const provider = { prometheus: { query: "up" } };
  return { name: "success-rate", interval: "1s", ...limits, ...CONDITIONS[outcome], provider };
}

export function putTemplate(world: World, name: string, metrics: MetricSpec[]): void {
  const existing = world.store.get("analysistemplates", "default", name);
  if (existing !== undefined) {
    world.store.update("analysistemplates", { ...existing, spec: { metrics } }, { manager: "test" });
    return;
  }
  const template = { apiVersion: "argoproj.io/v1alpha1", kind: "AnalysisTemplate", spec: { metrics } };
  world.store.create(
    "analysistemplates",
    { ...template, metadata: { name, namespace: "default" } },
    { manager: "test" },
  );
}

export function putService(world: World, name: string): void {
  const service = { apiVersion: "v1", kind: "Service", spec: { selector: { app: "app" } } };
  world.store.create("services", { ...service, metadata: { name, namespace: "default" } }, { manager: "test" });
}

export function podTemplate(image = "app:v1") {
  return {
    metadata: { labels: { app: "app" } },
    spec: { containers: [{ name: "app", image, ports: [{ containerPort: 80 }] }] },
  };
}

/** Creates the Rollout default/app at app:v1. */
export function putRollout(world: World, spec: Record<string, unknown>): void {
  const rollout = {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "Rollout",
    metadata: { name: "app", namespace: "default" },
    spec: { replicas: 2, ...spec },
  };
  world.store.create("rollouts", rollout, { manager: "test" });
}

export const SELECTOR = { matchLabels: { app: "app" } };

export function eventReasons(world: World, about: string): string[] {
  return eventsAbout(world, about).map((event) => String(event.reason));
}

/** Returns the Events about the objects of that name, in order of creation. */
export function eventsAbout(world: World, about: string): KubeObject[] {
  return world.store
    .list("events", "default")
    .filter((event) => (event.involvedObject as { name: string }).name === about)
    .sort((left, right) => left.metadata.uid.localeCompare(right.metadata.uid));
}
