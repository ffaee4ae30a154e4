import type { CountedRun } from "#lib/domain/delivery/observation.ts";
import type { FactAction, RolloutFacts } from "#lib/domain/oversight/rollout-facts.ts";
import { aborted, at, runOf, seen } from "./facts.ts";

/** A case that raises a rule, or one that nearly raises it but must not. */
export type Case = {
  rule: string;
  name: string;
  facts: Partial<RolloutFacts>;
  /** "severity: title", followed by " (over)" if the finding is over. */
  found: string[];
};

const background = (phase: string, change: Partial<CountedRun> = {}): CountedRun => ({
  title: "Background analysis",
  name: "app-new-2",
  phase,
  ...change,
});
const open = { runs: [background("Inconclusive", { isHeld: true })] };
const unheld = { runs: [background("Inconclusive")] };
const gate = { step: 2, at: at(20), why: "background analysis Inconclusive", run: "app-new-2" };
const inconclusive = [runOf({ phase: "Inconclusive", completedAt: at(10) })];
const experiment = { uid: "x-1", name: "exp", runKey: "new", phase: "Inconclusive", completedAt: at(5) };
const actionAt = (seconds: number, action: string): FactAction => ({
  ...{ id: "action-1", action, label: action, state: "effective", effectWhy: null },
  ...{ requestedAt: at(seconds), actor: "operator", auditSeq: null },
});
const ignored = (did: string, what = "background analysis"): string =>
  `The controller ${did} although the ${what} was Inconclusive`;

