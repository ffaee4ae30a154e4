import type { EffectFacts, ReadBack, ReadBackInput, StoredEffect } from "#lib/domain/acting/effect.ts";
import { findIgnoredField } from "#lib/domain/acting/find-ignored-field.ts";
import type {
  ActingObject,
  ActingProvider,
  Decision,
  PlanAnswer,
  PlanAsking,
  SubjectAsking,
  TargetObject,
} from "#lib/domain/delivery/acting.ts";
import { deployments } from "#lib/domain/kube/api-resource.ts";
import type { ClusterReader } from "#lib/domain/kube/cluster-reader.ts";
import { controllerOf, type OwnerReference, type Parsed } from "#lib/domain/kube/kube-object.ts";
import { parseAnalysisRun } from "./objects/analysis-run-object.ts";
import { parseExperiment } from "./objects/experiment-object.ts";
import { currentStepOf, type RolloutObject, stepsOf } from "./objects/rollout-object.ts";
import { readImages } from "./objects/template-images.ts";
import { listAccessNeeds } from "./plan/access-needs.ts";
import { ExpectedEffect, effectDeadlineSeconds, noteAnswer } from "./plan/action-effect.ts";
import { readActionFacts } from "./plan/action-facts.ts";
import { formatKubectl } from "./plan/action-text.ts";
import { assessEffect } from "./plan/assess-effect.ts";
import { assessReadBack, assessTargetReadBack, carriesTemplate, digestTemplate } from "./plan/assess-read-back.ts";
import { findUnnamedPasses } from "./plan/guard-passes.ts";
import { offerActions } from "./plan/offer-actions.ts";
import { argoActions, planAction } from "./plan/plan-action.ts";
import {
  choiceOf,
  type LiveObjects,
  listRevisions,
  parseWorkload,
  type WorkloadObject,
} from "./plan/plan-revisions.ts";
import { findTemplate } from "./plan/plan-template.ts";
import {
  assessRunEffect,
  carriesSubjectChange,
  planSubjectAction,
  type SubjectObject,
  stateOf,
} from "./plan/plan-terminate.ts";
import { describeRest } from "./plan/plan-types.ts";
import { readLiveObjects, readSubject } from "./plan/read-live.ts";
import { analysisRuns, experiments, patchedResources, rollouts } from "./resources.ts";
import { computeAttention } from "./view/compute-attention.ts";
import {
  anchorOf,
  assessView,
  computeDecisionView,
  diffDecisionViews,
  parseDecisionView,
} from "./view/decision-view.ts";
import { computeRolloutStatus } from "./view/rollout-status.ts";
import { readActualWeight, readSetWeight } from "./view/weights.ts";

export const argoActing: ActingProvider = {
  actions: argoActions,
  resourceOf: (kind) => (Object.hasOwn(patchedResources, kind) ? patchedResources[kind] : undefined),
  patched: [
    { resource: rollouts },
    { resource: rollouts, subresource: "status" },
    { resource: analysisRuns },
    { resource: experiments },
    { resource: deployments },
  ],
  planSubject: (asked, reader) => planSubject(undefined, asked, reader),
  listTargetAccess: (target, namespace) => listAccessNeeds({ action: "" }, { namespace, name: undefined, target }),
  listHoldCommands: (address) => [
    {
      effect: "Abort: traffic goes back to the stable version.",
      kubectl: formatKubectl({
        facts: address,
        patches: [{ subresource: "status", body: { status: { abort: true } } }],
      }),
    },
    {
      effect: "Pause: the release stays where it is.",
      kubectl: formatKubectl({ facts: address, patches: [{ subresource: "", body: { spec: { paused: true } } }] }),
    },
  ],
  describeRest,
  readEffect,
  assessRun: (effect, run) => assessRunEffect({ expected: parseEffect(effect), run }),
  parseTarget,
};

