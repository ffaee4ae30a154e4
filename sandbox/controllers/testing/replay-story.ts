import type { MetricSpec } from "#lib/domain/argo/analysis/types.ts";
import { formatTime } from "#sandbox/controllers/clock.ts";
import type { MetricQuestion, MetricSource } from "#sandbox/controllers/metric-provider.ts";
import { POD_START_ANNOTATION } from "#sandbox/controllers/reconcile-replica-set.ts";
import { serviceNames } from "#sandbox/controllers/rollout-services.ts";
import type { RolloutAnalysis, RolloutSpec } from "#sandbox/controllers/rollout-types.ts";
import type { RealObject } from "#test/real-streams.ts";
import { createProjection, keepState, type RecordedStory } from "#test/recorded-story.ts";
import { createWorld, type World } from "./sandbox-world.ts";

const LONGEST_WAIT_MS = 150_000;
const STEP_MS = 20;

/**
 * Replays a recorded story with the sandbox's controllers: the same spec, metrics that return the recorded values, and
 * the writes of others at the states in which they came. Returns the states that the controllers wrote.
 */
export function replayStory(story: RecordedStory): string[] {
  const world = createWorld({ only: [], source: answersOf(story) });
  const { namespace, name } = story.first.metadata;
  const project = createProjection();
  const states: string[] = [];
  world.store.subscribe(({ resource, object }) => {
    if (resource !== "rollouts") return;
    keepState(states, project(object as unknown as RealObject));
  });
  world.store.create(
    "namespaces",
    { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } },
    { manager: "t" },
  );
  putServices(world, story);
  putTemplates(world, story);
  const asked = new Map<string, string>();
  const spec = withPodStart(story.first.spec ?? {});
  const { apiVersion, kind } = story.first;
  world.store.create("rollouts", { apiVersion, kind, metadata: { name, namespace }, spec }, { manager: "test" });
  for (const { after, writes } of story.acts) {
    for (let waitedMs = 0; states.at(-1) !== after && waitedMs < LONGEST_WAIT_MS; waitedMs += STEP_MS) {
      world.clock.advance(STEP_MS);
    }
    for (const write of writes) {
      if (write.status !== undefined) world.patchStatus(`${namespace}/${name}`, write.status);
      if (write.spec !== undefined)
        world.patchSpec(`${namespace}/${name}`, withNow(withPodStart(write.spec), { world, asked }));
    }
  }
  world.clock.advance(LONGEST_WAIT_MS);
  return states;
}

/** Adjusts a restart: it applies at the time of the patch, to pods older than that. */
function withNow(spec: Record<string, unknown>, { world, asked }: { world: World; asked: Map<string, string> }) {
  const { restartAt } = spec;
  if (typeof restartAt !== "string") return spec;
  const known = asked.get(restartAt);
  if (known === undefined) world.clock.advance(1000);
  const now = known ?? formatTime(world.clock.now());
  asked.set(restartAt, now);
  return { ...spec, restartAt: now };
}

/** Makes pods of images with this name start slowly, as the lab's fake nodes did. */
function withPodStart(spec: Record<string, unknown>): Record<string, unknown> {
  const { template } = spec as { template?: RolloutSpec["template"] };
  if (template?.spec.containers[0]?.image.includes(":slow") !== true) return spec;
  const annotations = { ...template.metadata?.annotations, [POD_START_ANNOTATION]: "20s" };
  return { ...spec, template: { ...template, metadata: { ...template.metadata, annotations } } };
}

function answersOf({ runs }: RecordedStory): MetricSource {
  return ({ runType, attempt, metric, sequence }: MetricQuestion) => {
    const run = runs.find(
      ({ metadata }) =>
        metadata.labels?.["rollout-type"] === runType && Number(/\.(\d+)$/.exec(metadata.name)?.[1] ?? 0) === attempt,
    );
    const status = run?.status as
      | { metricResults?: { name: string; measurements?: { value?: string }[] }[] }
      | undefined;
    const measurements = status?.metricResults?.find((result) => result.name === metric)?.measurements ?? [];
    const value = (measurements[sequence] ?? measurements.at(-1))?.value;
    return value === undefined ? { value: 1 } : { value: Number(value) };
  };
}

function putServices({ store }: World, { first }: RecordedStory): void {
  const { namespace } = first.metadata;
  for (const name of serviceNames((first.spec as unknown as RolloutSpec).strategy)) {
    const service = { apiVersion: "v1", kind: "Service", spec: { selector: { app: first.metadata.name } } };
    store.create("services", { ...service, metadata: { name, namespace } }, { manager: "test" });
  }
}

/** Derives the templates from the runs made of them: the recordings contain no templates. */
function putTemplates({ store }: World, { first, runs }: RecordedStory): void {
  const { canary, blueGreen } = (first.spec as unknown as RolloutSpec).strategy;
  const uses: [string, RolloutAnalysis | undefined][] = [
    ["Background", canary?.analysis],
    ["PrePromotion", blueGreen?.prePromotionAnalysis],
    ["PostPromotion", blueGreen?.postPromotionAnalysis],
    ...(canary?.steps ?? []).map((step): [string, RolloutAnalysis | undefined] => ["Step", step.analysis]),
  ];
  for (const [type, analysis] of uses) {
    const run = runs.find(({ metadata }) => metadata.labels?.["rollout-type"] === type);
    for (const { templateName } of analysis?.templates ?? []) {
      const metrics = (run?.spec?.metrics ?? [ENDLESS]) as MetricSpec[];
      const template = { apiVersion: "argoproj.io/v1alpha1", kind: "AnalysisTemplate", spec: { metrics } };
      const { namespace } = first.metadata;
      store.create(
        "analysistemplates",
        { ...template, metadata: { name: templateName, namespace } },
        { manager: "test" },
      );
    }
  }
}

/** The metric of a refused template, which never had a run: it measures without end in a step. */
const ENDLESS: MetricSpec = { name: "cs", interval: "1s", provider: { web: { url: "http://metrics.example" } } };
