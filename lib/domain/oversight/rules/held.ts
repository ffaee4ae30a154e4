import { findEndOfConcern } from "#lib/domain/oversight/end-of-concern.ts";
import type { FactHold, RolloutFacts } from "#lib/domain/oversight/rollout-facts.ts";
import type { Evidence, Found, Rule } from "#lib/domain/oversight/rule.ts";

/** Gatehouse paused a rollout by itself, or could not. */
export const heldByGatehouse: Rule<RolloutFacts> = {
  id: "held-by-gatehouse",
  about: "rollout",
  severity: "critical",
  name: "Held by Gatehouse",
  badge: "Held by Gatehouse",
  explanation:
    "A background analysis ended Inconclusive, and the controller may still pass the next gate. Gatehouse paused the rollout (spec.paused), as the config of its scope asks. The pause races with the controller: it may come too late.",
  advice:
    "Read the measurements and decide: abort, or unpause. A timed pause whose time is over then ends at once, and later revisions are held too until the rollout is unpaused.",
  find: (facts) => facts.holds.flatMap((hold) => toFound(hold, facts)),
};

/** A request takes less. */
export const answerMs = 60_000;

const titles = {
  placed: "Gatehouse paused this rollout after an Inconclusive result",
  refused: "Gatehouse could not pause this rollout after an Inconclusive result",
  unknown: "It is not known whether Gatehouse paused this rollout after an Inconclusive result",
};

function toFound(hold: FactHold, facts: RolloutFacts): Found[] {
  const { runKey, step, run: name, at, outcome, message } = hold;
  // The cluster has not answered yet, or the process died in between.
  if (outcome === null && Date.parse(facts.now) - Date.parse(at) < answerMs) return [];
  const run = facts.runs.find((own) => own.name === name);
  const runEvidence: Evidence = { label: "Inconclusive run", value: name };
  const over = outcome === "placed" ? findLift(hold, facts) : findEndOfConcern(facts, { runKey, since: at });
  return [
    {
      key: `${runKey} ${step}`,
      severity: outcome === "placed" ? "warning" : "critical",
      title: titles[outcome ?? "unknown"],
      since: at,
      evidence: [
        run === undefined ? runEvidence : { ...runEvidence, link: { to: "run", uid: run.uid } },
        ...(step < 0 ? [] : [{ label: "Completed steps", value: String(step) }]),
        ...(message === null ? [] : [{ label: "Refused", value: message }]),
      ],
      runKey,
      ...(run === undefined ? {} : { runUid: run.uid }),
      ...(over && { over }),
    },
  ];
}

/** It is over once somebody has unpaused the rollout, or the release has ended. */
function findLift({ runKey, at }: FactHold, facts: RolloutFacts): Found["over"] {
  const later = facts.observations.filter(({ observedAt }) => Date.parse(observedAt) >= Date.parse(at));
  const paused = later.findIndex(({ state }) => state.isPausedByPerson);
  const lifted = paused < 0 ? undefined : later.slice(paused).find(({ state }) => !state.isPausedByPerson);
  const end = findEndOfConcern(facts, { runKey, since: at });
  if (lifted === undefined) return end;
  if (end !== undefined && end.at < lifted.observedAt) return end;
  return { at: lifted.observedAt, why: "It was unpaused." };
}
