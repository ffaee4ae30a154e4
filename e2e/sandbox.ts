import { readDemo } from "#test/demo.ts";

const group = "/apis/argoproj.io/v1alpha1/namespaces";
/** Where the rollouts live that a spec makes for itself. */
export const ownNamespace = "e2e";

/** Calls the demo's API server as its owner would with kubectl. Throws what it says where it refuses. */
export async function callCluster(method: string, path: string, body?: unknown): Promise<Record<string, unknown>> {
  const [cluster] = readDemo().clusters;
  if (cluster === undefined) throw new Error("demo.json names no cluster");
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

async function ensureNamespace(): Promise<void> {
  await callCluster("POST", "/api/v1/namespaces", {
    apiVersion: "v1",
    kind: "Namespace",
    metadata: { name: ownNamespace },
  }).catch((error: Error) => {
    if (!error.message.includes("409")) throw error;
  });
}

function podTemplate(name: string, version: string) {
  return {
    metadata: { labels: { app: name } },
    spec: { containers: [{ name: "app", image: `registry.internal/${ownNamespace}/${name}:${version}` }] },
  };
}

async function create(kind: string, plural: string, name: string, rest: Record<string, unknown>): Promise<void> {
  await ensureNamespace();
  await callCluster("POST", `${group}/${ownNamespace}/${plural}`, {
    apiVersion: "argoproj.io/v1alpha1",
    kind,
    metadata: { name, namespace: ownNamespace },
    ...rest,
  });
}

/** A rollout of the spec's own at v1, so that no spec disturbs another. */
export async function createRollout(name: string, steps: readonly unknown[]): Promise<void> {
  await create("Rollout", "rollouts", name, {
    spec: {
      replicas: 2,
      selector: { matchLabels: { app: name } },
      template: podTemplate(name, "v1"),
      strategy: { canary: { steps } },
    },
  });
  await waitForStatus(name, (status) => status.phase === "Healthy");
}

/** An analysis that no value satisfies or fails: it ends Inconclusive with the third measurement. */
export async function createInconclusiveTemplate(name: string): Promise<void> {
  await create("AnalysisTemplate", "analysistemplates", name, {
    spec: {
      metrics: [
        {
          name: "success-rate",
          interval: "1s",
          count: 8,
          failureLimit: 2,
          inconclusiveLimit: 2,
          successCondition: "result[0] >= 1.5",
          failureCondition: "result[0] < 0.5",
          provider: { prometheus: { address: "http://prometheus.internal", query: "up" } },
        },
      ],
    },
  });
}

export async function releaseVersion(name: string, version: string): Promise<void> {
  await callCluster("PATCH", `${group}/${ownNamespace}/rollouts/${name}`, {
    spec: { template: podTemplate(name, version) },
  });
}

/** What `kubectl argo rollouts promote` does to a paused rollout. */
export async function clearPause(name: string): Promise<void> {
  await callCluster("PATCH", `${group}/${ownNamespace}/rollouts/${name}/status`, { status: { pauseConditions: null } });
}

type Status = { phase?: string; message?: string; currentStepIndex?: number };

/** Waits until the cluster itself says so; the pages are asserted by the specs. */
export async function waitForStatus(name: string, isReached: (status: Status) => boolean): Promise<void> {
  const until = Date.now() + 30_000;
  for (;;) {
    const { status = {} } = (await callCluster("GET", `${group}/${ownNamespace}/rollouts/${name}`)) as {
      status?: Status;
    };
    if (isReached(status)) return;
    if (Date.now() > until) throw new Error(`${name} stays ${JSON.stringify(status).slice(0, 300)}`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** A rollout that waits on an inconclusive analysis of its second step. */
export async function createInconclusiveRollout(name: string): Promise<void> {
  await createInconclusiveTemplate(name);
  await createRollout(name, [{ setWeight: 50 }, { analysis: { templates: [{ templateName: name }] } }, { pause: {} }]);
  await releaseVersion(name, "v2");
  await waitForStatus(name, ({ message }) => message === "InconclusiveAnalysisRun");
}

/** A rollout that waits at a pause without an end, at 50 %. */
export async function createPausedRollout(name: string): Promise<void> {
  await createRollout(name, [{ setWeight: 50 }, { pause: {} }, { setWeight: 80 }, { pause: {} }]);
  await releaseVersion(name, "v2");
  await waitForStatus(name, ({ message }) => message === "CanaryPauseStep");
}
