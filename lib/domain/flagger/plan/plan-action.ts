import { formatPatchCommands, quoteWord } from "#lib/domain/acting/format-kubectl.ts";
import { type ActionPlan, type ActionRefusal, type PlannedDecision, refuse } from "#lib/domain/acting/plan.ts";
import type { GateBinding, GateName } from "#lib/domain/delivery/gate-decision.ts";
import { type NamedWorkload, versionOf } from "#lib/domain/delivery/related-state.ts";
import { computeChecksum, hashPodTemplate } from "#lib/domain/flagger/gates/checksum.ts";
import { computeNextWeight } from "#lib/domain/flagger/gates/watched-canary.ts";
import type { CanaryObject } from "#lib/domain/flagger/objects/canary-object.ts";
import { analysisOf, intervalSecondsOf, targetNameOf } from "#lib/domain/flagger/objects/canary-spec.ts";
import type { FlaggerAction } from "#lib/domain/flagger/view/action-judgement.ts";
import type { CanaryAssessment } from "#lib/domain/flagger/view/canary-state.ts";
import { type FlaggerEffect, makeEffect } from "./flagger-effect.ts";
import type { LiveWorkload } from "./read-surroundings.ts";

export const flaggerActions = [
  "approve",
  "unsuspend",
  "skip-analysis",
  "retrigger",
  "hold",
  "suspend",
  "rollback",
] as const satisfies readonly FlaggerAction[];

type Planning = {
  canary: CanaryObject;
  assessment: CanaryAssessment;
  now: Date;
  /** Its target as the cluster has it; undefined as long as nothing was read. */
  target: LiveWorkload | undefined;
  /** As `target`, or else as it was recorded; undefined if it is not known. */
  shown: NamedWorkload | undefined;
};
type Draft = Pick<ActionPlan<FlaggerEffect>, "effect" | "expectedEffect"> &
  Partial<Omit<ActionPlan<FlaggerEffect>, "kind">>;

/**
 * Turns an action on a Canary into a decision that Gatehouse keeps, or into a merge patch, or refuses it with a
 * one-sentence reason.
 *
 * | action | result |
 * |---|---|
 * | approve, hold | a decision on the waiting gate, which answers the next hook call |
 * | rollback | a decision for the rollback hook, bound to the checksum of the run |
 * | suspend, unsuspend | `spec.suspend` |
 * | skip-analysis | `spec.skipAnalysis: true` |
 * | retrigger | the annotation of `kubectl rollout restart` in the target's pod template |
 */
export function planAction(action: FlaggerAction, planning: Planning): ActionPlan<FlaggerEffect> | ActionRefusal {
  const { canary, assessment } = planning;
  if (canary.metadata.deletionTimestamp !== undefined) return refuse("being_deleted", "The canary is being deleted.");
  const judgement = assessment.actions[action];
  if (!judgement.safe) return refuse(judgement.reasonCode.replaceAll("-", "_"), judgement.reason);
  const draft = planners[action](planning);
  if ("kind" in draft) return draft;
  const { patches = [], shown = patches } = draft;
  return {
    ...draft,
    kind: "patches",
    patches,
    shown,
    ofTemplate: draft.target !== undefined,
    warnings: judgement.warnings,
    also: [],
  };
}

const planners: Record<FlaggerAction, (planning: Planning) => Draft | ActionRefusal> = {
  approve: planApprove,
  hold: planHold,
  rollback: planRollback,
  suspend: ({ canary }) => planSuspend(canary, true),
  unsuspend: ({ canary }) => planSuspend(canary, false),
  "skip-analysis": planSkipAnalysis,
  retrigger: planRetrigger,
};

const hourSeconds = 3600;
/** A decision is void as soon as the revision changes or its run ends; these are for a controller that never asks. */
const lifetimes = { approve: 24 * hourSeconds, rollback: hourSeconds } as const;

function decide(verdict: "approve" | "rollback", gate: GateName, bound: GateBinding): PlannedDecision {
  return { gate, verdict, bound, expiresInSeconds: lifetimes[verdict] };
}

/** A start has no run yet whose end makes it void, and a change of a ConfigMap does not change the pod template. */
function startLifetimeOf(canary: CanaryObject): number {
  return Math.max(300, 5 * intervalSecondsOf(canary));
}

/** Also binds to the pod template: calls of Flagger before 1.34 carry no checksum. */
function bindToRun({ status }: CanaryObject, target: LiveWorkload | undefined): GateBinding {
  const { trackedConfigs, lastAppliedSpec } = status;
  return { checksum: computeChecksum({ trackedConfigs, lastAppliedSpec }), ...bindToTemplate(target) };
}

/** An offer is not bound yet: the template is read at the click. */
function bindToTemplate(target: LiveWorkload | undefined): GateBinding {
  const templateHash = target === undefined ? undefined : hashPodTemplate(target.object);
  return templateHash === undefined ? {} : { templateHash };
}

