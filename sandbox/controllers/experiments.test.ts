import { beforeEach, describe, expect, it } from "vitest";
import type { KubeObject } from "#sandbox/apiserver/store-types.ts";
import { viewExperiment } from "./experiment-types.ts";
import type { ExperimentStep } from "./rollout-types.ts";
import {
  eventReasons,
  eventsAbout,
  metricOf,
  type Outcome,
  podTemplate,
  putRollout,
  putService,
  putTemplate,
  SELECTOR,
} from "./testing/own-rollout.ts";
import { createWorld, type World } from "./testing/sandbox-world.ts";

const KEY = "default/app";

let world: World;
beforeEach(() => {
  world = createWorld();
});

const BOTH: ExperimentStep["templates"] = [
  { name: "old", specRef: "stable", replicas: 1 },
  { name: "new", specRef: "canary", replicas: 1 },
];

/** Deploys v1, then releases v2, which reaches the experiment at once. */
function releaseV2(
  step: Partial<ExperimentStep> & { outcome?: Outcome; isEndless?: boolean; isRequired?: boolean },
  canary: Record<string, unknown> = {},
): void {
  const { outcome, isEndless, isRequired = false, ...rest } = step;
  const analyses = [{ name: "compare", templateName: "compare", requiredForCompletion: isRequired }];
  if (outcome !== undefined) putTemplate(world, "compare", [metricOf(outcome, isEndless)]);
  const experiment = {
    templates: BOTH,
    scaleDownDelaySeconds: 2,
    ...(outcome === undefined ? {} : { analyses }),
    ...rest,
  };
  const steps = [{ setWeight: 50 }, { experiment }, { setWeight: 75 }];
  putRollout(world, { selector: SELECTOR, template: podTemplate(), strategy: { canary: { ...canary, steps } } });
  world.clock.advance(3_000);
  world.setImage(KEY, "app:v2");
}

function status() {
  return world.rollout(KEY).status;
}

function experiments() {
  return world.experiments(KEY).map((object) => viewExperiment(object).status);
}

function setsOf(experiment: KubeObject | undefined): KubeObject[] {
  const { name = "" } = experiment?.metadata ?? {};
  return world.store.list("replicasets", "default").filter((set) => set.metadata.name.startsWith(`${name}-`));
}