export function toActingObject(rollout: RolloutObject): ActingObject {
  const { namespace = "default", name } = rollout.metadata;
  const { workloadRef } = rollout.spec;
  return {
    offer: (at) => offerActions(rollout, at),
    plan: (asked, reader) => plan(rollout, asked, reader),
    planSubject: (asked, reader) => planSubject(rollout, asked, reader),
    listAccess: (planned, target) => listAccessNeeds(planned, { namespace, name, target, workloadRef }),
    isAsSeen: (seen, { protective }) => assessView({ rollout, seen, protective }).current,
    anchorFor: (second) => anchorOf({ rollout, second }),
    findUnseen: (wanted, { passesPauses }) => findUnnamedPasses({ rollout, plan: wanted, named: passesPauses }),
    describeDecision: () => describeDecision(rollout),
    diffSeen: (projection) => diffDecisionViews(readSeenView(projection), computeDecisionView(rollout)),
    describePlace: () => describePlace(rollout),
    assessEffect: (effect) => assessEffect({ expected: parseEffect(effect), rollout }),
    readBack: (input) => readBack(rollout, input),
    noteAnswer: (effect) => noteAnswer({ expected: parseEffect(effect), rollout }),
  };
}

async function plan(
  rollout: RolloutObject,
  { action, params, now, images }: PlanAsking,
  reader: ClusterReader,
): Promise<PlanAnswer> {
  if (action !== "undo" && action !== "set-image")
    return { kind: "planned", plan: planAction({ action, rollout, now, params, images }) };
  const read = await readLiveObjects({ rollout, reader, withRevisions: action === "undo" });
  if (read.kind !== "found") return { kind: "unread", what: "history", failure: read };
  const { live } = read;
  return {
    kind: "planned",
    plan: planAction({ action, rollout, now, params, live, images }),
    choices:
      action === "undo" ? { revisions: listChoices(rollout, live) } : { containers: listContainers(rollout, live) },
  };
}

/** Lists the choices without the ReplicaSets themselves: their templates are secret. */
function listChoices(rollout: RolloutObject, { replicaSets }: LiveObjects): ReturnType<typeof choiceOf>[] {
  return listRevisions({ rollout, replicaSets }).map(({ revision, podHash, images }) =>
    choiceOf({ rollout, revision, podHash, images }),
  );
}

function listContainers(rollout: RolloutObject, live: LiveObjects): ReturnType<typeof readImages> {
  const source = findTemplate({ rollout, live });
  return "kind" in source ? [] : readImages(source.template);
}

async function planSubject(
  rollout: RolloutObject | undefined,
  { action, namespace, subject, experimentUid }: SubjectAsking,
  reader: ClusterReader,
): Promise<PlanAnswer> {
  const read = await readSubject({ reader, namespace, subject });
  if (read.kind !== "found")
    return { kind: "unread", what: subject.kind === "Experiment" ? "experiment" : "run", failure: read };
  const { object } = read;
  if (!isKnownOwner({ owner: controllerOf(object.metadata), rollout, experimentUid })) return { kind: "other-owner" };
  return { kind: "planned", plan: planSubjectAction({ action, object, rollout }) };
}

/** Returns whether the cluster's owner is the one that rights, policies and the view were judged by. */
function isKnownOwner({
  owner,
  rollout,
  experimentUid,
}: {
  owner: OwnerReference | undefined;
  rollout: RolloutObject | undefined;
  experimentUid: string | undefined;
}): boolean {
  if (owner?.kind === "Rollout") return owner.uid === rollout?.metadata.uid;
  return owner?.kind !== "Experiment" || owner.uid === experimentUid;
}

function describeDecision(rollout: RolloutObject): Decision {
  const view = computeDecisionView(rollout);
  const { phase } = computeRolloutStatus(rollout);
  const stepCount = stepsOf(rollout).length;
  return {
    view,
    attention: computeAttention({ rollout, view: { phase }, previous: undefined, now: "" })?.reason ?? null,
    step: stepCount === 0 ? null : currentStepOf(rollout),
    stepCount,
  };
}

/** Reads the seen view. In older versions the observation was the view itself. */
function readSeenView(projection: unknown): ReturnType<typeof parseDecisionView> {
  return parseDecisionView(projection) ?? parseDecisionView((projection as { view?: unknown } | undefined)?.view);
}

