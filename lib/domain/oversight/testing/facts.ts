import type { DeliveryState } from "#lib/domain/delivery/observation.ts";
import { defaultLimits } from "#lib/domain/oversight/limits.ts";
import type { ChangeAction } from "#lib/domain/oversight/provider-reports.ts";
import type { FactObservation, FactRelease, FactRun, RolloutFacts } from "#lib/domain/oversight/rollout-facts.ts";

/** When a release of these facts begins. */
export const start = "2026-03-01T10:00:00.000Z";

/** Returns the time this many seconds after the start. */
export function at(seconds: number): string {
  return new Date(Date.parse(start) + seconds * 1000).toISOString();
}

/** A release of revision 2 at its second of four steps. */
export function stateOf(change: Partial<DeliveryState> = {}): DeliveryState {
  return {
    runKey: "new",
    stableKey: "old",
    stepsKey: "steps",
    phase: "Progressing",
    message: "",
    strategy: "Canary",
    revision: 2,
    step: 1,
    stepCount: 4,
    stepText: "setWeight: 50",
    weight: 25,
    images: ["app:2"],
    isAbortAsked: false,
    isAborted: false,
    abortedAt: null,
    abortText: "",
    isFullPromotionAsked: false,
    isPausedByPerson: false,
    activity: "progressing",
    waits: [],
    runs: [],
    skippedGates: [],
    rollbackWindow: null,
    isSpecObserved: true,
    isDeleted: false,
    ...change,
  };
}

/** An observation this many seconds after the start. `acts`: the changes since the one before. */
export function seen(
  seconds: number,
  change: Partial<DeliveryState> = {},
  acts: readonly ChangeAction[] = [],
): FactObservation {
  return {
    observedAt: at(seconds),
    resourceVersion: String(seconds),
    client: null,
    state: stateOf(change),
    changes: acts.map((action) => ({ action, client: "kubectl" })),
  };
}

export const release: FactRelease = {
  runKey: "new",
  attempt: 1,
  revision: 2,
  state: "progressing",
  images: ["app:2"],
  startedAt: start,
  endedAt: null,
};

export function runOf(change: Partial<FactRun> = {}): FactRun {
  return {
    uid: "run-1",
    name: "app-new-2",
    type: "Background",
    stepIndex: null,
    runKey: "new",
    phase: "Running",
    createdAt: at(0),
    completedAt: null,
    verdict: null,
    metrics: [],
    harmless: [],
    ...change,
  };
}

/** Facts about a rollout with nothing wrong, ten minutes after its release began. */
export function factsOf(change: Partial<RolloutFacts> = {}): RolloutFacts {
  return {
    now: at(600),
    limits: defaultLimits,
    controllerName: "Argo Rollouts controller",
    controllerVersion: "v1.10.2",
    wait: undefined,
    weight: 25,
    weightFrom: "status",
    weightAt: null,
    troubles: [],
    observations: [seen(0), seen(10)],
    releases: [release],
    runs: [],
    experiments: [],
    actions: [],
    acts: [],
    holds: [],
    ...change,
  };
}

/** The state fields of an abort 20 s after the start. */
export const aborted = { isAborted: true, isAbortAsked: true, abortedAt: at(20), abortText: "Aborted" };
