import { expect, it } from "vitest";
import { parseRollout } from "#lib/domain/argo/objects/rollout-object.ts";
import { readActionFacts } from "#lib/domain/argo/plan/action-facts.ts";
import { formatAbortEffect } from "#lib/domain/argo/plan/action-text.ts";

it.each([
  { weight: 40, says: "stops at step 1 of 1. The 40 % of traffic on new goes back to old." },
  { weight: 0, says: "All traffic returns to the stable version old (none is on the new one)." },
  { weight: undefined, says: "All traffic returns to the stable version old (20 % is set for the new one)." },
])("says which traffic goes back on an abort: $weight", ({ weight, says }) => {
  const weights = weight === undefined ? {} : { weights: { canary: { weight } } };
  const parsed = parseRollout({
    apiVersion: "argoproj.io/v1alpha1",
    kind: "Rollout",
    metadata: { name: "web", namespace: "n", uid: "u", resourceVersion: "1", generation: 1 },
    spec: { strategy: { canary: { steps: [{ setWeight: 20 }], trafficRouting: {} } } },
    status: { currentPodHash: "new", stableRS: "old", currentStepIndex: 0, canary: weights },
  });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed));
  const rollout = parsed.value;
  expect(formatAbortEffect({ rollout, facts: readActionFacts(rollout) })).toContain(says);
});
