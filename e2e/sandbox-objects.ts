import {
  callCluster,
  createInconclusiveTemplate,
  createObject,
  createRollout,
  ownNamespace,
  releaseVersion,
} from "./sandbox.ts";

const group = `/apis/argoproj.io/v1alpha1/namespaces/${ownNamespace}`;

type Plural = "rollouts" | "analysisruns" | "experiments";

/** What the cluster itself says of an object: specs look at these parts of it. */
export type ClusterObject = {
  metadata: { name: string; uid: string; generation: number; managedFields?: { manager?: string }[] };
  spec: {
    terminate?: boolean;
    template?: { spec: { containers: { name: string; image: string }[] } };
  };
  status?: { phase?: string; message?: string; currentStepIndex?: number; currentPodHash?: string; stableRS?: string };
};

export async function readObject(plural: Plural, name: string): Promise<ClusterObject> {
  return (await callCluster("GET", `${group}/${plural}/${name}`)) as ClusterObject;
}

/** Those whose name begins with that of the rollout, oldest first. */
export async function listObjects(plural: Plural, rollout: string): Promise<ClusterObject[]> {
  const { items } = (await callCluster("GET", `${group}/${plural}`)) as {
    items: (ClusterObject & { metadata: { creationTimestamp: string } })[];
  };
  return items
    .filter(({ metadata }) => metadata.name.startsWith(`${rollout}-`))
    .toSorted((one, other) => one.metadata.creationTimestamp.localeCompare(other.metadata.creationTimestamp));
}

/** Waits for the oldest of them that is as wanted, as the cluster itself says. */
export async function waitForObject(
  plural: Plural,
  rollout: string,
  isWanted: (object: ClusterObject) => boolean,
): Promise<ClusterObject> {
  const until = Date.now() + 180_000;
  for (;;) {
    const objects = await listObjects(plural, rollout);
    const found = objects.find(isWanted);
    if (found !== undefined) return found;
    if (Date.now() > until)
      throw new Error(`no ${plural} of ${rollout} is so: ${JSON.stringify(objects.map(({ status }) => status))}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** An analysis of the demo's usual success rate, a measurement a second, that ends by itself after ten minutes. */
async function createLongTemplate(name: string): Promise<void> {
  const rest = {
    spec: {
      metrics: [
        {
          name: "success-rate",
          interval: "1s",
          count: 600,
          successCondition: "result[0] >= 0.5",
          provider: { prometheus: { address: "http://prometheus.internal", query: "up" } },
        },
      ],
    },
  };
  await createObject({ kind: "AnalysisTemplate", plural: "analysistemplates", name, rest });
}

/** A rollout whose second step waits for an analysis that is under way; resolves to the run. */
export async function createJudgedRollout(name: string): Promise<ClusterObject> {
  await createLongTemplate(name);
  await createRollout(name, [{ setWeight: 50 }, { analysis: { templates: [{ templateName: name }] } }, { pause: {} }]);
  await releaseVersion(name, "v2");
  return waitForObject("analysisruns", name, ({ status }) => status?.phase === "Running");
}

/** An Experiment that no rollout owns and whose analysis ends Inconclusive. */
export async function createLoneExperiment(name: string): Promise<ClusterObject> {
  await createInconclusiveTemplate(name);
  const labels = { app: name };
  const template = {
    metadata: { labels },
    spec: { containers: [{ name: "app", image: `registry.internal/e2e/${name}:v1` }] },
  };
  const spec = {
    templates: [{ name: "candidate", replicas: 1, selector: { matchLabels: labels }, template }],
    analyses: [{ name: "compare", templateName: name }],
  };
  await createObject({ kind: "Experiment", plural: "experiments", name: `${name}-1`, rest: { spec } });
  return waitForObject("experiments", name, ({ status }) => status?.phase === "Inconclusive");
}