/** Describes the place of the update; empty if none is in progress. */
function describePlace(rollout: RolloutObject): Record<string, unknown> {
  if (readActionFacts(rollout).fullyPromoted) return {};
  const weight = readSetWeight(rollout);
  const actualWeight = readActualWeight(rollout);
  return {
    step: currentStepOf(rollout),
    stepCount: stepsOf(rollout).length,
    ...(weight === undefined ? {} : { weight: auditable(weight) }),
    ...(actualWeight === undefined ? {} : { actualWeight: auditable(actualWeight) }),
  };
}

/** Returns the share as the canonical text of an audit entry takes it: whole numbers only, others as text. */
function auditable(percent: number): number | string {
  return Number.isInteger(percent) ? percent : String(percent);
}

/** Parses a stored effect. Throws if `readEffect` does not understand it: callers check that first. */
function parseEffect(stored: StoredEffect): ExpectedEffect {
  return ExpectedEffect.parse(stored);
}

function readEffect(stored: StoredEffect): EffectFacts | undefined {
  const parsed = ExpectedEffect.safeParse(stored);
  if (!parsed.success) return undefined;
  const expected = parsed.data;
  return {
    target: expected.target,
    isOnTarget: expected.kind === "ended" || expected.kind === "experiment-retried",
    answeredVersion: expected.answered?.resourceVersion,
    deadlineSeconds: (now) => effectDeadlineSeconds(expected, now),
  };
}

function readBack(
  rollout: RolloutObject,
  { effect, patches, patchesDone, before, isGraceOver, sentAt }: ReadBackInput,
): ReadBack {
  if (before === undefined) return { outcome: "undecidable", message: "The plan was not recorded." };
  const expected = parseEffect(effect);
  const { template } = expected;
  const carries =
    template !== undefined
      ? [carriesTemplate(rollout.spec.template, template)]
      : patches.map(
          ({ body }, index) =>
            index < patchesDone || findIgnoredField({ asked: body, answered: rollout }) === undefined,
        );
  const unproven = patches.slice(patchesDone).map(({ body }) => body);
  const verdict = assessReadBack({ rollout, carries, sentAt, unproven, before, expected, isGraceOver });
  const rest = patches[1];
  return verdict.outcome === "partial" && rest !== undefined
    ? { ...verdict, message: `${verdict.message} ${describeRest(rest)}` }
    : verdict;
}

function parseTarget(object: unknown): Parsed<TargetObject> {
  const kind = typeof object === "object" && object !== null && "kind" in object ? object.kind : undefined;
  if (kind === "Deployment") return parsed(parseWorkload(object), toPatchedWorkload);
  return parsed(kind === "Experiment" ? parseExperiment(object) : parseAnalysisRun(object), toPatchedSubject);
}

function parsed<Own>(result: Parsed<Own>, toTarget: (own: Own) => TargetObject): Parsed<TargetObject> {
  return result.ok ? { ok: true, value: toTarget(result.value) } : result;
}

/** Takes the Deployment as the patched object: the rollout shows its change much later, or never. */
function toPatchedWorkload({ metadata, spec }: WorkloadObject): TargetObject {
  return {
    metadata,
    assessEffect: () => undefined,
    readBack(input) {
      const { template } = parseEffect(input.effect);
      return readBackTarget(metadata, input, {
        carries: template !== undefined && carriesTemplate(spec.template, template),
        isAsBefore: digestTemplate(spec.template) === template?.before,
      });
    },
  };
}

function toPatchedSubject(object: SubjectObject): TargetObject {
  const { metadata } = object;
  return {
    metadata,
    assessEffect: (effect) =>
      assessRunEffect({ expected: parseEffect(effect), run: { uid: metadata.uid, ...stateOf(object) } }),
    readBack: (input) =>
      readBackTarget(metadata, input, {
        carries: carriesSubjectChange({ expected: parseEffect(input.effect), object }),
        isAsBefore: true,
      }),
  };
}

function readBackTarget(
  metadata: TargetObject["metadata"],
  { effect, patches, isGraceOver, sentAt }: ReadBackInput,
  found: { carries: boolean; isAsBefore: boolean },
): ReadBack {
  const { target } = parseEffect(effect);
  if (target === undefined) return { outcome: "undecidable", message: "The plan was not recorded." };
  const unproven = patches.map(({ body }) => body);
  return assessTargetReadBack({ metadata, target, ...found, isGraceOver, sentAt, unproven });
}