describe("an experiment step", () => {
  it("runs both versions beside the Rollout's own for the duration, then the Rollout goes on", () => {
    releaseV2({ duration: "20s" });
    world.clock.advance(5_000);
    const [experiment] = world.experiments(KEY);
    const { currentPodHash, stableRS } = status();
    expect(experiment?.metadata.name).toBe(`app-${currentPodHash}-2-1`);
    expect(experiment?.spec).toMatchObject({ duration: "20s", templates: [{ name: "old" }, { name: "new" }] });
    expect(status()).toMatchObject({
      phase: "Progressing",
      currentStepIndex: 1,
      canary: { currentExperiment: experiment?.metadata.name },
    });
    expect(experiments()[0]).toMatchObject({
      phase: "Running",
      availableAt: expect.any(String),
      templateStatuses: [
        { name: "old", status: "Running", replicas: 1, availableReplicas: 1 },
        { name: "new", status: "Running", replicas: 1, availableReplicas: 1 },
      ],
      conditions: [{ type: "Progressing", status: "True", reason: "NewReplicaSetAvailable" }],
    });
    expect(setsOf(experiment).map((set) => set.metadata.labels?.["rollouts-pod-template-hash"])).toEqual([
      currentPodHash,
      stableRS,
    ]);
    world.clock.advance(30_000);
    expect(experiments()[0]?.phase).toBe("Successful");
    expect(setsOf(experiment).map((set) => set.spec?.replicas)).toEqual([0, 0]);
    expect(status()).toMatchObject({ phase: "Healthy", stableRS: currentPodHash });
    expect(status().canary?.currentExperiment).toBeUndefined();
  });

  it("gives templates with a weight their Service and their share of traffic", () => {
    for (const name of ["stable", "canary"]) putService(world, name);
    const templates = BOTH.map((template) => ({ ...template, weight: 5 }));
    const canary = { stableService: "stable", canaryService: "canary", trafficRouting: { istio: {} } };
    releaseV2({ duration: "20s", templates }, canary);
    world.clock.advance(6_000);
    const name = status().canary?.currentExperiment;
    expect(status().canary?.weights).toMatchObject({
      canary: { weight: 50 },
      stable: { weight: 40 },
      additional: [
        { weight: 5, serviceName: `${name}-old` },
        { weight: 5, serviceName: `${name}-new` },
      ],
    });
    expect(world.store.get("services", "default", `${name}-new`)?.spec?.selector).toMatchObject({ app: "app" });
    world.clock.advance(30_000);
    expect(world.store.get("services", "default", `${name}-new`)).toBeUndefined();
    expect(status().canary?.weights?.additional).toBeUndefined();
  });

  it.each([
    ["good", "Successful", "Healthy", undefined],
    ["bad", "Failed", "Degraded", /Experiment analysis phase is error\/failed: Metric "success-rate" assessed Failed/],
  ] as const)(
    "with a required analysis that is %s is %s, and the Rollout %s",
    (outcome, phase, rolloutPhase, message) => {
      releaseV2({ outcome, isRequired: true });
      world.clock.advance(30_000);
      expect(experiments()[0]).toMatchObject({ phase, analysisRuns: [{ name: "compare", phase }] });
      expect(status().phase).toBe(rolloutPhase);
      if (message !== undefined) expect(status().message).toMatch(message);
      const run = world.store.get("analysisruns", "default", experiments()[0]?.analysisRuns?.[0]?.analysisRun ?? "");
      expect(run?.metadata.ownerReferences?.[0]).toMatchObject({ kind: "Experiment", controller: true });
    },
  );

  it("that is Inconclusive pauses the Rollout, and the controller starts the next one by itself", () => {
    releaseV2({ outcome: "unclear" });
    world.store.subscribe(({ resource, object }) => {
      const isOver = resource === "experiments" && object.status?.phase === "Inconclusive";
      if (isOver) putTemplate(world, "compare", [metricOf("good", true)]);
    });
    world.clock.advance(30_000);
    expect(experiments().map(({ phase }) => phase)).toEqual(["Inconclusive", "Running"]);
    const [first, second] = world.experiments(KEY).map(({ metadata }) => metadata.name);
    expect(second).toBe(`${first}-1`);
    expect(status()).toMatchObject({
      phase: "Paused",
      message: "InconclusiveExperiment",
      currentStepIndex: 1,
      canary: { currentExperiment: second },
    });
  });

  it("is ended by a step skipped, by an abort and by a new image", () => {
    for (const act of [
      () => world.patchStatus(KEY, { currentStepIndex: 2 }),
      () => world.patchStatus(KEY, { abort: true }),
      () => world.setImage(KEY, "app:v3"),
    ]) {
      world = createWorld();
      releaseV2({});
      world.clock.advance(5_000);
      expect(experiments()[0]?.phase).toBe("Running");
      act();
      world.clock.advance(10_000);
      expect(world.experiments(KEY)[0]).toMatchObject({ spec: { terminate: true }, status: { phase: "Successful" } });
      expect(setsOf(world.experiments(KEY)[0]).map((set) => set.spec?.replicas)).toEqual([0, 0]);
    }
  });

  it("whose required analysis is cut short never ends, as upstream has it; the Rollout goes on all the same", () => {
    releaseV2({ outcome: "good", isEndless: true, isRequired: true });
    world.clock.advance(5_000);
    world.patchStatus(KEY, { currentStepIndex: 2 });
    world.clock.advance(60_000);
    expect(experiments()[0]).toMatchObject({ phase: "Running", analysisRuns: [{ phase: "Running" }] });
    expect(setsOf(world.experiments(KEY)[0]).map((set) => set.spec?.replicas)).toEqual([0, 0]);
    expect(status().phase).toBe("Healthy");
  });

  it("comes again with the next number after a retry", () => {
    releaseV2({ outcome: "bad" });
    world.clock.advance(10_000);
    expect(status().phase).toBe("Degraded");
    world.patchStatus(KEY, { abort: false });
    world.clock.advance(10_000);
    expect(world.experiments(KEY).map(({ metadata }) => metadata.name.split("-").slice(2).join("-"))).toEqual([
      "2-1",
      "2-1-1",
    ]);
    expect(status().phase).toBe("Degraded");
  });
});

