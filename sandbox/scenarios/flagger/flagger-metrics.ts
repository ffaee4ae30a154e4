import type { FlaggerContext } from "#sandbox/flagger/flagger-context.ts";
import { answerFor } from "#sandbox/scenarios/metric-behaviour.ts";
import type { Series } from "#sandbox/scenarios/scenario-types.ts";
import type { FlaggerScenario } from "./flagger-scenario-types.ts";

/** Percent, milliseconds, and errors per second. */
export const USUAL_TRAFFIC: Record<string, Series> = {
  "request-success-rate": { center: 99.6, spread: 0.3 },
  "request-duration": { center: 210, spread: 45 },
  "dependency-errors": { center: 0.31, spread: 0.12 },
};

/** Creates the metrics server: the n-th question about a version gets the n-th value of its series. */
export function createFlaggerMetrics(options: {
  seed: number;
  scenarios: readonly FlaggerScenario[];
}): FlaggerContext["ask"] {
  const asked = new Map<string, number>();
  return (question) => {
    const key = JSON.stringify(question);
    const sequence = asked.get(key) ?? 0;
    asked.set(key, sequence + 1);
    return answerFor({ ...question, runType: "Canary", attempt: 0, sequence }, options);
  };
}