/** Cases of an ignored Inconclusive result, and near misses. */
export const ignoredCases: readonly Case[] = [
  {
    rule: "inconclusive-ignored",
    name: "a gate is skipped",
    facts: { runs: inconclusive, observations: [seen(10, open), seen(20, { ...open, step: 3, skippedGates: [gate] })] },
    found: [`critical: ${ignored("skipped the gate at step 3")}`],
  },
  {
    rule: "inconclusive-ignored",
    name: "a gate is skipped after a person accepted the step's result",
    facts: {
      runs: inconclusive,
      observations: [
        seen(10, open),
        seen(12, { ...open, step: 2 }, ["accept-step"]),
        seen(20, { ...open, step: 3, skippedGates: [gate] }),
      ],
    },
    found: [`critical: ${ignored("skipped the gate at step 3")}`],
  },
  {
    rule: "inconclusive-ignored",
    name: "the controller finishes what it had begun, and holds",
    facts: { observations: [seen(10, open), seen(20, { ...open, step: 2 })] },
    found: [],
  },
  {
    rule: "inconclusive-ignored",
    name: "the controller does not hold, as before 1.8.2",
    facts: { observations: [seen(10, unheld), seen(20, { ...unheld, step: 2 })] },
    found: [`critical: ${ignored("went on to step 3 of 4")}`],
  },
  {
    rule: "inconclusive-ignored",
    name: "it goes on until it is promoted: one finding",
    facts: {
      observations: [
        seen(10, unheld),
        seen(20, { ...unheld, step: 4 }),
        seen(30, { ...unheld, step: 4, stableKey: "new" }),
      ],
    },
    found: [`critical: ${ignored("went on past the last step, then promoted revision 2")}`],
  },
  {
    rule: "inconclusive-ignored",
    name: "the controller measures again by itself",
    facts: {
      observations: [seen(10, open), seen(20, { runs: [background("Running", { name: "app-new-2.1" })] })],
    },
    found: [`warning: ${ignored("measured again instead of waiting")}`],
  },
  {
    rule: "inconclusive-ignored",
    name: "a person asked to measure again, and the controller did so later",
    facts: {
      observations: [
        seen(10, open),
        seen(15, { ...unheld }, ["measure-again"]),
        seen(20, { runs: [background("Running", { name: "app-new-2.1" })] }),
      ],
    },
    found: [],
  },
  {
    rule: "inconclusive-ignored",
    name: "a person paused it, which answers nothing",
    facts: { observations: [seen(10, unheld), seen(15, unheld, ["pause"]), seen(20, { ...unheld, step: 2 })] },
    found: [`critical: ${ignored("went on to step 3 of 4")}`],
  },
  {
    rule: "inconclusive-ignored",
    name: "a person lifted the hold of Gatehouse, which answers the result",
    facts: {
      holds: [{ runKey: "new", step: 1, run: "app-new-2", at: at(11), outcome: "placed", message: null }],
      observations: [
        seen(10, unheld),
        seen(12, { ...unheld, isPausedByPerson: true }, ["pause"]),
        seen(15, unheld, ["unpause"]),
        seen(20, { ...unheld, step: 2 }),
      ],
    },
    found: [],
  },
  {
    rule: "inconclusive-ignored",
    name: "a person answered through Gatehouse while nobody watched the cluster",
    facts: {
      actions: [actionAt(15, "continue-waive")],
      observations: [seen(10, unheld), seen(20, { ...unheld, step: 2 }), seen(30, { ...unheld, step: 3 })],
    },
    found: [],
  },
  {
    rule: "inconclusive-ignored",
    name: "a person answered through Gatehouse too late",
    facts: {
      actions: [actionAt(25, "continue-waive")],
      observations: [seen(10, unheld), seen(20, { ...unheld, step: 2 })],
    },
    found: [`critical: ${ignored("went on to step 3 of 4")}`],
  },
  {
    rule: "inconclusive-ignored",
    name: "Gatehouse paused it, which answers nothing",
    facts: {
      actions: [actionAt(15, "pause")],
      observations: [seen(10, unheld), seen(20, { ...unheld, step: 2 })],
    },
    found: [`critical: ${ignored("went on to step 3 of 4")}`],
  },
  {
    rule: "inconclusive-ignored",
    name: "Gatehouse did what this version does not know, which answers nothing",
    facts: {
      actions: [actionAt(15, "an-action-of-a-later-version")],
      observations: [seen(10, unheld), seen(20, { ...unheld, step: 2 })],
    },
    found: [`critical: ${ignored("went on to step 3 of 4")}`],
  },
  {
    rule: "inconclusive-ignored",
    name: "a person promoted it in full",
    facts: {
      observations: [
        seen(10, open),
        seen(15, { ...open, isFullPromotionAsked: true }, ["promote-full"]),
        seen(20, { ...open, step: 4, stableKey: "new" }),
      ],
    },
    found: [],
  },
  {
    rule: "inconclusive-ignored",
    name: "it is aborted",
    facts: { observations: [seen(10, open), seen(20, { ...open, ...aborted, step: 0 })] },
    found: [],
  },
  {
    rule: "inconclusive-ignored",
    name: "the analysis was good",
    facts: { observations: [seen(10, { runs: [background("Successful")] }), seen(20, { step: 2 })] },
    found: [],
  },
  {
    rule: "inconclusive-ignored",
    name: "an experiment is passed",
    facts: {
      experiments: [experiment],
      observations: [seen(10, { experiment: "exp" }), seen(20, { step: 2 })],
    },
    found: [`critical: ${ignored("went on to step 3 of 4", "experiment")}`],
  },
  {
    rule: "inconclusive-ignored",
    name: "an experiment is passed by a person",
    facts: {
      experiments: [experiment],
      observations: [seen(10, { experiment: "exp" }), seen(20, { step: 2 }, ["accept-step"])],
    },
    found: [],
  },
  {
    rule: "inconclusive-ignored",
    name: "the version was replaced since",
    facts: {
      observations: [seen(10, unheld), seen(20, { ...unheld, step: 2 }), seen(30, { runKey: "newer", revision: 3 })],
    },
    found: [`critical: ${ignored("went on to step 3 of 4")} (over)`],
  },
];
