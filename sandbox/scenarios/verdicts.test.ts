import { beforeAll, describe, expect, it } from "vitest";
import type { AnalysisRunStatus, Measurement } from "#lib/domain/argo/analysis/types.ts";
import { createWorld, type World } from "#sandbox/controllers/testing/sandbox-world.ts";
import { allScenarios } from "./all-scenarios.ts";

let world: World;
beforeAll(() => {
  world = createWorld();
  world.controllers.startScenarios();
  world.clock.advance(50_000);
});

function statuses(key: string): AnalysisRunStatus[] {
  return world.runs(key).map((run) => run.status as AnalysisRunStatus);
}

function measurements(status: AnalysisRunStatus | undefined, metric: string): readonly Measurement[] {
  return status?.metricResults?.find(({ name }) => name === metric)?.measurements ?? [];
}

describe("flapping", () => {
  const key = "storefront/notifications";

  it("first ends with Error, as the limit of consecutive errors says", () => {
    const [first] = statuses(key);
    expect(first?.message).toBe(
      'Metric "dependency-errors" assessed Error due to consecutiveErrors (2) > consecutiveErrorLimit (1): ' +
        '"Error Message: prometheus.monitoring.svc:9090: connection refused"',
    );
  });

  it("then shows measurements of every kind, and a dry run that fails without effect", () => {
    const second = statuses(key)[1];
    const rates = measurements(second, "success-rate");
    expect(new Set(rates.map(({ phase }) => phase))).toEqual(
      new Set(["Successful", "Failed", "Error", "Inconclusive"]),
    );
    expect(rates.find(({ phase }) => phase === "Error")?.message).toContain("metric result is nil or empty");
    expect(measurements(second, "saturation").find(({ value }) => value === "[NaN]")?.phase).toBe("Successful");
    expect(measurements(second, "queue-depth").find(({ value }) => value === "[]")?.phase).toBe("Successful");
    expect(second?.metricResults?.find(({ dryRun }) => dryRun === true)).toMatchObject({
      name: "latency-p99",
      phase: "Failed",
      message: "Metric assessed Failed due to failed (3) > failureLimit (2)",
    });
    expect(second).toMatchObject({
      runSummary: { count: 4, successful: 4 },
      dryRunSummary: { count: 1, failed: 1 },
    });
  });

  it("merges its templates in upstream's order and keeps more measurements where a rule says so", () => {
    const run = world.runs(key)[1];
    expect(run?.spec).toMatchObject({
      metrics: ["success-rate", "saturation", "queue-depth", "latency-p99", "dependency-errors"].map((name) => ({
        name,
      })),
      dryRun: [{ metricName: "^latency" }],
      measurementRetention: [{ metricName: "error", limit: 20 }],
    });
    expect(measurements(statuses(key)[1], "dependency-errors")).toHaveLength(13);
    expect(measurements(statuses(key)[1], "success-rate")).toHaveLength(10);
  });
});

describe("forced", () => {
  it("records success although every measurement failed, with the limits as they are in the spec", () => {
    const [run] = world.runs("search/autocomplete");
    const status = run?.status as AnalysisRunStatus;
    expect(status).toMatchObject({ phase: "Successful", runSummary: { count: 2, successful: 2, failed: 0 } });
    for (const metric of ["success-rate", "dependency-errors"]) {
      expect(measurements(status, metric).map(({ phase }) => phase)).toEqual(Array(5).fill("Failed"));
    }
    expect(run?.spec).toMatchObject({ metrics: [{ failureLimit: 1 }, { failureLimit: 1 }] });
  });
});

describe("long", () => {
  it("has twelve steps and waits at the tenth", () => {
    const scenario = allScenarios.find(({ key }) => key === "long");
    expect(scenario?.strategy?.steps).toHaveLength(12);
    expect(scenario?.name.length).toBeGreaterThan(50);
  });
});

it("templates that clash make the Rollout invalid, in upstream's words", () => {
  const other = createWorld();
  other.controllers.startScenarios();
  other.clock.advance(20_000);
  const template = other.store.get("analysistemplates", "storefront", "notifications-trial");
  if (template === undefined) throw new Error("the template is missing");
  const clashing = { ...template, spec: { ...template.spec, metrics: [{ name: "saturation" }], dryRun: [] } };
  other.store.update("analysistemplates", clashing, { manager: "test" });
  other.clock.advance(1_000);
  expect(other.rollout("storefront/notifications").status.message).toContain(
    "two metrics have the same name 'saturation'",
  );
});
