import { beforeAll, describe, expect, it } from "vitest";
import type { AnalysisRunStatus } from "#lib/domain/argo/analysis/types.ts";
import type { KubeObject } from "#sandbox/apiserver/store-types.ts";
import { viewExperiment } from "#sandbox/controllers/experiment-types.ts";
import { revisionOf } from "#sandbox/controllers/rollout-types.ts";
import type { World } from "#sandbox/controllers/testing/sandbox-world.ts";
import { createWorld } from "#sandbox/controllers/testing/sandbox-world.ts";
import { everyScenario } from "./all-scenarios.ts";
import type { ExpectedState } from "./scenario-types.ts";

const SETTLE_MS = 50_000;

const settled = everyScenario.flatMap((scenario) =>
  scenario.expected === undefined
    ? []
    : [{ key: `${scenario.namespace}/${scenario.name}`, expected: scenario.expected, scenario }],
);

function observe(world: World, key: string, expected: ExpectedState): ExpectedState {
  const { status, metadata } = world.rollout(key);
  const runs = world.runs(key);
  const newest = runs.at(-1);
  const newestStatus = (newest?.status ?? {}) as AnalysisRunStatus;
  const runsLeft: Record<string, number> = {};
  for (const run of runs) {
    const { phase = "" } = (run.status ?? {}) as AnalysisRunStatus;
    runsLeft[phase] = (runsLeft[phase] ?? 0) + 1;
  }
  return {
    phase: status.phase ?? "Progressing",
    stepIndex: status.currentStepIndex ?? -1,
    isPromoted: status.stableRS === status.currentPodHash,
    revision: revisionOf(metadata),
    ...(expected.message === undefined ? {} : { message: status.message }),
    ...(expected.pauseReasons === undefined
      ? {}
      : { pauseReasons: (status.pauseConditions ?? []).map(({ reason }) => reason) }),
    ...(expected.canaryWeight === undefined ? {} : { canaryWeight: status.canary?.weights?.canary.weight ?? -1 }),
    ...(expected.runsLeft === undefined ? {} : { runsLeft }),
    ...(expected.run === undefined
      ? {}
      : {
          run: {
            type: newest?.metadata.labels?.["rollout-type"] ?? "",
            phase: newestStatus.phase ?? "Pending",
            metrics: Object.fromEntries(
              (newestStatus.metricResults ?? []).map((result) => [result.name, result.phase ?? "Pending"]),
            ),
          },
        }),
    ...(expected.experiments === undefined ? {} : { experiments: world.experiments(key).map(summarise) }),
  };
}

function summarise(object: KubeObject): NonNullable<ExpectedState["experiments"]>[number] {
  const { phase = "Pending", analysisRuns = [] } = viewExperiment(object).status;
  return { phase, analyses: Object.fromEntries(analysisRuns.map((run) => [run.name, run.phase ?? "Pending"])) };
}

describe.each([1, 2, 12345])("the scenarios with seed %i", (seed) => {
  let world: World;

  beforeAll(() => {
    world = createWorld({ seed, only: everyScenario.map(({ namespace, name }) => `${namespace}/${name}`) });
    world.controllers.startScenarios();
    world.clock.advance(SETTLE_MS);
  });

  it.each(settled)("$key stands in its state within 50 s", ({ key, expected }) => {
    expect(observe(world, key, expected)).toEqual(expected);
  });

  it("reports no failed reconcile", () => {
    expect(world.lines.filter((line) => line.includes("failed:"))).toEqual([]);
  });

  it("stays as it is for the next ten minutes", () => {
    const before = settled.map(({ key }) => world.rollout(key).metadata.resourceVersion);
    world.clock.advance(600_000);
    expect(settled.map(({ key }) => world.rollout(key).metadata.resourceVersion)).toEqual(before);
  });
});

describe("scenarios()", () => {
  it("names those of the contract", () => {
    expect(createWorld().controllers.scenarios()).toEqual({
      healthy: "demo/platform/Rollout/identity",
      inconclusiveInline: "demo/payments/Rollout/checkout",
      inconclusiveBackground: "demo/storefront/Rollout/catalog",
      failed: "demo/search/Rollout/query-api",
      history: "demo/payments/Rollout/ledger",
      flapping: "demo/storefront/Rollout/notifications",
      long: "demo/customer-engagement-and-communications-platform/Rollout/customer-communication-preferences-aggregation-gateway",
      forced: "demo/search/Rollout/autocomplete",
      blueGreen: "demo/accounts/Rollout/login",
      experiment: "demo/search/Rollout/ranking",
      workloadRef: "demo/logistics/Rollout/tracking",
      gitOps: "demo/logistics/Rollout/dispatch",
      singleReplica: "demo/platform/Rollout/scheduler",
      held: "demo/platform/Rollout/planner",
    });
  });
});
