import { expect, it } from "vitest";
import { loadCases } from "#test/fixtures/conformance/load-cases.ts";
import { withTimes } from "#test/fixtures/conformance/offset-times.ts";
import { dueMetrics, nextReconcileAt } from "./schedule.ts";
import type { AnalysisRunSpec, AnalysisRunStatus, MetricSpec } from "./types.ts";

const now = Date.parse("2026-01-01T00:00:00Z");

type ScheduleCase = {
  id: string;
  spec: AnalysisRunSpec;
  status: unknown;
  expect: { taskCount: number; metrics?: string[] };
};

it.each(loadCases<ScheduleCase>("analysis-measurement-schedule"))("$id", ({ spec, status, expect: expected }) => {
  const due = dueMetrics({ spec, status: withTimes<AnalysisRunStatus>(status, now) }, now);
  expect(due).toHaveLength(expected.taskCount);
  if (expected.metrics !== undefined) expect(due.map((task) => task.metric.name)).toEqual(expected.metrics);
});

type NextCase = { id: string; spec: AnalysisRunSpec; status: unknown; expect: { offsetSeconds: number | null } };

it.each(loadCases<NextCase>("analysis-next-reconcile"))("$id", ({ spec, status, expect: expected }) => {
  const next = nextReconcileAt({ spec, status: withTimes<AnalysisRunStatus>(status, now) }, now);
  expect(next).toBe(expected.offsetSeconds === null ? undefined : now + expected.offsetSeconds * 1000);
});

const metric: MetricSpec = { name: "m", interval: "60s" };
const at = (seconds: number): string => new Date(now + seconds * 1000).toISOString();

it.each<[string, MetricSpec, AnalysisRunStatus["metricResults"], AnalysisRunStatus, number]>([
  ["not exactly at the interval", metric, [done("Successful", -60)], {}, 0],
  ["just after the interval", metric, [done("Successful", -60.001)], {}, 1],
  ["10 s after an error, whatever the interval", { ...metric, interval: "1h" }, [done("Error", -11)], {}, 1],
  ["at the end of the initial delay", { ...metric, initialDelay: "20s" }, [], { startedAt: at(-20) }, 1],
  ["not within the initial delay", { ...metric, initialDelay: "20s" }, [], { startedAt: at(-19) }, 0],
  ["not before the run has started", { ...metric, initialDelay: "0s" }, [], {}, 0],
])("measures %s", (_, spec, metricResults, status, tasks) => {
  expect(dueMetrics({ spec: { metrics: [spec] }, status: { ...status, metricResults } }, now)).toHaveLength(tasks);
});

it("resumes what is in flight when terminating, and starts nothing", () => {
  const inFlight = { phase: "Running", startedAt: at(-5), resumeAt: at(30) } as const;
  const spec = { terminate: true, metrics: [metric, { name: "fresh" }] };
  const status = { metricResults: [{ name: "m", measurements: [inFlight] }] };
  expect(dueMetrics({ spec, status }, now)).toEqual([{ metric, inFlight }]);
});

function done(phase: "Successful" | "Error", seconds: number) {
  return { name: "m", count: 1, measurements: [{ phase, startedAt: at(seconds), finishedAt: at(seconds) }] };
}
