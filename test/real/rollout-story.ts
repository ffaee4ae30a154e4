import { setTimeout as sleep } from "node:timers/promises";
import type { RolloutDetail } from "#lib/contract/rollout.ts";
import type { Json, KubeObject } from "./real-cluster.ts";
import type { RealWorld } from "./real-world.ts";

export type Status = {
  phase?: string;
  message?: string;
  currentStepIndex?: number;
  currentPodHash?: string;
  stableRS?: string;
  abort?: boolean;
  promoteFull?: boolean;
  controllerPause?: boolean;
  restartedAt?: string;
  pauseConditions?: { reason: string }[];
  canary?: Json & { currentBackgroundAnalysisRunStatus?: { name: string; status: string } };
  blueGreen?: { activeSelector?: string };
};

/** One rollout of a story: written to and read from the cluster directly, in addition to Gatehouse. */
export type RolloutStory<S = Status> = {
  kind: string;
  name: string;
  path: string;
  read(): Promise<KubeObject>;
  status(): Promise<S>;
  /** Returns the status once it fits; throws with the last one if it never does. */
  until(what: string, fits: (status: S) => boolean, withinMs?: number): Promise<S>;
  /** Returns what Gatehouse reports once it fits: the recorder follows the cluster. */
  seen(what: string, fits: (detail: RolloutDetail) => boolean, withinMs?: number): Promise<RolloutDetail>;
  release(image: string, more?: Json): Promise<void>;
};

/** Follows a rollout of any kind; `templateOf`: the path of the object with its pod template. */
export function followRollout<S>(
  { cluster, look }: RealWorld,
  { kind, name, path, templateOf }: { kind: string; name: string; path: string; templateOf: string },
): RolloutStory<S> {
  const read = () => cluster.get(path);
  const status = async () => ((await read()).status ?? {}) as S;
  const within = (withinMs: number | undefined) => (withinMs === undefined ? {} : { withinMs });
  return {
    kind,
    name,
    path,
    read,
    status,
    until: (what, fits, withinMs) => poll({ what: `${name}: ${what}`, read: status, fits, ...within(withinMs) }),
    seen: (what, fits, withinMs) =>
      poll({ what: `Gatehouse on ${name}: ${what}`, read: () => look(name, kind), fits, ...within(withinMs) }),
    async release(image, more = {}) {
      const containers = [{ name: "app", image }];
      await cluster.patch(templateOf, { spec: { template: { spec: { containers } }, ...more } });
    },
  };
}

export type StoryOptions = {
  name: string;
  strategy: Json;
  replicas?: number;
  /** More of the spec. */
  spec?: Json;
};

/** Creates the rollout at its first version, and waits until it is healthy. */
export async function startStory(world: RealWorld, options: StoryOptions): Promise<RolloutStory> {
  const { cluster, namespace, target } = world;
  const { name, strategy, replicas = 2, spec = {} } = options;
  const rollouts = `/apis/argoproj.io/v1alpha1/namespaces/${namespace}/rollouts`;
  const path = `${rollouts}/${name}`;
  const template = {
    metadata: { labels: { app: name } },
    spec: { containers: [{ name: "app", image: target.images[0] }] },
  };
  const story = followRollout<Status>(world, { kind: "Rollout", name, path, templateOf: path });
  await cluster.create(rollouts, {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "Rollout",
    metadata: { name, namespace, labels: { app: name } },
    spec: { replicas, selector: { matchLabels: { app: name } }, template, strategy, ...spec },
  });
  // Argo Rollouts 1.9 may report Healthy before it names the stable version; a change before that skips all steps.
  await story.until(
    "healthy and stable at its first version",
    ({ phase, stableRS, currentPodHash }) =>
      phase === "Healthy" && currentPodHash !== undefined && stableRS === currentPodHash,
  );
  return story;
}

export type TemplateOptions = { name: string; count?: number; interval?: string; inconclusiveLimit?: number };

/** Makes a metric that is good from 0.9 on, bad below 0.5, and Inconclusive between; its value is set under `name`. */
export async function putTemplate(world: RealWorld, options: TemplateOptions): Promise<void> {
  const { cluster, namespace, metrics } = world;
  const { name, ...more } = options;
  const metric = {
    name: "band",
    interval: "1s",
    count: 3,
    successCondition: "result >= 0.9",
    failureCondition: "result < 0.5",
    ...more,
    provider: { web: { url: metrics.urlOf(`${namespace}-${name}`), jsonPath: "{$.data}" } },
  };
  await cluster.create(`/apis/argoproj.io/v1alpha1/namespaces/${namespace}/analysistemplates`, {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "AnalysisTemplate",
    metadata: { name, namespace },
    spec: { metrics: [metric] },
  });
}

export function setMetric(world: RealWorld, name: string, value: unknown): Promise<void> {
  return world.metrics.set(`${world.namespace}-${name}`, value);
}

export function pausesOf({ pauseConditions = [] }: Status): string[] {
  return pauseConditions.map(({ reason }) => reason);
}

/** Checks that the condition stays true for this long. */
export async function stays(what: string, holds: () => Promise<boolean>, forMs: number): Promise<void> {
  const until = performance.now() + forMs;
  while (performance.now() < until) {
    if (!(await holds())) throw new Error(`it did not stay so: ${what}`);
    await sleep(100);
  }
}

export async function poll<Value>(options: {
  what: string;
  read: () => Promise<Value>;
  fits: (value: Value) => boolean;
  withinMs?: number;
}): Promise<Value> {
  const { what, read, fits, withinMs = 90_000 } = options;
  const until = performance.now() + withinMs;
  let last: unknown;
  for (;;) {
    try {
      const value = await read();
      if (fits(value)) return value;
      last = value;
    } catch (error) {
      last = error;
    }
    if (performance.now() > until) throw new Error(`waited ${withinMs} ms in vain for: ${what}; last: ${textOf(last)}`);
    await sleep(100);
  }
}

function textOf(value: unknown): string {
  return value instanceof Error ? value.message : JSON.stringify(value)?.slice(0, 1200);
}
