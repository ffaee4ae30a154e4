import { POD_START_ANNOTATION } from "#sandbox/controllers/reconcile-replica-set.ts";
import { readDemo } from "#test/demo.ts";

const group = "/apis/argoproj.io/v1alpha1/namespaces";
/** The namespace of the rollouts that specs create. */
export const ownNamespace = "e2e";

/** A sandbox; the default is the demo's. */
export type ClusterPlace = { server: string; token: string };

function demoCluster(): ClusterPlace {
  const [cluster] = readDemo().clusters;
  if (cluster === undefined) throw new Error("demo.json names no cluster");
  return cluster;
}

/** Calls the API server as its owner would with kubectl. Throws the server's answer if it refuses. */
export async function callCluster(
  method: string,
  path: string,
  body?: unknown,
  cluster: ClusterPlace = demoCluster(),
): Promise<Record<string, unknown>> {
  const response = await fetch(cluster.server + path, {
    method,
    headers: {
      authorization: `Bearer ${cluster.token}`,
      "content-type": method === "PATCH" ? "application/merge-patch+json" : "application/json",
    },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 300)}`);
  return JSON.parse(text) as Record<string, unknown>;
}

async function ensureNamespace(at?: ClusterPlace): Promise<void> {
  const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name: ownNamespace } };
  await callCluster("POST", "/api/v1/namespaces", namespace, at).catch((error: Error) => {
    if (!error.message.includes("409")) throw error;
  });
}

function podTemplate(name: string, version: string, image = name) {
  return {
    metadata: { labels: { app: name }, annotations: { [POD_START_ANNOTATION]: "1ms" } },
    spec: { containers: [{ name: "app", image: `registry.internal/${ownNamespace}/${image}:${version}` }] },
  };
}

type NewObject = { kind: string; plural: string; name: string; rest: Record<string, unknown> };

/** Creates an object in the namespace of the specs, and replaces one left there by an earlier attempt. */
export async function createObject({ kind, plural, name, rest }: NewObject, at?: ClusterPlace): Promise<void> {
  await ensureNamespace(at);
  const metadata = { name, namespace: ownNamespace };
  const object = { apiVersion: "argoproj.io/v1alpha1", kind, metadata, ...rest };
  const path = `${group}/${ownNamespace}/${plural}`;
  try {
    await callCluster("POST", path, object, at);
  } catch (error) {
    if (!(error instanceof Error && error.message.includes("AlreadyExists"))) throw error;
    await callCluster("DELETE", `${path}/${name}`, undefined, at);
    await callCluster("POST", path, object, at);
  }
}

/** Creates a rollout at v1 for one spec, so that no spec disturbs another. `image`: of its pods; by default its own. */
export async function createRollout(
  name: string,
  steps: readonly unknown[],
  at?: ClusterPlace,
  image?: string,
): Promise<void> {
  const spec = {
    replicas: 2,
    selector: { matchLabels: { app: name } },
    template: podTemplate(name, "v1", image),
    strategy: { canary: { steps } },
  };
  await createObject({ kind: "Rollout", plural: "rollouts", name, rest: { spec } }, at);
  await waitForStatus(name, (status) => status.phase === "Healthy", at);
}

/** Creates an analysis that no value satisfies or fails: it ends Inconclusive with the third measurement. */
export async function createInconclusiveTemplate(name: string): Promise<void> {
  const rest = {
    spec: {
      metrics: [
        {
          name: "success-rate",
          interval: "50ms",
          count: 8,
          failureLimit: 2,
          inconclusiveLimit: 2,
          successCondition: "result[0] >= 1.5",
          failureCondition: "result[0] < 0.5",
          provider: { prometheus: { address: "http://prometheus.internal", query: "up" } },
        },
      ],
    },
  };
  await createObject({ kind: "AnalysisTemplate", plural: "analysistemplates", name, rest });
}

export async function patchRollout(name: string, body: unknown, at?: ClusterPlace): Promise<void> {
  await callCluster("PATCH", `${group}/${ownNamespace}/rollouts/${name}`, body, at);
}

export async function releaseVersion(name: string, version: string, at?: ClusterPlace, image?: string): Promise<void> {
  await patchRollout(name, { spec: { template: podTemplate(name, version, image) } }, at);
}

/** Continues a paused rollout as `kubectl argo rollouts promote` does. */
export async function clearPause(name: string): Promise<void> {
  await callCluster("PATCH", `${group}/${ownNamespace}/rollouts/${name}/status`, { status: { pauseConditions: null } });
}

/** Aborts a rollout as `kubectl argo rollouts abort` does. */
export async function abortRollout(name: string, at?: ClusterPlace): Promise<void> {
  await callCluster("PATCH", `${group}/${ownNamespace}/rollouts/${name}/status`, { status: { abort: true } }, at);
}

type Status = { phase?: string; message?: string; currentStepIndex?: number; pauseConditions?: unknown[] };

export async function readRollout(
  name: string,
  at?: ClusterPlace,
): Promise<{ spec: { paused?: boolean }; status?: Status }> {
  const object = await callCluster("GET", `${group}/${ownNamespace}/rollouts/${name}`, undefined, at);
  return object as { spec: { paused?: boolean }; status?: Status };
}

/** Waits until the cluster itself has the status; the specs assert the pages. */
export async function waitForStatus(
  name: string,
  isReached: (status: Status) => boolean,
  at?: ClusterPlace,
): Promise<void> {
  const until = Date.now() + 180_000;
  for (;;) {
    const { status = {} } = await readRollout(name, at);
    if (isReached(status)) return;
    if (Date.now() > until) throw new Error(`${name} stays ${JSON.stringify(status).slice(0, 300)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Creates a rollout that waits on an inconclusive analysis of its second step. */
export async function createInconclusiveRollout(name: string): Promise<void> {
  await createInconclusiveTemplate(name);
  await createRollout(name, [{ setWeight: 50 }, { analysis: { templates: [{ templateName: name }] } }, { pause: {} }]);
  await releaseVersion(name, "v2");
  await waitForStatus(name, ({ message }) => message === "InconclusiveAnalysisRun");
}

/** Creates a rollout that waits at a pause without an end, at 50 %. */
export async function createPausedRollout(name: string, at?: ClusterPlace): Promise<void> {
  await createRollout(name, [{ setWeight: 50 }, { pause: {} }, { setWeight: 80 }, { pause: {} }], at);
  await releaseVersion(name, "v2", at);
  await waitForStatus(name, ({ message }) => message === "CanaryPauseStep", at);
}
