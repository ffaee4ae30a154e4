import { describe, expect, it } from "vitest";
import { parseMessage } from "#lib/domain/flagger/events/parse-message.ts";
import { readRealFlagger } from "#test/real-flagger.ts";
import type { AnalysisMetric, AnalysisSpec } from "./analysis-spec.ts";
import { deriveRun, findCause, inferred } from "./measured-run.ts";
import type { RunMessage } from "./run-message.ts";
import { advance, copying, halt, rolledBack, started, tellMessages, tickZero, timeAt } from "./testing/run-messages.ts";

const success: AnalysisMetric = { name: "request-success-rate", thresholdRange: { min: 99 } };
const duration: AnalysisMetric = { name: "request-duration", thresholdRange: { max: 500 } };
const errors: AnalysisMetric = { name: "errors", templateRef: { name: "errors" }, thresholdRange: { max: 3 } };
const queue: AnalysisMetric = { name: "queue", query: "up", threshold: 3 };

const derive = (
  metrics: AnalysisMetric[],
  texts: readonly string[],
  ended: { phase?: string; isPromotionSeen?: boolean } = {},
) =>
  deriveRun({
    releaseKey: "B",
    spec: { metrics, interval: "10s", stepWeight: 20, maxWeight: 60 },
    messages: tellMessages(texts),
    phase: ended.phase ?? "Progressing",
    startedAt: timeAt(0),
    endedAt: ended.phase === undefined ? undefined : timeAt(1000),
    ...(ended.isPromotionSeen === undefined ? {} : { isPromotionSeen: ended.isPromotionSeen }),
  });

/** Each metric with its measurements: `+` successful, `-` failed, `!` error, with the number of the round. */
function sketch({ results }: ReturnType<typeof derive>): Record<string, string> {
  const signs: Record<string, string> = { Successful: "+", Failed: "-", Error: "!" };
  return Object.fromEntries(
    results.map(({ name, measurements }) => [
      name,
      measurements
        .map(({ seq, phase, value }) => `${signs[phase]}${seq}${value === undefined ? "" : `=${value}`}`)
        .join(" "),
    ]),
  );
}

