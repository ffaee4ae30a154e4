import { z } from "zod";
import type { RolloutActionName } from "#lib/domain/acting/action-catalogue.ts";
import { assessFound, type ReadBack, type ReadBackInput } from "#lib/domain/acting/effect.ts";
import { findIgnoredField } from "#lib/domain/acting/find-ignored-field.ts";
import { formatPatchCommands } from "#lib/domain/acting/format-kubectl.ts";
import { type ActionPlan, type ActionRefusal, refuse, type SeenPlan } from "#lib/domain/acting/plan.ts";
import type {
  ActingObject,
  ActingProvider,
  Decision,
  PlanAnswer,
  PlanAsking,
  TargetObject,
  ViewChange,
} from "#lib/domain/delivery/acting.ts";
import { type NamedWorkload, versionOf } from "#lib/domain/delivery/related-state.ts";
import type { ClusterReader } from "#lib/domain/kube/cluster-reader.ts";
import { ObjectMeta, type Parsed, parseKubeObject } from "#lib/domain/kube/kube-object.ts";
import { readSeenView } from "./history/canary-projection.ts";
import type { CanaryObject } from "./objects/canary-object.ts";
import { targetNameOf } from "./objects/canary-spec.ts";
import { runKeyOf } from "./objects/run-key.ts";
import { listAccess, listWorkloadAccess } from "./plan/access-needs.ts";
import { assessEffect, parseEffect, readEffect } from "./plan/flagger-effect.ts";
import { carriesRestart, flaggerActions, planAction } from "./plan/plan-action.ts";
import { readLiveWorkloads, toAssessInput } from "./plan/read-surroundings.ts";
import { patchedResources } from "./resources.ts";
import type { FlaggerAction } from "./view/action-judgement.ts";
import { assessCanary } from "./view/canary-state.ts";
import { computeCanaryDecisionView, computeCanaryViewDigest, diffCanaryViews } from "./view/decision-view.ts";

export const flaggerActing: ActingProvider = {
  actions: flaggerActions,
  resourceOf: (kind) => (Object.hasOwn(patchedResources, kind) ? patchedResources[kind] : undefined),
  patched: Object.values(patchedResources).map((resource) => ({ resource })),
  planSubject: async () => ({ kind: "other-owner" }),
  listTargetAccess: (target, namespace) => listWorkloadAccess({ ...target, namespace }),
  listHoldCommands: ({ namespace, name }) => [
    {
      effect: "Suspend: Flagger stops at the current step, without checks and without an automatic rollback.",
      kubectl: formatPatchCommands({
        resource: "canary",
        namespace,
        name,
        patches: [{ subresource: "", body: { spec: { suspend: true } } }],
      }),
    },
  ],
  // No plan has a second patch.
  describeRest: () => "",
  readEffect,
  assessRun: () => ({ state: "pending" }),
  parseTarget,
};

export function toActingObject(canary: CanaryObject): ActingObject {
  return {
    offer: ({ now, related }) => {
      const assessment = assessCanary(toAssessInput(canary, { ...related, now: now.toISOString() }));
      const shown = findTarget(canary, related.workloads);
      const planning = { canary, assessment, now, target: undefined, shown };
      return flaggerActions.map((action) => ({ action, plan: planAction(action, planning) }));
    },
    plan: (asked, reader) => plan(canary, asked, reader),
    planSubject: async () => ({ kind: "other-owner" }),
    listAccess: (planned, target) => listAccess(canary, planned, target),
    isAsSeen: (seen, { protective }) => {
      if (seen.viewDigest === computeCanaryViewDigest(canary)) return true;
      return protective && seen.uid === canary.metadata.uid && seen.revisionKey === runKeyOf(canary);
    },
    // No plan has a second patch.
    anchorFor: () => "",
    findUnseen: (wanted, seen) => findUnseenTarget(canary, wanted, seen),
    describeDecision: () => describeDecision(canary),
    diffSeen: (projection) => diffCanaryViews(readSeenView(projection), computeCanaryDecisionView(canary)),
    describePlace: () => describePlace(canary),
    assessEffect: (effect) => assessEffect(parseEffect(effect), canary),
    readBack: (input) => readBackCanary(canary, input),
    noteAnswer: (effect) => ({ ...parseEffect(effect), answeredVersion: canary.metadata.resourceVersion }),
  };
}

/** Plans from the workloads as they are in the cluster now: the record of the primary may be late. */
async function plan(
  canary: CanaryObject,
  { action, now, related }: PlanAsking,
  reader: ClusterReader,
): Promise<PlanAnswer> {
  if (!isFlaggerAction(action))
    return { kind: "planned", plan: refuse("not_offered", `A Canary cannot do this: ${action}.`) };
  const read = await readLiveWorkloads(canary, reader);
  // Suspending is the emergency brake, and needs no workload.
  if (read.kind !== "found" && action !== "suspend") return { kind: "unread", what: "workload", failure: read };
  const workloads = read.kind === "found" ? read.workloads : related.workloads;
  const assessment = assessCanary(toAssessInput(canary, { ...related, workloads, now: now.toISOString() }));
  const target = read.kind === "found" ? findTarget(canary, read.workloads) : undefined;
  const planned = planAction(action, { canary, assessment, now, target, shown: target });
  const shown = findTarget(canary, related.workloads);
  return { kind: "planned", plan: refuseUnseen(refuseUnbound(planned), { shown, target }) };
}

