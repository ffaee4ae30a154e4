import type { Activity, DeliveryState, Observation, PausePlace, Wait } from "#lib/domain/delivery/observation.ts";
import type { StoredObservation } from "#lib/domain/delivery/provider.ts";
import { controllerManager } from "#lib/domain/flagger/resources.ts";
import type { CanaryProjection } from "./canary-projection.ts";
import { templateDigestOf } from "./run-template.ts";

/** Converts an observation stored for a Canary into the terms that all providers share. */
export function toObservation({ observedAt, resourceVersion, writer, projection }: StoredObservation): Observation {
  // The stored data was made by `observe` of this provider.
  const state = toDeliveryState(projection as CanaryProjection);
  return { observedAt, resourceVersion, client: writer === controllerManager ? null : writer, state };
}

function toDeliveryState({ view, shown, memory, stableTemplate, isDeleted }: CanaryProjection): DeliveryState {
  const templateDigest = templateDigestOf(memory);
  return {
    runKey: memory.runKey,
    ...(memory.waitedSince === null ? {} : { waitedSince: memory.waitedSince }),
    stableKey: memory.promotedKey,
    // Flagger does not begin again when the analysis changes.
    stepsKey: "",
    phase: shown.phase,
    message: shown.message,
    strategy: shown.strategy,
    revision: null,
    step: shown.step,
    stepCount: shown.stepCount,
    stepText: null,
    weight: shown.weight,
    images: shown.images,
    ...(templateDigest === undefined ? {} : { templateDigest }),
    ...(stableTemplate === undefined ? {} : { stableTemplateDigest: stableTemplate }),
    isAbortAsked: memory.hasFailed,
    isAborted: memory.hasFailed,
    abortedAt: memory.failedSince,
    abortText: shown.message,
    isFullPromotionAsked: view.skipAnalysis,
    isPausedByPerson: view.suspend,
    activity: findActivity(view, shown.gate),
    waits: listWaits(shown),
    runs: [],
    skippedGates: [],
    pauses: findPauses(view),
    rollbackWindow: null,
    isSpecObserved: true,
    isDeleted,
  };
}

/** A Canary is Progressing while Flagger measures it, round by round. */
function findActivity({ suspend, phase }: CanaryProjection["view"], gate: string | null): Activity {
  if (suspend) return "held";
  if (gate !== null) return "waiting";
  return phase === "Progressing" ? "analysing" : "progressing";
}

const afterPromotionWait = ["Promoting", "Finalising", "Succeeded"];

/** Its one pause is the wait before the promotion, which it passes without a stop if it has no such gate. */
function findPauses({ phase }: CanaryProjection["view"]): PausePlace {
  const isPast = afterPromotionWait.includes(phase);
  return {
    steps: [0],
    reached: isPast || phase === "WaitingPromotion" ? 1 : 0,
    passed: isPast ? 1 : 0,
    isTimed: false,
  };
}

const gateWords: Readonly<Record<string, string>> = {
  "confirm-rollout": "Waiting for approval to start",
  "confirm-traffic-increase": "Waiting for approval to raise the weight",
  "confirm-promotion": "Waiting for approval to promote",
};

function listWaits({ gate, since }: CanaryProjection["shown"]): Wait[] {
  return gate === null ? [] : [{ key: `${gate} ${since}`, text: gateWords[gate] ?? `Waiting for approval: ${gate}` }];
}
