import type { KubeObjectInput } from "#sandbox/apiserver/store-types.ts";
import type { RolloutAnalysis } from "#sandbox/controllers/rollout-types.ts";
import type { Scenario, Template } from "./scenario-types.ts";

/** Reference to templates with the two arguments that all of ours take. */
export function analysisOf(service: string, ...templateNames: string[]): RolloutAnalysis {
  return {
    templates: templateNames.map((templateName) => ({ templateName })),
    args: [
      { name: "service", value: service },
      { name: "canary-hash", valueFrom: { podTemplateHashValue: "Latest" } },
    ],
  };
}

export function buildTemplate(namespace: string, template: Template): KubeObjectInput {
  const { name, isClusterScoped = false, ...spec } = template;
  return {
    apiVersion: "argoproj.io/v1alpha1",
    kind: isClusterScoped ? "ClusterAnalysisTemplate" : "AnalysisTemplate",
    metadata: isClusterScoped ? { name } : { name, namespace },
    spec: { args: [{ name: "service" }, { name: "canary-hash" }], ...spec },
  };
}

export function buildRollout(scenario: Scenario): KubeObjectInput {
  const { namespace, name, image, version, replicas, strategy, analysisLimits, revisionHistoryLimit } = scenario;
  const labels = { app: name };
  const container = {
    name,
    image: `${image}:${version}`,
    ports: [{ name: "http", containerPort: 8080, protocol: "TCP" }],
    resources: { requests: { cpu: "100m", memory: "128Mi" } },
  };
  return {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "Rollout",
    metadata: { name, namespace, labels: { ...labels, team: namespace } },
    spec: {
      replicas,
      ...(revisionHistoryLimit === undefined ? {} : { revisionHistoryLimit }),
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [container] } },
      ...(analysisLimits === undefined ? {} : { analysis: analysisLimits }),
      strategy: { canary: strategy },
    },
  };
}

/** Weights through Istio, as the service of that name has it. */
export function istio(name: string) {
  return {
    canaryService: `${name}-canary`,
    stableService: `${name}-stable`,
    trafficRouting: { istio: { virtualService: { name, routes: ["primary"] } } },
    scaleDownDelaySeconds: 5,
    abortScaleDownDelaySeconds: 5,
  };
}
