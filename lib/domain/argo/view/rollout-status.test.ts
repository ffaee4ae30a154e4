import { describe, expect, it } from "vitest";
import { parseRollout, type RolloutObject } from "#lib/domain/argo/objects/rollout-object.ts";
import {
  computeRolloutStatus,
  computeSetWeight,
  isFullyPromoted,
  isGenerationObserved,
  isWorkloadObserved,
} from "#lib/domain/argo/view/rollout-status.ts";
import fullyPromoted from "#test/fixtures/conformance/fully-promoted.json" with { type: "json" };
import generationObserved from "#test/fixtures/conformance/generation-observed.json" with { type: "json" };
import rolloutPhase from "#test/fixtures/conformance/rollout-phase.json" with { type: "json" };
import workloadObserved from "#test/fixtures/conformance/workload-generation-observed.json" with { type: "json" };

type Fragment = { metadata?: object; spec?: object; status?: object; templateResolvedFromRef?: boolean };

/**
 * Builds the rollout. `templateResolvedFromRef` is a flag inside upstream's controller; workloadRef is its wire form.
 */
function rolloutFrom({ templateResolvedFromRef, ...fragment }: Fragment): RolloutObject {
  const parsed = parseRollout({
    kind: "Rollout",
    ...fragment,
    spec: { ...fragment.spec, ...(templateResolvedFromRef ? { workloadRef: { kind: "Deployment", name: "d" } } : {}) },
    metadata: { name: "r", namespace: "n", uid: "u", resourceVersion: "1", ...fragment.metadata },
  });
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.value;
}

describe("computeRolloutStatus", () => {
  it.each(rolloutPhase.cases)("$id is $expect.phase: $expect.message", ({ rollout, expect: wanted }) => {
    const status = computeRolloutStatus(rolloutFrom(rollout));
    expect(status.phase).toBe(wanted.phase);
    if (wanted.message !== undefined) expect(status.message).toBe(wanted.message);
  });

  it("shows a phase that upstream does not know as Unknown, with its word", () => {
    const rollout = rolloutFrom({ status: { phase: "Sideways", message: "who knows" } });
    expect(computeRolloutStatus(rollout)).toEqual({ phase: "Unknown", message: "Sideways: who knows" });
  });

  it("is unpausing while controllerPause stands without a pause condition", () => {
    const rollout = rolloutFrom({ status: { phase: "Paused", message: "CanaryPauseStep", controllerPause: true } });
    expect(computeRolloutStatus(rollout)).toEqual({
      phase: "Progressing",
      message: "waiting for rollout to unpause",
    });
  });
});

describe("observed generations", () => {
  it.each(generationObserved.cases)("$id", ({ observedGeneration, generation, expect: wanted }) => {
    expect(isGenerationObserved(observedGeneration, generation)).toBe(wanted.observed);
  });

  it.each(workloadObserved.cases)(
    "$id",
    ({ workloadGenerationAnnotation, workloadObservedGeneration, expect: wanted }) => {
      expect(isWorkloadObserved(workloadGenerationAnnotation ?? undefined, workloadObservedGeneration)).toBe(
        wanted.observed,
      );
    },
  );
});

describe("isFullyPromoted", () => {
  it.each(fullyPromoted.cases)("$id", ({ stableRS, currentPodHash, expect: wanted }) => {
    expect(isFullyPromoted({ stableRS, currentPodHash })).toBe(wanted.fullyPromoted);
  });
});

describe("computeSetWeight", () => {
  const steps = [{ setWeight: 0 }, { pause: {} }, { setWeight: 40 }, { analysis: {} }];
  const at = (status: object, canary: object = { steps }) =>
    computeSetWeight(rolloutFrom({ spec: { strategy: { canary } }, status }));

  it.each([
    { name: "the first step's weight before any step is done", weight: at({}), wanted: 0 },
    { name: "zero is a weight", weight: at({ currentStepIndex: 1 }), wanted: 0 },
    { name: "the newest setWeight at or before the current step", weight: at({ currentStepIndex: 3 }), wanted: 40 },
    { name: "100 after the last step", weight: at({ currentStepIndex: 4 }), wanted: 100 },
    { name: "100 without steps", weight: at({}, {}), wanted: 100 },
    { name: "0 while aborted", weight: at({ currentStepIndex: 4, abort: true }), wanted: 0 },
    {
      name: "100 after the last step with another maxTrafficWeight",
      weight: at({ currentStepIndex: 4 }, { steps, trafficRouting: { maxTrafficWeight: 1000 } }),
      wanted: 100,
    },
    {
      name: "a share of maxTrafficWeight",
      weight: at({ currentStepIndex: 3 }, { steps, trafficRouting: { maxTrafficWeight: 1000 } }),
      wanted: 4,
    },
    { name: "0 where no step before sets one", weight: at({}, { steps: [{ pause: {} }] }), wanted: 0 },
  ])("$name", ({ weight, wanted }) => {
    expect(weight).toBe(wanted);
  });
});