function findTarget<W extends NamedWorkload>(canary: CanaryObject, workloads: readonly W[]): W | undefined {
  return workloads.find(({ name }) => name === targetNameOf(canary));
}

/** Finds whether the target has another version than the person saw: a waiting Canary does not show that. */
function findUnseenTarget(
  canary: CanaryObject,
  { targetVersion: now }: Pick<ActionPlan, "targetVersion">,
  { targetVersion: seen }: SeenPlan,
): { message: string; change: ViewChange } | undefined {
  if (seen === undefined || seen === now) return undefined;
  const text = `${canary.spec.targetRef.kind} ${targetNameOf(canary)} has changed since you looked at it.`;
  return {
    message: `${text} Look at the new version, then decide again.`,
    change: { field: "targetVersion", seen, now: now ?? null, text },
  };
}

/** Refuses an approval of a start whose target is not the one that the page can have shown. */
function refuseUnseen(
  planned: ActionPlan | ActionRefusal,
  { shown, target }: { shown: NamedWorkload | undefined; target: NamedWorkload | undefined },
): ActionPlan | ActionRefusal {
  if (planned.kind === "refused") return planned;
  const { decision } = planned;
  if (decision?.gate !== "confirm-rollout" || decision.verdict !== "approve") return planned;
  if (shown === undefined)
    return refuse(
      "target_unknown",
      "Gatehouse has not recorded the target, so no page can show which version would start. Look at the sources.",
    );
  if (target !== undefined && versionOf(shown) === versionOf(target)) return planned;
  return refuse(
    "target_changed",
    `${target?.kind} ${target?.name} has changed since Gatehouse last saw it. Look at the new version, then approve it.`,
  );
}

/** Refuses an approval of a start that could not be bound to a version. */
function refuseUnbound(planned: ActionPlan | ActionRefusal): ActionPlan | ActionRefusal {
  if (planned.kind === "refused" || planned.decision?.verdict !== "approve") return planned;
  return Object.keys(planned.decision.bound).length > 0
    ? planned
    : refuse("no_template", "The target's pod template was not found: the approval cannot be bound to a version.");
}

function isFlaggerAction(action: RolloutActionName): action is FlaggerAction {
  return flaggerActions.some((own) => own === action);
}

function describeDecision(canary: CanaryObject): Decision {
  const { phase } = canary.status;
  const waits = phase === "Waiting" || phase === "WaitingPromotion";
  return {
    view: computeCanaryDecisionView(canary),
    attention: waits ? "gate" : phase === "Failed" ? "degraded" : null,
    step: null,
    stepCount: 0,
  };
}

/** Describes the place of the run; empty if none is in progress. */
function describePlace({ status }: CanaryObject): Record<string, unknown> {
  const { phase, canaryWeight, failedChecks, iterations } = status;
  if (!["Progressing", "WaitingPromotion", "Promoting", "Finalising"].includes(phase)) return {};
  return {
    ...(phase === "Progressing" && canaryWeight !== undefined ? { weight: Math.round(canaryWeight) } : {}),
    ...(failedChecks === undefined ? {} : { failedChecks }),
    ...(iterations === undefined || iterations <= 0 ? {} : { iterations }),
  };
}

function readBackCanary(canary: CanaryObject, { patches, before, isGraceOver, sentAt }: ReadBackInput): ReadBack {
  if (before === undefined) return { outcome: "undecidable", message: "The plan was not recorded." };
  const bodies = patches.map(({ body }) => body);
  const carries = bodies.every((asked) => findIgnoredField({ asked, answered: canary }) === undefined);
  return judgeReadBack(canary.metadata, { carries, isGraceOver, sentAt, bodies, what: "canary" });
}

function judgeReadBack(
  metadata: ObjectMeta,
  found: { carries: boolean; isGraceOver: boolean; sentAt: Date; bodies: readonly unknown[]; what: string },
): ReadBack {
  if (found.carries) return assessFound({ metadata, ...found });
  return found.isGraceOver
    ? { outcome: "refused", message: `Read back: the ${found.what} does not show the change.` }
    : { outcome: "waiting" };
}

const Workload = z.looseObject({ kind: z.string(), metadata: ObjectMeta });

/** Takes the target as the patched object: the canary shows its change only when Flagger has seen it. */
function parseTarget(object: unknown): Parsed<TargetObject> {
  const parsed = parseKubeObject(Workload, object);
  if (!parsed.ok) return parsed;
  const { kind, metadata } = parsed.value;
  return {
    ok: true,
    value: {
      metadata,
      assessEffect: () => undefined,
      readBack: ({ effect, patches, isGraceOver, sentAt }) => {
        const { restartedAt, target } = parseEffect(effect);
        if (target !== undefined && target.uid !== metadata.uid)
          return { outcome: "undecidable", message: `Read back: the ${kind} was deleted and created again.` };
        const carries = carriesRestart(object, restartedAt);
        const bodies = patches.map(({ body }) => body);
        return judgeReadBack(metadata, { carries, isGraceOver, sentAt, bodies, what: kind });
      },
    },
  };
}
