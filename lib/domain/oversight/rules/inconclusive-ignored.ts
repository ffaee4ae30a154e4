import { findEntry } from "#lib/domain/acting/action-catalogue.ts";
import { type DeliveryState, nameGates, newlySkippedGates } from "#lib/domain/delivery/observation.ts";
import { findEndOfConcern, nameVersion } from "#lib/domain/oversight/end-of-concern.ts";
import type { FactObservation, RolloutFacts } from "#lib/domain/oversight/rollout-facts.ts";
import type { Evidence, Found, Rule } from "#lib/domain/oversight/rule.ts";

/**
 * An analysis run or an experiment ended Inconclusive, so a person had to decide, but the rollout went on without an
 * answer. Seen on Argo Rollouts 1.9.3 and 1.10.2: the step index passes a pause while the conditions hold only
 * InconclusiveAnalysisRun. Controllers before 1.8.2 do not even pause for a background run (argo-rollouts #3850).
 */
export const inconclusiveIgnored: Rule<RolloutFacts> = {
  id: "inconclusive-ignored",
  about: "rollout",
  severity: "critical",
  name: "Inconclusive result ignored",
  badge: "Inconclusive ignored",
  explanation:
    "An analysis run or an experiment ended Inconclusive: it asks a person to decide. The controller went on without one: it passed a gate or a step, promoted the version, or started the measurement again.",
  advice:
    "Read the measurements and decide now: abort, pause, or accept with a reason. Turn on the hold (oversight in the config) if this must not continue unattended.",
  find,
};

/** A result that waits for an answer. `title` is, for example, "Background analysis". */
type Result = { name: string; title: string };

/** A move that the controller made instead of waiting. */
type Move = {
  result: Result;
  did: string;
  at: FactObservation;
  before: DeliveryState;
  severity: "warning" | "critical";
};

function find(facts: RolloutFacts): Found[] {
  const moves = new Map<string, Move[]>();
  let answered = new Set<string>();
  for (const [index, next] of facts.observations.entries()) {
    const previous = facts.observations[index - 1];
    if (previous === undefined || previous.state.runKey !== next.state.runKey || next.state.runKey === "") {
      answered = new Set();
      continue;
    }
    const isEnded = isDecided(previous.state) || isDecided(next.state);
    const acts = listActs({ previous, next, facts });
    // The status names a result for a while after it was answered.
    for (const { name } of [...listOpen(previous, facts), ...listOpen(next, facts)])
      if (isEnded || acts.some((action) => isAnswerTo(action, name, facts))) answered.add(name);
    if (!isEnded && !acts.some(answersInconclusive))
      for (const move of findMoves({ previous, next, facts })) {
        if (answered.has(move.result.name)) continue;
        const key = `${next.state.runKey} ${move.result.name}`;
        moves.set(key, [...(moves.get(key) ?? []), move]);
      }
  }
  return [...moves].map(([key, own]) => toFound({ key, moves: own, facts }));
}

/**
 * Lists the acts between two observations: those that the second one shows, and those that Gatehouse sent meanwhile.
 * The second one may not show the latter if the controller was faster or the rollout was not watched.
 */
function listActs({ previous, next, facts }: Pair): string[] {
  const from = Date.parse(previous.observedAt);
  const to = Date.parse(next.observedAt);
  const sent = facts.actions.filter(({ requestedAt }) => {
    const at = Date.parse(requestedAt);
    return at > from && at <= to;
  });
  return [...next.changes.map(({ action }) => action), ...sent.map(({ action }) => action)];
}

/**
 * Accepting a step's result does not answer the background analysis, and lifting a pause answers only the result that
 * Gatehouse paused for. Every other act answers all results.
 */
function isAnswerTo(action: string, name: string, { runs, holds }: RolloutFacts): boolean {
  if (action === "accept-step") return runs.find((run) => run.name === name)?.type !== "Background";
  if (action === "unpause") return holds.some(({ run, outcome }) => run === name && outcome === "placed");
  return answersInconclusive(action);
}

/** An act that is unknown to this version answers nothing. */
function answersInconclusive(action: string): boolean {
  return findEntry(action)?.answersInconclusive === true;
}

