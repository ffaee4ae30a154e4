import type { KubeObjectInput } from "#sandbox/apiserver/store-types.ts";
import type { RolloutAnalysis } from "#sandbox/controllers/rollout-types.ts";
import { RESTARTED_ANNOTATION } from "#sandbox/controllers/sync-pods.ts";
import { trackByArgoCd } from "./gitops-agent.ts";
import type { Scenario, Template } from "./scenario-types.ts";

/** Refers to templates with the two arguments that all of ours take. */
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
  const { namespace, name, replicas, strategy, blueGreen, analysisLimits, revisionHistoryLimit } = scenario;
  const labels = { app: name };
  const { selector, template } = buildPods(scenario);
  const workloadRef = { apiVersion: "apps/v1", kind: "Deployment", name, ...scenario.workload };
  const rollout: KubeObjectInput = {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "Rollout",
    metadata: {
      name,
      namespace,
      labels: { ...labels, team: namespace, ...scenario.labels },
      ...annotationsOf(scenario),
    },
    spec: {
      replicas,
      ...(revisionHistoryLimit === undefined ? {} : { revisionHistoryLimit }),
      ...(scenario.workload === undefined ? { selector, template } : { workloadRef }),
      ...(analysisLimits === undefined ? {} : { analysis: analysisLimits }),
      ...(scenario.isGitOps === true ? { paused: false } : {}),
      strategy: blueGreen === undefined ? { canary: strategy ?? {} } : { blueGreen },
    },
  };
  return scenario.isGitOps === true ? trackByArgoCd(rollout) : rollout;
}

function annotationsOf({ links }: Scenario): { annotations?: Record<string, string> } {
  if (links === undefined) return {};
  const entries = Object.entries(links).map(([name, url]) => [`gatehouse.dev/link.${name}`, url]);
  return { annotations: Object.fromEntries(entries) };
}

/** Builds the Deployment that contains the pod template of a workloadRef; undefined if the Rollout has its own. */
export function buildDeployment(scenario: Scenario): KubeObjectInput | undefined {
  const { namespace, name, replicas, workload } = scenario;
  return workload === undefined
    ? undefined
    : {
        apiVersion: "apps/v1",
        kind: "Deployment",
        metadata: { name, namespace, labels: { app: name, team: namespace } },
        spec: { replicas, ...buildPods(scenario) },
      };
}

/** Builds the Services that the strategy names. */
export function buildServices({ namespace, name, strategy, blueGreen }: Scenario): KubeObjectInput[] {
  const names = [
    strategy?.stableService,
    strategy?.canaryService,
    blueGreen?.activeService,
    blueGreen?.previewService,
  ].filter((service) => service !== undefined);
  return names.map((service) => ({
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: service, namespace, labels: { app: name } },
    spec: { selector: { app: name }, ports: [{ name: "http", port: 80, targetPort: 8080, protocol: "TCP" }] },
  }));
}

function buildPods({ name, image, version, hasSidecar = false }: Scenario) {
  const labels = { app: name };
  const container = {
    name,
    image: `${image}:${version}`,
    ports: [{ name: "http", containerPort: 8080, protocol: "TCP" }],
    resources: { requests: { cpu: "100m", memory: "128Mi" } },
  };
  const initContainers = [
    { name: "migrate", image: "registry.internal/tools/migrate:v4.18.1" },
    { name: "proxy", image: "registry.internal/mesh/proxy:v1.31.2", restartPolicy: "Always" },
  ];
  const annotations = { [RESTARTED_ANNOTATION]: "1" };
  return {
    selector: { matchLabels: labels },
    template: {
      metadata: { labels, ...(hasSidecar ? { annotations } : {}) },
      spec: { ...(hasSidecar ? { initContainers } : {}), containers: [container] },
    },
  };
}

/** Routes weights through Istio, for the service of that name. */
export function istio(name: string) {
  return {
    canaryService: `${name}-canary`,
    stableService: `${name}-stable`,
    trafficRouting: { istio: { virtualService: { name, routes: ["primary"] } } },
    scaleDownDelaySeconds: 5,
    abortScaleDownDelaySeconds: 5,
  };
}
