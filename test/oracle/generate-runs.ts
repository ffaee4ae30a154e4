import type { AnalysisRunSpec, Argument, MetricSpec } from "#lib/domain/argo/analysis/types.ts";
import { type Chooser, createChooser } from "./choose.ts";

/** One answer of a metric's provider: values, an error, or a phase that it decides itself; `delay` in seconds. */
export type ScriptStep = {
  v?: readonly (number | string)[];
  err?: string;
  phase?: string;
  msg?: string;
  delay?: number;
};

/** `script`: the answers of each metric by its resolved name, in turn. `terminate`: seconds; 0 is never. */
export type RunCase = {
  id: number;
  spec: AnalysisRunSpec;
  script: Readonly<Record<string, readonly ScriptStep[]>>;
  terminate: number;
  /** So many reconciles at most. */
  max: number;
};

const conditions: readonly (readonly [string, string])[] = [
  ["result[0] >= 0.95", ""],
  ["result[0] >= 0.95", "result[0] < 0.9"],
  ["", "result[0] > 0.5"],
  ["", ""],
  ["len(result) == 0 || isNaN(result[0]) || result[0] < 0.5", ""],
  ["result[0] < {{args.max}}", ""],
  ["all(result, # < 2)", "any(result, # > 5)"],
  ["default(result, [0])[0] < 1", "result[0] >= 3"],
];

/** Generates runs with the limits, delays and answers that they may have, valid or not. */
export function generateRuns(seed: number, count: number): RunCase[] {
  const choose = createChooser(seed);
  return Array.from({ length: count }, (_, id) => makeRun(choose, id));
}

function makeRun(choose: Chooser, id: number): RunCase {
  const args: Argument[] = [
    { name: "max", value: choose.of(["0.5", "1", "2"]) },
    { name: "n", value: choose.of(["2", "3"]) },
  ];
  const script: Record<string, readonly ScriptStep[]> = {};
  const metrics = choose.times(choose.of([1, 1, 2, 3]), () => {
    const name = `${choose.of(["a", "b-rate", "c.d", "{{args.n}}-x", "E"])}${Object.keys(script).length}`;
    script[name.replace("{{args.n}}", args[1]?.value ?? "")] = makeScript(choose);
    return makeMetric(choose, name);
  });
  const spec: AnalysisRunSpec = {
    metrics,
    args,
    ...(choose.may(0.2) ? { dryRun: [{ metricName: choose.of([".*", "a.*", "b", "^c", "zzz", "E0"]) }] } : {}),
    ...(choose.may(0.2)
      ? { measurementRetention: [{ metricName: choose.of([".*", "a.*"]), limit: choose.of([1, 3, 0, 20]) }] }
      : {}),
  };
  return { id, spec, script, terminate: choose.of([0, 0, 0, 3.5, 45, 200, 1000]), max: 60 };
}

function makeMetric(choose: Chooser, name: string): MetricSpec {
  const limit = (low: number, high: number): number | string => {
    const value = choose.between(low, high);
    return choose.may(0.7) ? value : String(value);
  };
  const [success, failure] = choose.of(conditions);
  return {
    name,
    provider: { prometheus: { query: "up" } },
    ...(success === "" ? {} : { successCondition: success }),
    ...(failure === "" ? {} : { failureCondition: failure }),
    ...(choose.may(0.75) ? { interval: choose.of(["10s", "1m30s", "90s", "1m", "0.5m", "5s", "1h"]) } : {}),
    ...(choose.may(0.6) ? { count: choose.of([limit(1, 6), "{{args.n}}", limit(0, 0)]) } : {}),
    ...(choose.may(0.5) ? { failureLimit: choose.of([limit(0, 3), limit(-1, -1)]) } : {}),
    ...(choose.may(0.4) ? { inconclusiveLimit: limit(0, 3) } : {}),
    ...(choose.may(0.3) ? { consecutiveErrorLimit: limit(0, 4) } : {}),
    ...(choose.may(0.3) ? { consecutiveSuccessLimit: limit(0, 3) } : {}),
    ...(choose.may(0.15) ? { initialDelay: choose.of(["30s", "2m", "1h"]) } : {}),
  };
}

function makeScript(choose: Chooser): ScriptStep[] {
  if (choose.may(0.08))
    return choose.times(3, () => ({
      phase: choose.of(["Successful", "Failed", "Inconclusive", "Error"]),
      msg: choose.of(["", "m"]),
      delay: choose.between(1, 30),
    }));
  const same: readonly (readonly ScriptStep[])[] = [
    [{ v: [0.99] }],
    [{ v: [0.4] }],
    [{ v: [0.93] }],
    [{ err: "x" }],
    [{ err: "x" }, { v: [0.99] }],
  ];
  const steps = choose.may(0.6) ? choose.of(same) : choose.times(choose.between(1, 8), () => makeAnswer(choose));
  if (!choose.may(0.15)) return [...steps];
  return steps.map((step) => (choose.may(0.5) ? { ...step, delay: choose.between(1, 40) } : step));
}

function makeAnswer(choose: Chooser): ScriptStep {
  const share = choose.share();
  if (share < 0.05) return { err: `boom ${choose.of(["timeout", "", 'quote "x"'])}` };
  if (share < 0.12) return { v: [] };
  if (share < 0.18) return { v: ["NaN"] };
  if (share < 0.2) return { v: ["+Inf"] };
  return { v: choose.times(choose.of([1, 1, 1, 2]), () => choose.of([0, 0.4, 0.6, 0.93, 0.95, 0.99, 1, 1.5, 3, 7])) };
}
