import type { DeliveryState } from "#lib/domain/delivery/observation.ts";
import { nameGates, newlySkippedGates } from "#lib/domain/delivery/skipped-gates.ts";
import { findEndOfConcern, nameVersion } from "#lib/domain/oversight/end-of-concern.ts";
import type { FactObservation, RolloutFacts } from "#lib/domain/oversight/rollout-facts.ts";
import type { Evidence, Found, Rule } from "#lib/domain/oversight/rule.ts";
import type { ChangeAction } from "#lib/domain/oversight/unasked-change.ts";

/**
 * An analysis run or an experiment ended Inconclusive, which asks for a person, and the rollout went on although nobody
 * answered. Seen on Argo Rollouts 1.9.3 and 1.10.2: the step index passes a pause while the conditions hold only
 * InconclusiveAnalysisRun. Controllers before 1.8.2 do not even pause for a background run (argo-rollouts #3850).
 */
export const inconclusiveIgnored: Rule<RolloutFacts> = {
  id: "inconclusive-ignored",
  about: "rollout",
  severity: "critical",
  name: "Inconclusive result ignored",
  explanation:
    "An analysis run or an experiment ended Inconclusive: it asks a person to decide. The controller went on without one: it passed a gate or a step, promoted the version, or started the measurement again.",
  advice:
    "Read the measurements and decide now: abort, pause, or accept with a reason. Turn on the hold (oversight.scopes) if this must not go on while nobody looks.",
  find,
};

/** Acts that answer an Inconclusive result. A pause or a restart answers nothing. */
const unanswering: readonly ChangeAction[] = ["pause", "unpause", "restart"];

/** What the controller did instead of waiting. */
type Move = { key: string; did: string; result: string; at: FactObservation; severity: "warning" | "critical" };

function find(facts: RolloutFacts): Found[] {
  const found = new Map<string, Found>();
  let open = new Map<string, string>();
  for (const [index, next] of facts.observations.entries()) {
    const previous = facts.observations[index - 1];
    if (previous === undefined || previous.state.runKey !== next.state.runKey || next.state.runKey === "") {
      open = new Map();
      for (const key of listOpen(next, facts)) open.set(...key);
      continue;
    }
    const isAnswered = next.changes.some(({ action }) => !unanswering.includes(action));
    if (isAnswered || isDecided(previous.state) || isDecided(next.state)) open = new Map();
    else
      for (const move of findMoves({ previous, next, open, facts })) {
        const key = `${next.state.runKey} ${move.key}`;
        if (!found.has(key)) found.set(key, toFound({ move, key, state: previous.state, facts }));
      }
    if (!isAnswered) for (const key of listOpen(next, facts)) open.set(...key);
    // A run that the status no longer names was answered, or is found by now.
    const named = new Set(listOpen(next, facts).map(([name]) => name));
    for (const name of open.keys()) if (!named.has(name)) open.delete(name);
  }
  return [...found.values()];
}

/** Lists what waits for an answer, by name with its title. */
function listOpen({ state, observedAt }: FactObservation, { experiments }: RolloutFacts): [string, string][] {
  const runs = state.runs
    .filter(({ phase }) => phase === "Inconclusive")
    .map(({ name, title }): [string, string] => [name, title]);
  const experiment = experiments.find(
    ({ name, phase, completedAt }) =>
      name === state.experiment && phase === "Inconclusive" && Date.parse(completedAt ?? "") <= Date.parse(observedAt),
  );
  return experiment === undefined ? runs : [...runs, [experiment.name, "Experiment"]];
}

function isDecided({ isAborted, isAbortAsked, isFullPromotionAsked, isDeleted }: DeliveryState): boolean {
  return isAborted || isAbortAsked || isFullPromotionAsked || isDeleted;
}

function findMoves({
  previous,
  next,
  open,
  facts,
}: {
  previous: FactObservation;
  next: FactObservation;
  open: ReadonlyMap<string, string>;
  facts: RolloutFacts;
}): Move[] {
  const gates = newlySkippedGates(previous.state, next.state);
  if (gates.length > 0) {
    const steps = gates.map(({ step }) => step);
    const run = gates[0]?.run;
    const result = `Background analysis${run === null || run === undefined ? "" : ` ${run}`}`;
    const did = `skipped the ${lower(nameGates(steps))}`;
    return [{ key: `gate ${steps.join(",")}`, did, result, at: next, severity: "critical" }];
  }
  return [...open].flatMap(([name, title]): Move[] => {
    const held = previous.state.runs.find((run) => run.name === name)?.isHeld ?? false;
    const base = { key: `result ${name}`, result: `${title} ${name}`, at: next };
    const isPromoted = previous.state.stableKey !== next.state.stableKey && next.state.stableKey === next.state.runKey;
    if (isPromoted)
      return [{ ...base, did: `promoted ${nameVersion(next.state.runKey, facts)}`, severity: "critical" }];
    const [from, to] = [previous.state.step, next.state.step];
    if (!held && from !== null && to !== null && to > from)
      return [{ ...base, did: `went on to step ${to + 1} of ${next.state.stepCount}`, severity: "critical" }];
    const successor = next.state.runs.find((run) => run.title === title)?.name;
    return successor !== undefined && successor !== name
      ? [{ ...base, did: `started ${successor} instead of waiting`, severity: "warning" }]
      : [];
  });
}

function toFound({
  move,
  key,
  state,
  facts,
}: {
  move: Move;
  key: string;
  state: DeliveryState;
  facts: RolloutFacts;
}): Found {
  const { at, severity } = move;
  const { runKey, weight } = at.state;
  const name = move.result.split(" ").at(-1) ?? move.result;
  const run = facts.runs.find((own) => own.name === name);
  const experiment = facts.experiments.find((own) => own.name === name);
  const link: Evidence["link"] =
    run !== undefined
      ? { to: "run", uid: run.uid }
      : experiment === undefined
        ? undefined
        : { to: "experiment", uid: experiment.uid };
  const evidence: Evidence[] = [
    { label: "Result", value: `${move.result} is Inconclusive`, ...(link === undefined ? {} : { link }) },
    { label: "Then", value: `${facts.controllerName} ${move.did}`, at: at.observedAt },
    ...(state.step === null ? [] : [{ label: "Step before", value: `${state.step + 1} of ${state.stepCount}` }]),
    ...(weight === null ? [] : [{ label: "Weight set", value: `${weight} %` }]),
    { label: "Controller version", value: facts.controllerVersion ?? "not known" },
    { label: "Person's answer", value: "none was seen" },
  ];
  const since = at.observedAt;
  const over = findEndOfConcern(facts, { runKey, since });
  return {
    key,
    severity,
    title: `The controller ${move.did} although ${lower(move.result)} was Inconclusive`,
    since,
    evidence,
    runKey,
    ...(run === undefined ? {} : { runUid: run.uid }),
    ...(over === undefined ? {} : { over }),
  };
}

function lower(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
