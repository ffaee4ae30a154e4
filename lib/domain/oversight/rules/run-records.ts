import { findEndOfConcern, nameVersion } from "#lib/domain/oversight/end-of-concern.ts";
import type { FactRun, RolloutFacts } from "#lib/domain/oversight/rollout-facts.ts";
import type { Evidence, Found, Rule } from "#lib/domain/oversight/rule.ts";
import { describeRun, evidenceOfRun } from "./run-verdict.ts";

/** Measurements of a run are missing, or the controller overwrote them. */
export const measurementsLost: Rule<RolloutFacts> = {
  id: "measurements-lost",
  about: "rollout",
  severity: "warning",
  name: "Measurements lost or overwritten",
  explanation:
    "The run's counters or its end show measurements that are not recorded, or the controller took measurements again under the same number. Its verdict rests on more or other values than the record has.",
  advice: "Look at the gaps on the run's page. Compare with the metric's source for that time before you conclude.",
  find: (facts) =>
    facts.runs.flatMap((run) => {
      const lost = sum(run.metrics.map((metric) => metric.lost));
      const again = sum(run.metrics.map((metric) => metric.takenAgain));
      if (lost + again === 0) return [];
      const isOpen = run.metrics.some(({ isLossOpen }) => isLossOpen);
      const words = [
        ...(lost > 0
          ? [`${isOpen ? "at least " : ""}${lost} ${lost === 1 ? "measurement was" : "measurements were"} lost`]
          : []),
        ...(again > 0 ? [`${again} ${again === 1 ? "was" : "were"} taken again`] : []),
      ];
      const evidence = run.metrics
        .filter((metric) => metric.lost + metric.takenAgain > 0)
        .map(
          (metric): Evidence => ({
            label: metric.name,
            value: `${metric.lost} lost, ${metric.takenAgain} taken again`,
          }),
        );
      return [about({ facts, run, severity: "warning", title: `${describeRun(run)}: ${words.join(", ")}`, evidence })];
    }),
};

/** Of the newest 100 measurements. A metric that gets bad, recovers and gets bad again changes three times. */
const manyFlips = 6;

/** A metric changed between good and bad again and again within one run. */
export const metricFlapping: Rule<RolloutFacts> = {
  id: "metric-flapping",
  about: "rollout",
  severity: "info",
  name: "Flapping metric",
  explanation:
    "The measurements of a metric kept changing between good and bad within one run. Its values lie near the threshold or it is noisy, so its verdict is a matter of luck.",
  advice:
    "Measure over a longer window, or set the limits so that single values do not decide. Don't judge this release on this metric alone.",
  find: (facts) =>
    facts.runs.flatMap((run) =>
      run.metrics
        .filter(({ flips, dryRun }) => !dryRun && flips >= manyFlips)
        .map((metric): Found => {
          const value = `${metric.flips} changes within ${metric.looked} measurements`;
          const title = `${metric.name} is flapping: crossed its limit ${metric.flips} times ${placeOf(run)}`;
          const found = about({ facts, run, severity: "info", title, evidence: [{ label: metric.name, value }] });
          return { ...found, key: `${run.uid} ${metric.name}` };
        }),
    ),
};

function placeOf(run: FactRun): string {
  const { type, stepIndex } = run;
  return type === "Step" && stepIndex !== null ? `at step ${stepIndex + 1}` : `in ${describeRun(run).toLowerCase()}`;
}

/** A controller that restarts may start one or two again. */
const manyRuns = 3;

/** The controller starts the same analysis again and again. */
export const runRecreated: Rule<RolloutFacts> = {
  id: "run-recreated",
  about: "rollout",
  severity: "warning",
  name: "Analysis started again in a loop",
  explanation:
    "The controller started the same analysis of one release several times although no person asked for another measurement. The release does not move, and each run is judged from zero.",
  advice: "Look at how the first of these runs ended. Abort the release, or repair what ends the runs.",
  find: (facts) => {
    const groups = new Map<string, FactRun[]>();
    for (const run of facts.runs) {
      if (run.runKey === null || run.type === "Manual" || run.type === "Release" || run.type === "Experiment") continue;
      const key = `${run.runKey} ${run.type} ${run.stepIndex ?? ""}`;
      groups.set(key, [...(groups.get(key) ?? []), run]);
    }
    return [...groups].flatMap(([key, runs]) => {
      const first = runs[0];
      const last = runs.at(-1);
      if (first === undefined || last === undefined || first.runKey === null) return [];
      const { runKey } = first;
      const attempts = facts.releases.filter((release) => release.runKey === runKey).length;
      const again = runs.length - Math.max(attempts, 1) - countRequests(facts, runKey);
      if (again < manyRuns) return [];
      const title = `The controller started ${describeRun(first).toLowerCase()} of ${nameVersion(runKey, facts)} ${runs.length} times`;
      const evidence = runs.slice(-5).map((run): Evidence => {
        return {
          label: "Run",
          value: `${run.name}: ${run.phase}`,
          at: run.createdAt,
          link: { to: "run", uid: run.uid },
        };
      });
      const over = findEndOfConcern(facts, { runKey, since: last.createdAt });
      return [
        { key, severity: "warning" as const, title, since: first.createdAt, evidence, runKey, ...(over && { over }) },
      ];
    });
  },
};

/** Counts the acts after which the controller has to measure again. */
function countRequests({ observations }: RolloutFacts, runKey: string): number {
  return observations
    .filter(({ state }) => state.runKey === runKey)
    .flatMap(({ changes }) => changes)
    .filter(({ action }) => ["measure-again", "continue-waive", "retry", "continue", "accept-step"].includes(action))
    .length;
}

/** The newest run of an analysis has a metric whose rules let nothing fail. */
export const analysisNeverFails: Rule<RolloutFacts> = {
  id: "analysis-never-fails",
  about: "rollout",
  severity: "info",
  name: "Analysis that can never fail",
  explanation:
    "By its conditions and limits, a metric of this analysis can never fail or need a person, whatever its values. It looks like a check but is not one.",
  advice: "Give the metric a condition and a limit that a bad value can break, or mark it as a dry run.",
  find: (facts) => {
    const newest = new Map<string, FactRun>();
    for (const run of facts.runs) if (run.type !== "Manual") newest.set(`${run.type} ${run.stepIndex ?? ""}`, run);
    return [...newest].flatMap(([key, run]) =>
      run.harmless.map(({ metric, why }): Found => {
        return {
          key: `${key} ${metric}`,
          severity: "info",
          title: `${metric} of ${describeRun(run).toLowerCase()} can never fail`,
          since: run.createdAt,
          evidence: [{ label: metric, value: why }, ...evidenceOfRun(run)],
          runUid: run.uid,
          ...(run.runKey === null ? {} : { runKey: run.runKey }),
        };
      }),
    );
  },
};

function about({
  facts,
  run,
  severity,
  title,
  evidence,
}: {
  facts: RolloutFacts;
  run: FactRun;
  severity: Found["severity"];
  title: string;
  evidence: Evidence[];
}): Found {
  const since = run.completedAt ?? run.createdAt;
  const over = run.runKey === null ? undefined : findEndOfConcern(facts, { runKey: run.runKey, since });
  return {
    key: run.uid,
    severity,
    title,
    since: run.createdAt,
    evidence: [...evidence, ...evidenceOfRun(run)],
    runUid: run.uid,
    ...(run.runKey === null ? {} : { runKey: run.runKey }),
    ...(over && { over }),
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
