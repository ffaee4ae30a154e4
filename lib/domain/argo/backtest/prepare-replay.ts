import { knownLanguageOf } from "#lib/domain/argo/analysis/controller-language.ts";
import { findHiddenField } from "#lib/domain/argo/analysis/judge-measurement.ts";
import { prepareRun } from "#lib/domain/argo/analysis/reconcile-run.ts";
import type { AnalysisRunSpec, MetricSpec } from "#lib/domain/argo/analysis/types.ts";
import type { Proposal, RunBacktest, RunReplay, RunToReplay, Undecided } from "#lib/domain/delivery/backtest.ts";
import { endedPhases } from "#lib/domain/delivery/run-phase.ts";
import { endSentence } from "#lib/util/words.ts";
import { finishCourse, loseCourse, startCourse, type Tally } from "./course.ts";
import { judgeOutcome, type RunContext } from "./judge-run.ts";
import { MetricReplay, prepareReplayRules, type ReplayState } from "./metric-replay.ts";
import { findInvalidRules, proposeMetric } from "./propose-metric.ts";

/**
 * Prepares the replay of one metric of runs with these rules. Each measurement is replayed twice: under the recorded
 * rules and under the proposal. The proposal's replay ignores the rest of the record once it has ended the metric.
 */
export function prepareReplay({
  rules: read,
  metric: name,
  proposal,
  controllerVersion,
}: {
  rules: unknown;
  metric: string;
  proposal: Proposal;
  controllerVersion?: string | undefined;
}): (run: RunToReplay, state?: unknown) => RunReplay {
  // The rules were made by `readRules`.
  const spec = read as AnalysisRunSpec;
  const prepared = prepareRun(spec);
  if ("error" in prepared) return brokenReplay(endSentence(`The recorded rules cannot be replayed: ${prepared.error}`));
  const recorded = prepared.spec.metrics.find((each) => each.name === name);
  if (recorded === undefined) return brokenReplay(`The recorded rules have no metric ${name}.`);
  const proposed = prepareProposed(spec, name, proposal);
  if (typeof proposed === "string")
    return brokenReplay(endSentence(`With the proposal the rules are invalid: ${proposed}`));
  const rules = prepareReplayRules(recorded, proposed, knownLanguageOf(controllerVersion));
  const hiddenLimit = findHiddenLimit(recorded) ?? findHiddenLimit(proposed);
  const isDryRun = prepared.dryRun.has(name);
  const others = prepared.spec.metrics.filter((metric) => metric.name !== name && !prepared.dryRun.has(metric.name));
  return (run, given) => {
    const own = run.metrics.find((each) => each.name === name);
    // A state that was given was made here.
    const state = (given as ReplayState | undefined) ?? startState(name, own, rules.isSame);
    if (hiddenLimit !== undefined) loseBoth(state, secretIn(hiddenLimit));
    if (own?.isInconsistent === true) loseBoth(state, disordered);
    const taken = (own?.count ?? 0) + (own?.error ?? 0);
    const replay = new MetricReplay({ run, rules, state, taken });
    return {
      add: (measurement) => replay.add(measurement),
      isSettled: () => replay.isSettled(),
      state,
      finish: () => {
        replay.finish();
        return summarize(state, {
          phase: run.phase,
          isTerminated: run.isTerminated,
          isDryRun,
          own,
          lastSeq: Math.max(state.lastSeq, taken),
          others: others.map((metric) => {
            return { metric, recorded: run.metrics.find((each) => each.name === metric.name) };
          }),
        });
      },
    };
  };
}

/** Returns the metric with the proposal and its arguments filled in, or why the controller would refuse it. */
function prepareProposed(spec: AnalysisRunSpec, name: string, proposal: Proposal): MetricSpec | string {
  const metrics = spec.metrics.map((metric) => (metric.name === name ? proposeMetric(metric, proposal) : metric));
  const prepared = prepareRun({ ...spec, metrics });
  if ("error" in prepared) return prepared.error;
  const proposed = prepared.spec.metrics.find((each) => each.name === name);
  return proposed === undefined ? `there is no metric ${name}` : (findInvalidRules(proposed) ?? proposed);
}

function startState(name: string, own: RunToReplay["metrics"][number] | undefined, isSame: boolean): ReplayState {
  const missing = own === undefined ? undefined : missingOf(own);
  return {
    lastSeq: 0,
    measurements: 0,
    recorded: startCourse(name, missing),
    proposed: startCourse(name, isSame ? missing : undefined),
    taken: undefined,
    difference: undefined,
  };
}

/** Returns the phases of the missing measurements; undefined if the counters do not give them. */
function missingOf(own: RunToReplay["metrics"][number]): Tally | undefined {
  const { stored, successful = 0, failed = 0, error = 0, inconclusive = 0, takenAgain = 0 } = own;
  if (stored === undefined || takenAgain > 0) return undefined;
  const counted: Tally = { Successful: successful, Failed: failed, Error: error, Inconclusive: inconclusive };
  const missing = Object.fromEntries(endedPhases.map((phase) => [phase, counted[phase] - stored[phase]]));
  const isPlausible = Object.values(missing).every((number) => number >= 0);
  // Made from all of `endedPhases`.
  return isPlausible ? (missing as Tally) : undefined;
}

const limitFields = [
  "count",
  "failureLimit",
  "inconclusiveLimit",
  "consecutiveErrorLimit",
  "consecutiveSuccessLimit",
] as const;

function findHiddenLimit(metric: MetricSpec): string | undefined {
  const { successCondition, failureCondition, ...rules } = metric;
  return limitFields.find((field) => findHiddenField({ name: rules.name, [field]: rules[field] }) !== undefined);
}

function secretIn(field: string): Undecided {
  return { code: "secret", text: `The ${field} contains a secret, which is not stored.` };
}

const disordered: Undecided = {
  code: "order",
  text: "The controller's counters and its list of measurements disagree.",
};

function loseBoth({ recorded, proposed }: ReplayState, why: Undecided): void {
  loseCourse(recorded, why);
  loseCourse(proposed, why);
}

function brokenReplay(text: string): () => RunReplay {
  const undecided: Undecided = { code: "spec", text };
  const verdicts = { metric: { undecided }, run: { undecided } };
  const result: RunBacktest = {
    isDryRun: false,
    replayed: verdicts,
    proposed: verdicts,
    firstDifference: null,
    measurements: 0,
  };
  return () => ({ add: () => undefined, isSettled: () => true, state: undefined, finish: () => result });
}

function summarize(state: ReplayState, context: RunContext): RunBacktest {
  const recorded = finishCourse(state.recorded);
  const proposed = finishCourse(state.proposed);
  return {
    isDryRun: context.isDryRun,
    replayed: judgeOutcome(recorded, recorded, context),
    proposed: judgeOutcome(proposed, recorded, context),
    firstDifference: state.difference ?? null,
    measurements: state.measurements,
  };
}
