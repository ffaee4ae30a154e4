// Evaluations per second of a typical condition, compiled once, compared with the same condition as a JavaScript
// function.
import { compileCondition } from "#lib/domain/argo/analysis/evaluate-result.ts";
import { goValueOf } from "#lib/expr/typed-value.ts";
import { median, printFigure } from "./support/print-figure.ts";

const condition = "result[0] >= 0.95 && result[0] < 1.5";
const rounds = 7;
const evaluations = process.argv.includes("--full") ? 5_000_000 : 1_000_000;
const goal = 20;

const values = Array.from({ length: 64 }, (_, index) => [0.9 + index / 100]);
const results = values.map((value) => goValueOf({ type: "[]float64", value }));
const [sample = null] = results;
const compiled = compileCondition(condition, sample);
const plain = (result: readonly number[]): boolean => {
  const first = result[0] ?? Number.NaN;
  return first >= 0.95 && first < 1.5;
};

/** Counts with our engine. Two separate loops let the engine's compiler optimize each as well as it can. */
function countOurs(): number {
  let held = 0;
  for (let done = 0; done < evaluations; done += results.length) {
    for (const result of results) if (compiled(result)) held += 1;
  }
  return held;
}

function countPlain(): number {
  let held = 0;
  for (let done = 0; done < evaluations; done += values.length) {
    for (const value of values) if (plain(value)) held += 1;
  }
  return held;
}

/** Measures evaluations per second. It uses the number of true results, so that no evaluation can be optimized away. */
function measure(count: () => number): number {
  const started = performance.now();
  const held = count();
  const seconds = (performance.now() - started) / 1000;
  const expected = values.filter(plain).length * Math.ceil(evaluations / values.length);
  if (held !== expected) throw new Error(`the condition held ${held} times, not ${expected}`);
  return evaluations / seconds;
}

const ours: number[] = [];
const theirs: number[] = [];
for (let round = 0; round <= rounds; round += 1) {
  const pair = [measure(countOurs), measure(countPlain)] as const;
  if (round === 0) continue;
  ours.push(pair[0]);
  theirs.push(pair[1]);
}
const ratio = median(theirs) / median(ours);
printFigure({
  name: "condition-evaluations",
  value: median(ours),
  unit: "1/s",
  baseline: median(theirs),
  ratio,
  size: `${rounds} x ${evaluations} evaluations of \`${condition}\``,
  goal: `within ${goal} times of JavaScript`,
  ok: ratio <= goal,
});