describe("deriveRun", () => {
  it.each<{ name: string; metrics: AnalysisMetric[]; texts: string[]; metricsWere: Record<string, string> }>([
    {
      name: "a round that advanced has no values",
      metrics: [success, errors],
      texts: [advance(40)],
      metricsWere: { "request-success-rate": "+1", errors: "+1" },
    },
    {
      name: "metrics behind the halted one leave a hole",
      metrics: [success, duration, queue],
      texts: [halt("request duration", "725.4ms > 500ms"), advance(40)],
      metricsWere: { "request-success-rate": "+1 +2", "request-duration": "-1=0.7254 +2", queue: "+2" },
    },
    {
      name: "templates come after built-in metrics and queries, whatever the order of the spec",
      metrics: [errors, success, queue],
      texts: [halt("queue"), halt("errors")],
      metricsWere: { errors: "-2=5", "request-success-rate": "+1 +2", queue: "-1=5 +2" },
    },
    {
      name: "a hook halts before all metrics",
      metrics: [success],
      texts: ["Halt a.b advancement external check load failed no"],
      metricsWere: {},
    },
    {
      name: "no values are an error without a value, not 0",
      metrics: [success, queue],
      texts: ["Halt advancement no values found for metric: queue", halt("queue", "0.00 < 1")],
      metricsWere: { "request-success-rate": "+1 +2", queue: "!1 -2=0" },
    },
    {
      name: "a failed query names no metric if there is only one built in",
      metrics: [errors, duration],
      texts: ["Prometheus query failed: timeout"],
      metricsWere: { "request-duration": "!1" },
    },
    {
      name: "a failed query of one of two built-in metrics leaves both unknown",
      metrics: [queue, success, duration, errors],
      texts: ["Prometheus query failed: timeout"],
      metricsWere: { queue: "+1" },
    },
    {
      name: "a template that cannot be used is an error of its metric",
      metrics: [success, errors],
      texts: ["Metric template errors.b error: gone"],
      metricsWere: { "request-success-rate": "+1", errors: "!1" },
    },
    {
      name: "a metric without template and query is an error of its own",
      metrics: [{ name: "nothing" }, queue],
      texts: ["Metric query failed for no usable metrics template and query were configured"],
      metricsWere: { nothing: "!1", queue: "+1" },
    },
    {
      name: "a metric that the spec no longer has leaves the others unknown",
      metrics: [success],
      texts: [halt("gone")],
      metricsWere: { gone: "-1=5" },
    },
    {
      name: "metrics of one name are told apart by their bounds",
      metrics: [errors, { ...errors, thresholdRange: { max: 9 } }],
      texts: [halt("errors", "12.00 > 9")],
      metricsWere: { errors: "+1", "errors (2)": "-1=12" },
    },
    {
      name: "a name may contain what ends it in the message",
      metrics: [{ ...errors, name: "p95: all" }],
      texts: ["Metric query failed for p95: all: timeout"],
      metricsWere: { "p95: all": "!1" },
    },
    {
      name: "a metric that is built in and has a template passed only if both were checked",
      metrics: [{ ...success, templateRef: { name: "own" } }, queue],
      texts: [halt("queue"), halt("request-success-rate", "98.00 < 99")],
      metricsWere: { "request-success-rate": "-2", queue: "-1=5 +2" },
    },
  ])("$name", ({ metrics, texts, metricsWere }) => {
    expect(sketch(derive(metrics, [started, tickZero, advance(20), ...texts]))).toEqual(metricsWere);
  });

  it("says how it knows, and since when at the latest", () => {
    const text = halt("request duration", "725.4ms > 500ms");
    const run = derive([success, duration, queue], [started, tickZero, advance(20), text, advance(40)]);
    expect(run.results.map(({ measurements }) => measurements)).toEqual([
      [
        { ...plain, seq: 1, phase: "Successful", message: inferred.metric, finishedAt: timeAt(30) },
        { ...plain, seq: 2, phase: "Successful", message: inferred.round, finishedAt: timeAt(40) },
      ],
      [
        { ...plain, seq: 1, phase: "Failed", message: text, value: "0.7254", finishedAt: timeAt(30) },
        { ...plain, seq: 2, phase: "Successful", message: inferred.round, finishedAt: timeAt(40) },
      ],
      [{ ...plain, seq: 2, phase: "Successful", message: inferred.round, finishedAt: timeAt(40) }],
    ]);
    expect(run.rounds.map(({ halted, passed, notEvaluated }) => ({ halted, passed, notEvaluated }))).toEqual([
      { halted: "request-duration", passed: ["request-success-rate"], notEvaluated: ["queue"] },
      { halted: undefined, passed: ["request-success-rate", "request-duration", "queue"], notEvaluated: [] },
    ]);
  });

  it("counts as the tables do: errors apart", () => {
    const missing = "Halt advancement no values found for metric: queue";
    const run = derive([queue], [advance(20), advance(40), halt("queue"), missing, missing]);
    expect(run.results).toMatchObject([
      { count: 2, successful: 1, failed: 1, error: 2, inconclusive: 0, consecutiveError: 2, consecutiveSuccess: 0 },
    ]);
    expect(run).toMatchObject({ failedChecks: 3, phase: "Running", completedAt: undefined });
  });

  it("lists metrics that were never measured", () => {
    const { metrics, results } = derive([success, queue, errors], [started]);
    expect(results).toEqual([]);
    expect(metrics).toEqual([
      { name: "request-success-rate", metricProvider: "prometheus", query: undefined, result: undefined },
      { name: "queue", metricProvider: "prometheus", query: "up", result: undefined },
      { name: "errors", metricProvider: undefined, query: undefined, result: undefined },
    ]);
  });

  const missing = "Halt advancement no values found for metric: queue";
  const deadline = 'canary deployment a.b not ready: deployment "a" exceeded its progress deadline';
  const manual = "Rolling back a.b manual webhook invoked";
  it.each([
    {
      name: "promoted",
      texts: [advance(20), copying],
      phase: "Succeeded",
      verdict: "Successful",
      metric: "Successful",
    },
    { name: "halted", texts: [advance(20), halt("queue"), rolledBack], verdict: "Failed", metric: "Failed" },
    { name: "without values", texts: [advance(20), missing, rolledBack], verdict: "Error", metric: "Error" },
    {
      name: "halted and without values",
      texts: [halt("queue"), missing, rolledBack],
      verdict: "Failed",
      metric: "Failed",
    },
    {
      name: "hook",
      texts: [advance(40), "Halt a.b advancement external check load failed no", rolledBack],
      verdict: "Failed",
      metric: "Successful",
    },
    { name: "deadline", texts: [advance(40), deadline, rolledBack], verdict: "Error", metric: "Successful" },
    { name: "by hand", texts: [advance(40), manual, rolledBack], verdict: "Inconclusive", metric: "Inconclusive" },
    {
      name: "promotion failed",
      texts: [copying, "Promotion of a.b failed, primary not ready: no"],
      verdict: "Successful",
      metric: "Successful",
    },
    {
      name: "promotion failed, not told",
      texts: [advance(40)],
      isPromotionSeen: true,
      verdict: "Successful",
      metric: "Successful",
    },
    { name: "superseded", texts: [advance(40)], phase: "Progressing", verdict: "Inconclusive", metric: "Inconclusive" },
  ])("judges a run that was $name", ({ texts, phase = "Failed", isPromotionSeen, verdict, metric }) => {
    const run = derive([queue], texts, { phase, ...(isPromotionSeen === undefined ? {} : { isPromotionSeen }) });
    expect(run).toMatchObject({ phase: verdict, completedAt: timeAt(1000) });
    expect(run.results.map((result) => result.phase)).toEqual([metric]);
    expect(run.message === "").toBe(!["Failed", "Error"].includes(verdict));
  });

  const plain = { startedAt: undefined, value: undefined };
});