describe("an Experiment that nobody owns", () => {
  function put(spec: Record<string, unknown>): void {
    const template = { name: "one", selector: SELECTOR, template: podTemplate() };
    const experiment = {
      apiVersion: "argoproj.io/v1alpha1",
      kind: "Experiment",
      spec: { templates: [template], ...spec },
    };
    world.store.create(
      "experiments",
      { ...experiment, metadata: { name: "x", namespace: "default" } },
      { manager: "t" },
    );
  }

  function get() {
    const object = world.store.get("experiments", "default", "x");
    return object === undefined ? undefined : viewExperiment(object).status;
  }

  it("runs until a person terminates it, and ends its run with it", () => {
    putTemplate(world, "endless", [metricOf("good", true)]);
    put({ analyses: [{ name: "watch", templateName: "endless" }], scaleDownDelaySeconds: 1 });
    world.clock.advance(10_000);
    expect(get()).toMatchObject({ phase: "Running", analysisRuns: [{ analysisRun: "x-watch", phase: "Running" }] });
    const object = world.store.get("experiments", "default", "x");
    if (object === undefined) throw new Error("no experiment");
    world.store.update("experiments", { ...object, spec: { ...object.spec, terminate: true } }, { manager: "test" });
    world.clock.advance(10_000);
    expect(get()).toMatchObject({ phase: "Successful" });
    expect(world.store.get("analysisruns", "default", "x-watch")).toMatchObject({
      spec: { terminate: true },
      status: { phase: "Successful" },
    });
  });

  it("fails at once where a template is missing", () => {
    put({ analyses: [{ name: "watch", templateName: "nowhere" }] });
    world.clock.advance(10_000);
    expect(get()?.phase).toBe("Error");
    expect(get()?.message).toMatch(
      /^AnalysisTemplate verification failed for analysis 'watch': .*'nowhere' not found$/,
    );
  });

  it("puts its own facts into the arguments", () => {
    const metric = metricOf("good", true);
    putTemplate(world, "compare", [metric]);
    const object = world.store.get("analysistemplates", "default", "compare");
    if (object === undefined) throw new Error("no template");
    const args = [{ name: "hash" }, { name: "until" }];
    world.store.update("analysistemplates", { ...object, spec: { ...object.spec, args } }, { manager: "test" });
    const given = [
      { name: "hash", value: "{{templates.one.podTemplateHash}}" },
      { name: "until", value: "{{experiment.finishedAt}}" },
    ];
    put({ duration: "1h", analyses: [{ name: "watch", templateName: "compare", args: given }] });
    world.clock.advance(5_000);
    const set = world.store.get("replicasets", "default", "x-one");
    expect(world.store.get("analysisruns", "default", "x-watch")?.spec?.args).toEqual([
      { name: "hash", value: set?.metadata.labels?.["rollouts-pod-template-hash"] },
      { name: "until", value: "2026-01-05T10:00:00Z" },
    ]);
  });
});

it("tells in Events what happened, on the Experiment and on the Rollout", () => {
  releaseV2({ outcome: "unclear" });
  world.clock.advance(6_000);
  const [name = ""] = world.experiments(KEY).map(({ metadata }) => metadata.name);
  for (const reason of ["TemplateRunning", "ExperimentRunning", "AnalysisRunInconclusive", "ExperimentInconclusive"]) {
    expect(eventReasons(world, name)).toContain(reason);
  }
  const onRollout = eventsAbout(world, "app").find(({ reason }) => reason === "AnalysisRunInconclusive");
  expect(onRollout).toMatchObject({ type: "Warning", involvedObject: { kind: "Rollout" } });
  expect(eventReasons(world, "app")).toContain("ExperimentCreated");
});
