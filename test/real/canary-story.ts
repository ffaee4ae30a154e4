import type { Json } from "./real-cluster.ts";
import type { RealWorld } from "./real-world.ts";
import { followRollout, type RolloutStory } from "./rollout-story.ts";

/** The status of a Canary, as far as stories read it. */
export type CanaryStatus = {
  phase?: string;
  canaryWeight?: number;
  failedChecks?: number;
  iterations?: number;
  lastAppliedSpec?: string;
};
export type CanaryStory = RolloutStory<CanaryStatus> & { primaryPath: string };

/** Flagger checks no more often than this. */
export const intervalSeconds = 10;

export type CanaryOptions = {
  name: string;
  /** Which gates ask Gatehouse; the rollback hook and the event hook always do. */
  gates?: string[];
  analysis?: Json;
  spec?: Json;
  /** More of the target's spec. */
  deployment?: Json;
};

/**
 * Creates a Deployment and its Canary, and waits until Flagger has made the primary. Its metric `success` must be at
 * least 0.9; the value is set under the canary's name.
 */
export async function startCanary(world: RealWorld, options: CanaryOptions): Promise<CanaryStory> {
  const { cluster, namespace, target, metrics } = world;
  const { name, gates = [], analysis = {}, spec = {}, deployment = {} } = options;
  const deployments = `/apis/apps/v1/namespaces/${namespace}/deployments`;
  const path = `/apis/flagger.app/v1beta1/namespaces/${namespace}/canaries/${name}`;
  const metadata = { name, namespace, labels: { app: name } };
  const containers = [{ name: "app", image: target.images[0], ports: [{ containerPort: 8080 }] }];
  const template = { metadata: { labels: { app: name } }, spec: { containers } };
  await cluster.create(deployments, {
    ...{ apiVersion: "apps/v1", kind: "Deployment", metadata },
    spec: { replicas: 2, selector: { matchLabels: { app: name } }, template, minReadySeconds: 1, ...deployment },
  });
  const backend = { service: { name, port: { number: 80 } } };
  const rules = [{ host: `${name}.example.com`, http: { paths: [{ pathType: "Prefix", path: "/", backend }] } }];
  await cluster.create(`/apis/networking.k8s.io/v1/namespaces/${namespace}/ingresses`, {
    ...{ apiVersion: "networking.k8s.io/v1", kind: "Ingress", metadata },
    spec: { rules },
  });
  await cluster.create(`/apis/flagger.app/v1beta1/namespaces/${namespace}/metrictemplates`, {
    ...{ apiVersion: "flagger.app/v1beta1", kind: "MetricTemplate", metadata },
    spec: { provider: { type: "prometheus", address: metrics.prometheus }, query: `${namespace}-${name}` },
  });
  const webhooks = [...gates, "rollback", "event"].map((type) => ({ name: type, type, url: world.gateUrl(type) }));
  const metric = { name: "success", templateRef: { name, namespace }, thresholdRange: { min: 0.9 }, interval: "30s" };
  await cluster.create(`/apis/flagger.app/v1beta1/namespaces/${namespace}/canaries`, {
    ...{ apiVersion: "flagger.app/v1beta1", kind: "Canary", metadata },
    spec: {
      provider: "nginx",
      targetRef: { apiVersion: "apps/v1", kind: "Deployment", name },
      ingressRef: { apiVersion: "networking.k8s.io/v1", kind: "Ingress", name },
      progressDeadlineSeconds: 40,
      service: { port: 80, targetPort: 8080 },
      analysis: {
        ...{ interval: `${intervalSeconds}s`, threshold: 3, maxWeight: 50, stepWeight: 50 },
        ...{ metrics: [metric], webhooks },
        ...analysis,
      },
      ...spec,
    },
  });
  const story = followRollout<CanaryStatus>(world, {
    ...{ kind: "Canary", name, path },
    templateOf: `${deployments}/${name}`,
  });
  await story.until("its first version is the primary", ({ phase }) => phase === "Initialized", 120_000);
  return { ...story, primaryPath: `${deployments}/${name}-primary` };
}

/**
 * Lets the recorder read Flagger's version, which it finds in the image of Flagger's Deployment: the stories' recorder
 * sees only their own namespace.
 */
export async function nameFlaggerVersion({ cluster, namespace, target }: RealWorld): Promise<void> {
  const name = "flagger";
  const containers = [{ name, image: `ghcr.io/fluxcd/flagger:${target.flaggerVersion}` }];
  await cluster.create(`/apis/apps/v1/namespaces/${namespace}/deployments`, {
    ...{ apiVersion: "apps/v1", kind: "Deployment", metadata: { name, namespace } },
    spec: {
      replicas: 0,
      selector: { matchLabels: { name } },
      template: { metadata: { labels: { name } }, spec: { containers } },
    },
  });
}
