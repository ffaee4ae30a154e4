import { beforeAll, expect, it } from "vitest";
import { isCompleted } from "#lib/domain/argo/analysis/phase.ts";
import type { RecordedMeasurement, RecordedRun } from "#lib/domain/argo/analysis/replay-metric.ts";
import type { AnalysisRunSpec, AnalysisRunStatus } from "#lib/domain/argo/analysis/types.ts";
import { checkVerdict } from "#lib/domain/argo/analysis/verdict-check.ts";
import type { VerdictCheck } from "#lib/domain/delivery/verdict-check.ts";
import type { KubeObject } from "#sandbox/apiserver/store-types.ts";
import { createWorld, type World } from "#sandbox/controllers/testing/sandbox-world.ts";

type Seen = { run: KubeObject; measurements: Map<string, Map<number, RecordedMeasurement>> };

const seen = new Map<string, Seen>();

/** Keeps the measurements that the controller would trim, as the recorder does. */
function record(run: KubeObject): void {
  const { uid = "" } = run.metadata;
  const { measurements } = seen.get(uid) ?? { measurements: new Map<string, Map<number, RecordedMeasurement>>() };
  for (const result of ((run.status ?? {}) as AnalysisRunStatus).metricResults ?? []) {
    const kept = measurements.get(result.name) ?? new Map<number, RecordedMeasurement>();
    measurements.set(result.name, kept);
    const finished = (result.measurements ?? []).filter(({ finishedAt }) => finishedAt !== undefined);
    const first = (result.count ?? 0) + (result.error ?? 0) - finished.length + 1;
    for (const [index, each] of finished.entries()) kept.set(first + index, { ...each, seq: first + index });
  }
  seen.set(uid, { run, measurements });
}

function recordedOf({ run, measurements }: Seen): RecordedRun {
  const status = (run.status ?? {}) as AnalysisRunStatus;
  return {
    spec: run.spec as AnalysisRunSpec,
    phase: status.phase ?? "Pending",
    message: status.message ?? "",
    metrics: (status.metricResults ?? []).map((result) => ({
      ...result,
      measurements: [...(measurements.get(result.name)?.values() ?? [])].toSorted((one, other) => one.seq - other.seq),
      lost: 0,
      isInconsistent: false,
    })),
  };
}

let checks: { name: string; isTerminated: boolean; check: VerdictCheck }[];
let world: World;
beforeAll(() => {
  world = createWorld();
  world.controllers.startScenarios();
  for (let tick = 0; tick < 500; tick++) {
    world.clock.advance(100);
    for (const run of world.store.list("analysisruns")) record(run);
  }
  checks = [...seen.values()].flatMap((each) => {
    const recorded = recordedOf(each);
    if (!isCompleted(recorded.phase)) return [];
    const { namespace, name } = each.run.metadata;
    const isTerminated = recorded.spec.terminate === true;
    return [{ name: `${namespace}/${name}`, isTerminated, check: checkVerdict(recorded) }];
  });
});

it("find the forced verdict, with every measurement that failed", () => {
  const [forced, ...others] = checks.filter(({ name }) => name.startsWith("search/autocomplete"));
  expect(others).toEqual([]);
  expect(forced?.check.state).toBe("contradicts");
  const found = forced?.check.findings.map(({ rule, metric }) => [rule, metric].filter(Boolean).join(" "));
  expect(found).toEqual([
    "went-on success-rate",
    "went-on dependency-errors",
    "metric success-rate",
    "metric dependency-errors",
    "run",
    "no-success success-rate",
    "no-success dependency-errors",
  ]);
});

it("agree with every other verdict of the controller", () => {
  const honest = checks.filter(({ name }) => !name.startsWith("search/autocomplete"));
  expect(honest.length).toBeGreaterThan(10);
  for (const { name, isTerminated, check } of honest) {
    expect({ name, ...check, findings: check.findings.filter(({ kind }) => kind !== "flag") }).toEqual({
      name,
      state: isTerminated && check.state === "ended-early" ? "ended-early" : "agrees",
      findings: [],
    });
  }
});