function planApprove({ canary, assessment, target, shown }: Planning): Draft | ActionRefusal {
  const gate = assessment.gate?.name;
  if (gate === undefined) return refuse("not_waiting", "No gate of this canary is waiting for an answer.");
  const weight = canary.status.canaryWeight ?? 0;
  const expectedEffect = makeEffect(canary, { kind: "gate-passed", gate, weight });
  switch (gate) {
    case "confirm-rollout": {
      // Flagger's checksum is that of the revision before until the run begins.
      return {
        decision: { ...decide("approve", gate, bindToTemplate(target)), expiresInSeconds: startLifetimeOf(canary) },
        targetVersion: shown && versionOf(shown),
        effect: `Lets Flagger start the analysis of the version that ${targetNameOf(canary)} has now${listImages(shown)}.`,
        expectedEffect,
      };
    }
    case "confirm-traffic-increase": {
      const next = computeNextWeight({ weight, analysis: analysisOf(canary) ?? {} });
      const bound = { ...bindToRun(canary, target), upToWeight: next ?? 100 };
      return {
        decision: decide("approve", gate, bound),
        effect:
          next === undefined
            ? `Lets Flagger continue from ${weight} % to the promotion.`
            : `Lets Flagger raise the weight from ${weight} to ${next} %, and no further.`,
        expectedEffect,
      };
    }
    case "confirm-promotion":
      return {
        decision: decide("approve", gate, bindToRun(canary, target)),
        effect: "Lets Flagger copy the new version to the primary and move all traffic there.",
        expectedEffect,
      };
  }
}

function listImages(workload: NamedWorkload | undefined): string {
  return workload === undefined || workload.images.length === 0 ? "" : `: ${workload.images.join(", ")}`;
}

function planHold({ canary, assessment }: Planning): Draft | ActionRefusal {
  const gate = assessment.gate?.name;
  if (gate === undefined) return refuse("not_waiting", "No gate of this canary is waiting for an answer.");
  return {
    decision: { gate, verdict: "hold", bound: {} },
    effect: "Keeps the gate closed, and withdraws an approval that Flagger has not used yet.",
    expectedEffect: makeEffect(canary, { kind: "gate-held", gate }),
  };
}

function planRollback({ canary, assessment, target }: Planning): Draft {
  const { trafficOnCanary } = assessment;
  const from = trafficOnCanary === null ? "All traffic" : `The ${trafficOnCanary} % of traffic on the canary`;
  return {
    decision: decide("rollback", "rollback", bindToRun(canary, target)),
    effect: `Tells Flagger to roll back. ${from} goes to the primary, and the canary is scaled to zero.`,
    expectedEffect: makeEffect(canary, { kind: "rolled-back", gate: "rollback" }),
  };
}

function planSuspend(canary: CanaryObject, suspend: boolean): Draft {
  return {
    ...patchSpec(canary, { suspend }),
    effect: suspend
      ? "Flagger stops at the current step: no checks, no steps, no automatic rollback, until it is unsuspended."
      : "Flagger continues from the step where it stopped, at its next check.",
    expectedEffect: makeEffect(canary, { kind: suspend ? "suspended" : "unsuspended" }),
  };
}

function planSkipAnalysis({ canary }: Planning): Draft {
  return {
    ...patchSpec(canary, { skipAnalysis: true }),
    effect: "Flagger promotes the new version at its next check, without further checks or gates.",
    waives: "the rest of the analysis",
    expectedEffect: makeEffect(canary, { kind: "promoted" }),
  };
}

function patchSpec(canary: CanaryObject, spec: Record<string, unknown>): Pick<ActionPlan, "patches" | "kubectl"> {
  const { namespace = "default", name } = canary.metadata;
  const patches = [{ subresource: "" as const, body: { spec } }];
  return { patches, kubectl: formatPatchCommands({ resource: "canary", namespace, name, patches }) };
}

/** The annotation of `kubectl rollout restart`: any change of the pod template is a new revision for Flagger. */
const restartAnnotation = "kubectl.kubernetes.io/restartedAt";

function planRetrigger({ canary, now, target, shown }: Planning): Draft {
  const { namespace = "default" } = canary.metadata;
  const { kind } = canary.spec.targetRef;
  const name = targetNameOf(canary);
  const restartedAt = `${now.toISOString().slice(0, 19)}Z`;
  const body = { spec: { template: { metadata: { annotations: { [restartAnnotation]: restartedAt } } } } };
  const place =
    target === undefined
      ? undefined
      : {
          resource: kind === "DaemonSet" ? "daemonsets" : "deployments",
          kind,
          name,
          uid: target.uid,
          resourceVersion: target.resourceVersion,
        };
  return {
    patches: [{ subresource: "", body }],
    ...(place === undefined ? {} : { target: place }),
    targetVersion: shown && versionOf(shown),
    effect: `Starts a new analysis of the same version: ${kind} ${name} gets a new annotation in its pod template.`,
    kubectl: `kubectl rollout restart ${kind.toLowerCase()}/${quoteWord(name)} -n ${quoteWord(namespace)}`,
    expectedEffect: makeEffect(canary, { kind: "retriggered", restartedAt, ...(place && { target: place }) }),
  };
}

/** Returns whether a workload carries the annotation that a retrigger set. */
export function carriesRestart(workload: unknown, restartedAt: string | undefined): boolean {
  const annotations = (workload as { spec?: { template?: { metadata?: { annotations?: Record<string, unknown> } } } })
    .spec?.template?.metadata?.annotations;
  return restartedAt !== undefined && annotations?.[restartAnnotation] === restartedAt;
}