describe("deriveRun on recordings of the real controller", () => {
  it.each([
    { canary: "f-ok", phase: "Succeeded", success: "+1 +2 +3" },
    { canary: "f-fail", phase: "Failed", success: "-1=0.2 -2=0.2 -3=0.2", verdict: "Failed", failedChecks: 3 },
    { canary: "f-bg", phase: "Succeeded", success: "+1 +2 +3 +4" },
    // It waited for its promotion: rounds that passed meanwhile are silent.
    { canary: "f-wait", phase: "Succeeded", success: "+1 +2 +3 +4", gaps: [{ afterRound: 3, atLeast: 0 }] },
    { canary: "f-primdl", phase: "Failed", success: undefined, verdict: "Error" },
    { canary: "f-primdlbg", phase: "Failed", success: "+1 +2 +3 +4" },
    { canary: "f-primrec", phase: "Failed", success: "+1 +2 +3" },
  ])("$canary", ({ canary, phase, success, verdict = "Successful", failedChecks = 0, gaps = [] }) => {
    const run = deriveRun({
      releaseKey: canary,
      spec: readSpec(canary),
      messages: readMessages(canary),
      phase,
      startedAt: "2026-11-22T07:06:50Z",
      endedAt: "2026-11-22T07:30:00Z",
    });
    expect(sketch(run)).toEqual(success === undefined ? {} : { success });
    expect(run).toMatchObject({ phase: verdict, failedChecks, gaps });
  });
});

type RealEvent = {
  metadata: { uid: string };
  involvedObject: { kind: string; name: string };
  lastTimestamp: string;
  message: string;
  count: number;
};

/** Reads the messages as a recorder does: `count` is the increase since the previous version. */
function readMessages(canary: string): RunMessage[] {
  const counts = new Map<string, number>();
  return readRealFlagger<RealEvent>("1.44.0", "events").flatMap(({ type, object }): RunMessage[] => {
    const { metadata, involvedObject, lastTimestamp, message, count: total } = object;
    if (type === "DELETED" || involvedObject.kind !== "Canary" || involvedObject.name !== canary) return [];
    const count = total - (counts.get(metadata.uid) ?? 0);
    counts.set(metadata.uid, total);
    return count > 0 ? [{ at: lastTimestamp, source: "event", message: parseMessage(message), count }] : [];
  });
}

function readSpec(canary: string): AnalysisSpec {
  const lines = readRealFlagger<{ metadata: { name: string }; spec: { analysis: AnalysisSpec } }>("1.44.0", "canaries");
  return lines.find(({ object }) => object.metadata.name === canary)?.object.spec.analysis ?? { metrics: [] };
}

describe("findCause", () => {
  const threshold = "Rolling back a.b failed checks threshold reached 2";
  const manual = "Rolling back a.b manual webhook invoked";
  const fired = "Rollback check undo passed";
  const late = 'canary deployment a.b not ready: deployment "a" exceeded its progress deadline';
  const notYet =
    "canary deployment a.b not ready: waiting for rollout to finish: 1 old replicas are pending termination";
  const primary = 'a-primary.b not ready: deployment "a-primary" exceeded its progress deadline';
  const promotionFailed = `Promotion of a.b failed, primary not ready: ${primary}`;

  describe("findCause", () => {
    it.each<{ name: string; texts: (string | [number, string])[]; cause: string | undefined }>([
      { name: "the last failed check", texts: [halt("x"), halt("y"), threshold, rolledBack], cause: halt("y") },
      { name: "not a wait for pods between", texts: [halt("x"), notYet, threshold, rolledBack], cause: halt("x") },
      { name: "a person, after failed checks", texts: [halt("x"), fired, manual, rolledBack], cause: manual },
      {
        name: "a person, although the threshold is announced too",
        texts: [halt("x"), [20, fired], [20, manual], [20, threshold], [20, rolledBack]],
        cause: manual,
      },
      {
        name: "a deadline, although the threshold is announced too",
        texts: [halt("x"), [20, late], [20, threshold]],
        cause: late,
      },
      { name: "a deadline", texts: [started, tickZero, late, rolledBack], cause: late },
      { name: "the primary, before 1.44.0", texts: [copying, primary, rolledBack, primary], cause: primary },
      {
        name: "the failed promotion",
        texts: [halt("x"), copying, primary, promotionFailed, primary],
        cause: promotionFailed,
      },
      {
        name: "the number of failed checks, if they were lost",
        texts: [advance(20), threshold, rolledBack],
        cause: threshold,
      },
      { name: "not what follows the end", texts: [halt("x"), threshold, rolledBack, late], cause: halt("x") },
      { name: "nothing", texts: [started, advance(20), rolledBack], cause: undefined },
      { name: "no messages", texts: [], cause: undefined },
    ])("$name", ({ texts, cause }) => {
      expect(findCause(tellMessages(texts))?.message.text).toBe(cause);
    });
  });
});
