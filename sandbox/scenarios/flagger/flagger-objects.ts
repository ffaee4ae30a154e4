import type { KubeObject, KubeObjectInput } from "#sandbox/apiserver/store-types.ts";
import { PRIMARY_POD_START_ANNOTATION } from "#sandbox/controllers/reconcile-deployment.ts";
import type { PodTemplate } from "#sandbox/controllers/rollout-types.ts";
import {
  type Canary,
  FLAGGER_VERSION_ANNOTATION,
  type HookType,
  type Metric,
  type Webhook,
} from "#sandbox/flagger/canary-types.ts";
import type { WantedObject } from "#sandbox/scenarios/install-scenario.ts";
import { PROMETHEUS } from "#sandbox/scenarios/metrics.ts";
import type { FlaggerScenario } from "./flagger-scenario-types.ts";

const METRICS: Metric[] = [
  { name: "request-success-rate", interval: "1m", thresholdRange: { min: 99 } },
  { name: "request-duration", interval: "1m", thresholdRange: { max: 500 } },
  { name: "dependency-errors", interval: "1m", thresholdRange: { max: 1 }, templateRef: { name: "dependency-errors" } },
];

/** The names of hooks whose refusal changes nothing. */
const HOOK_NAMES: Partial<Record<HookType, string>> = {
  "confirm-rollout": "start",
  "confirm-traffic-increase": "next step",
  "confirm-promotion": "promotion",
  rollback: "roll back",
  event: "events",
};

/** Builds the objects that a team deploys: the target, its Ingress, the template of a metric, and the Canary. */
export function buildFlaggerObjects(scenario: FlaggerScenario, gateBaseUrl: string): WantedObject[] {
  return [
    { resource: "metrictemplates", object: buildMetricTemplate(scenario) },
    { resource: "deployments", object: buildTarget(scenario) },
    { resource: "ingresses", object: buildIngress(scenario) },
    { resource: "canaries", object: buildCanary(scenario, gateBaseUrl) },
  ];
}

/** Returns the hooks of a scenario; each calls `<base>/<type>`. */
export function buildWebhooks({ gates }: FlaggerScenario, gateBaseUrl: string): Webhook[] {
  const types: HookType[] = [...gates, "rollback", "event"];
  return types.map((type) => ({
    name: HOOK_NAMES[type] ?? type,
    type,
    url: `${gateBaseUrl}/${type}`,
    timeout: "5s",
  }));
}

/** Returns the target with another image tag, as a deployment does. */
export function withRelease(target: KubeObject, scenario: FlaggerScenario, version: string): KubeObject {
  return { ...target, spec: { ...target.spec, template: buildPods(scenario, version) } };
}

function buildCanary(scenario: FlaggerScenario, gateBaseUrl: string): KubeObjectInput {
  const { namespace, name, analysis, flaggerVersion, progressDeadlineSeconds } = scenario;
  const annotations: Record<string, string> =
    flaggerVersion === undefined ? {} : { [FLAGGER_VERSION_ANNOTATION]: flaggerVersion };
  const spec: Canary["spec"] = {
    provider: "nginx",
    targetRef: { apiVersion: "apps/v1", kind: "Deployment", name },
    ingressRef: { name },
    progressDeadlineSeconds,
    service: { port: 80, targetPort: 8080 },
    analysis: { ...analysis, metrics: METRICS, webhooks: buildWebhooks(scenario, gateBaseUrl) },
  };
  return {
    apiVersion: "flagger.app/v1beta1",
    kind: "Canary",
    metadata: { name, namespace, labels: { app: name, team: namespace }, annotations },
    spec,
  };
}

function buildTarget(scenario: FlaggerScenario): KubeObjectInput {
  const { namespace, name, replicas, version, isRecreated = false } = scenario;
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name, namespace, labels: { app: name, team: namespace } },
    spec: {
      replicas,
      revisionHistoryLimit: 5,
      selector: { matchLabels: { app: name } },
      ...(isRecreated ? { strategy: { type: "Recreate" } } : {}),
      template: buildPods(scenario, version),
    },
  };
}

function buildPods(
  { name, image, version: first, isPrimaryBroken = false }: FlaggerScenario,
  version: string,
): PodTemplate {
  const isBroken = isPrimaryBroken && version !== first;
  const container = {
    name,
    image: `${image}:${version}`,
    ports: [{ name: "http", containerPort: 8080, protocol: "TCP" }],
    resources: { requests: { cpu: "100m", memory: "128Mi" } },
  };
  return {
    metadata: {
      labels: { app: name },
      ...(isBroken ? { annotations: { [PRIMARY_POD_START_ANNOTATION]: "never" } } : {}),
    },
    spec: { containers: [container] },
  };
}

function buildIngress({ namespace, name }: FlaggerScenario): KubeObjectInput {
  const backend = { service: { name, port: { number: 80 } } };
  return {
    apiVersion: "networking.k8s.io/v1",
    kind: "Ingress",
    metadata: { name, namespace, labels: { app: name }, annotations: { "kubernetes.io/ingress.class": "nginx" } },
    spec: {
      rules: [{ host: `${name}.example.com`, http: { paths: [{ path: "/", pathType: "Prefix", backend }] } }],
    },
  };
}

function buildMetricTemplate({ namespace }: FlaggerScenario): KubeObjectInput {
  const requests = 'rpc_client_errors_total{namespace="{{ namespace }}",workload="{{ target }}"}[{{ interval }}]';
  return {
    apiVersion: "flagger.app/v1beta1",
    kind: "MetricTemplate",
    metadata: { name: "dependency-errors", namespace },
    spec: { provider: { type: "prometheus", address: PROMETHEUS }, query: `sum(rate(${requests}))` },
  };
}