function listOpen({ state, observedAt }: FactObservation, { experiments }: RolloutFacts): Result[] {
  const runs = state.runs.filter(({ phase }) => phase === "Inconclusive").map(({ name, title }) => ({ name, title }));
  const experiment = experiments.find(
    ({ name, phase, completedAt }) =>
      name === state.experiment && phase === "Inconclusive" && Date.parse(completedAt ?? "") <= Date.parse(observedAt),
  );
  return experiment === undefined ? runs : [...runs, { name: experiment.name, title: "Experiment" }];
}

function isDecided({ isAborted, isAbortAsked, isFullPromotionAsked, isDeleted }: DeliveryState): boolean {
  return isAborted || isAbortAsked || isFullPromotionAsked || isDeleted;
}

type Pair = { previous: FactObservation; next: FactObservation; facts: RolloutFacts };

function findMoves({ previous, next, facts }: Pair): Move[] {
  const base = { at: next, before: previous.state };
  const gates = newlySkippedGates(previous.state, next.state);
  if (gates.length > 0) {
    const did = `skipped the ${lower(nameGates(gates.map(({ step }) => step)))}`;
    return [
      { ...base, result: { name: gates[0]?.run ?? "", title: "Background analysis" }, did, severity: "critical" },
    ];
  }
  return listOpen(previous, facts).flatMap((result): Move[] => {
    const { runKey, stableKey, step, stepCount, runs } = next.state;
    if (stableKey === runKey && previous.state.stableKey !== runKey)
      return [{ ...base, result, did: `promoted ${nameVersion(runKey, facts)}`, severity: "critical" }];
    const isHeld = previous.state.runs.find(({ name }) => name === result.name)?.isHeld ?? false;
    const from = previous.state.step;
    if (!isHeld && from !== null && step !== null && step > from)
      return [{ ...base, result, did: `went on ${describeStep(step, stepCount)}`, severity: "critical" }];
    const successor = runs.find(({ title }) => title === result.title)?.name;
    return successor !== undefined && successor !== result.name
      ? [{ ...base, result, did: "measured again instead of waiting", severity: "warning" }]
      : [];
  });
}

function describeStep(step: number, stepCount: number): string {
  return step < stepCount ? `to step ${step + 1} of ${stepCount}` : "past the last step";
}

/** The moves that followed from one result are one finding. */
function toFound({ key, moves, facts }: { key: string; moves: readonly Move[]; facts: RolloutFacts }): Found {
  const [first] = moves;
  if (first === undefined) throw new Error("a finding without a move");
  const { result, at, before } = first;
  const { runKey } = at.state;
  const since = at.observedAt;
  const run = facts.runs.find(({ name }) => name === result.name);
  const over = findEndOfConcern(facts, { runKey, since });
  const did = [...new Set(moves.map((move) => move.did))];
  return {
    key,
    severity: moves.some(({ severity }) => severity === "critical") ? "critical" : "warning",
    title: `The controller ${did.join(", then ")} although the ${lower(result.title)} was Inconclusive`,
    since,
    evidence: [
      { label: result.title, value: `${result.name}: Inconclusive`, ...linkOf(result, facts) },
      ...moves.map(
        (move): Evidence => ({ label: "Then", value: `${facts.controllerName} ${move.did}`, at: move.at.observedAt }),
      ),
      ...(before.step === null || before.step >= before.stepCount
        ? []
        : [{ label: "At step", value: `${before.step + 1} of ${before.stepCount}` }]),
      ...(before.weight === null ? [] : [{ label: "Weight set", value: `${before.weight} %` }]),
      { label: "Controller version", value: facts.controllerVersion ?? "not known" },
      { label: "Answer by a person", value: "none was seen" },
    ],
    runKey,
    ...(run === undefined ? {} : { runUid: run.uid }),
    ...(over === undefined ? {} : { over }),
  };
}

function linkOf({ name }: Result, { runs, experiments }: RolloutFacts): Pick<Evidence, "link"> {
  const run = runs.find((own) => own.name === name);
  if (run !== undefined) return { link: { to: "run", uid: run.uid } };
  const experiment = experiments.find((own) => own.name === name);
  return experiment === undefined ? {} : { link: { to: "experiment", uid: experiment.uid } };
}

function lower(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
