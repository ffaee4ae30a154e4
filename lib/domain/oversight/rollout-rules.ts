import type { RolloutFacts } from "./rollout-facts.ts";
import type { Rule } from "./rule.ts";
import { actionWithoutEffect, changedMidRelease, outOfBandAct } from "./rules/acts.ts";
import { heldByGatehouse } from "./rules/held.ts";
import { inconclusiveIgnored } from "./rules/inconclusive-ignored.ts";
import { promotionTrouble } from "./rules/provider-trouble.ts";
import { analysisNeverFails, measurementsLost, metricFlapping, runRecreated } from "./rules/run-records.ts";
import { nothingMeasured, verdictContradicts } from "./rules/run-verdict.ts";
import { trafficAfterAbort, waitingTooLong } from "./rules/waits-and-traffic.ts";

/** The rules about rollouts, the most severe first. */
export const rolloutRules: readonly Rule<RolloutFacts>[] = [
  inconclusiveIgnored,
  heldByGatehouse,
  trafficAfterAbort,
  promotionTrouble,
  verdictContradicts,
  nothingMeasured,
  measurementsLost,
  runRecreated,
  waitingTooLong,
  actionWithoutEffect,
  outOfBandAct,
  changedMidRelease,
  metricFlapping,
  analysisNeverFails,
];
