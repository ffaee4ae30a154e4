import type { DeliveryDetail, GateWiring, Notice } from "#lib/domain/delivery/detail.ts";
import { gateNames } from "#lib/domain/delivery/gate-decision.ts";
import type { CanaryObject } from "#lib/domain/flagger/objects/canary-object.ts";
import { type IsOurHook, listHooks, skipsAnalysis } from "#lib/domain/flagger/objects/canary-spec.ts";
import { stableKeyOf } from "#lib/domain/flagger/objects/run-key.ts";
import type { WorkloadState } from "#lib/domain/kube/workload-object.ts";
import type { CanaryAssessment } from "./canary-state.ts";
import { describeCanaryFollows, listConditions, listSteps } from "./canary-steps.ts";
import { computeStepPlan } from "./step-plan.ts";

/**
 * Describes the details that a Canary's own page adds to its summary. Replica counts are those of both workloads, as
 * far as they are known; `updated` counts the target's.
 */
export function describeCanary({
  canary,
  assessment,
  primary,
  target,
  isOurHook,
  meshProvider,
}: {
  canary: CanaryObject;
  assessment: CanaryAssessment;
  primary: WorkloadState | undefined;
  target: WorkloadState | undefined;
  isOurHook: IsOurHook;
  /** The controller's default router. */
  meshProvider?: string | undefined;
}): DeliveryDetail {
  const plan = computeStepPlan(canary, meshProvider);
  const { kind, name } = canary.spec.targetRef;
  const isAnalysed = canary.status.phase === "Progressing" || canary.status.phase === "WaitingPromotion";
  return {
    steps: listSteps(canary, plan),
    follows: skipsAnalysis(canary) ? null : describeCanaryFollows({ canary, plan, state: assessment.state }),
    pauseConditions: [],
    controllerPause: false,
    paused: canary.spec.suspend,
    aborted: false,
    promoteFull: skipsAnalysis(canary) && isAnalysed,
    stableRevisionKey: stableKeyOf(canary),
    replicas: addReplicas(primary, target),
    conditions: listConditions(canary, target === undefined ? null : target.desired === 0),
    currentRuns: [],
    currentExperiment: null,
    blueGreen: null,
    workload: name === "" ? null : { kind, name },
    notices: listNotices(assessment),
    gates: listGates(canary, isOurHook),
  };
}

function addReplicas(
  primary: WorkloadState | undefined,
  target: WorkloadState | undefined,
): DeliveryDetail["replicas"] {
  const add = (count: "desired" | "replicas" | "ready" | "available"): number =>
    (primary?.[count] ?? 0) + (target?.[count] ?? 0);
  return {
    desired: add("desired"),
    current: add("replicas"),
    updated: target?.updated ?? 0,
    ready: add("ready"),
    available: add("available"),
  };
}

/**
 * Lists the advice first, the first one with its deadline, then the notes. A weight that is measured to be wrong is a
 * warning: whoever reads Flagger's status decides on a wrong number. Before each promotion Flagger clears it, which
 * needs no warning.
 */
function listNotices({
  state,
  severity,
  advice,
  notes,
  deadline,
  traffic,
}: Pick<CanaryAssessment, "state" | "severity" | "advice" | "notes" | "deadline" | "traffic">): Notice[] {
  const urgent = severity === "ok" ? "info" : severity;
  const isMeasured = traffic.source === "route" || traffic.source === "sample";
  const isWrong = isMeasured && state !== "awaiting-promotion";
  const isDue = deadline !== null && state.startsWith("promotion-");
  return [
    ...advice.map((text, index) => ({ severity: urgent, text, deadline: isDue && index === 0 ? deadline : null })),
    ...notes.map((text) => ({
      severity: text === traffic.disagreement && isWrong ? ("warning" as const) : ("info" as const),
      text,
      deadline: null,
    })),
  ];
}

/** Lists the gates that the spec has hooks for, in the order in which Flagger asks them. */
function listGates(canary: CanaryObject, isOurHook: IsOurHook): GateWiring[] {
  const hooks = listHooks(canary);
  return gateNames.flatMap((gate) => {
    const own = hooks.filter(({ type }) => type === gate);
    if (own.length === 0) return [];
    return [
      { gate, hooks: own.map(({ name, url, type }) => ({ name, isOurs: isOurHook(url, type), host: hostOf(url) })) },
    ];
  });
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : "";
}
