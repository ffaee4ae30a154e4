import type { AccessQuestion, PlannedAccess } from "#lib/domain/acting/access.ts";
import type { RolloutActionName, SubjectActionName } from "#lib/domain/acting/action-catalogue.ts";
import type { ActionParams, ActionSubject } from "#lib/domain/acting/action-params.ts";
import type {
  EffectAssessment,
  EffectFacts,
  ReadBack,
  ReadBackInput,
  RunState,
  StoredEffect,
} from "#lib/domain/acting/effect.ts";
import type { ActionOffer } from "#lib/domain/acting/judge-actions.ts";
import type {
  ActionPatch,
  ActionPlan,
  ActionRefusal,
  Container,
  PlanTarget,
  RevisionChoice,
} from "#lib/domain/acting/plan.ts";
import type { RevisionSet } from "#lib/domain/delivery/revision-set.ts";
import type { SeenView, ViewChange } from "#lib/domain/delivery/view-change.ts";
import type { ApiResource } from "#lib/domain/kube/api-resource.ts";
import type { ClusterReader, ReadFailure } from "#lib/domain/kube/cluster-reader.ts";
import type { ObjectMeta, Parsed } from "#lib/domain/kube/kube-object.ts";

/** How a provider's rollouts are acted on. The pipeline knows patches, views and effects, and no rollouts. */
export type ActingProvider = {
  /** The resources that its plans patch, by kind: its own, and others such as `Deployment`. */
  resourceOf(kind: string): ApiResource | undefined;
  /** The same as rights that the plans need. */
  patched: readonly { resource: ApiResource; subresource?: "status" }[];
  /** Plans an action on a run or an Experiment that no rollout owns. */
  planSubject(asked: SubjectAsking, reader: ClusterReader): Promise<PlanAnswer>;
  /** The rights that a person needs at the cluster to patch this. */
  listTargetAccess(target: Pick<PlanTarget, "resource" | "name">, namespace: string): AccessQuestion[];
  /** The commands that hold a release without Gatehouse, whatever its state. */
  listHoldCommands(address: { namespace: string; name: string }): HoldCommand[];
  /** Says what is left to do after only the first of two patches was applied. `body` as it may be shown. */
  describeRest(patch: ActionPatch): string;
  /** Returns undefined for an effect that cannot be read. */
  readEffect(stored: StoredEffect): EffectFacts | undefined;
  /** Judges by the recorded run or Experiment whether it has done what it was told to. */
  assessRun(effect: StoredEffect, run: RunState): EffectAssessment;
  /** Takes what was patched instead of a rollout, as the cluster gave it. */
  parseTarget(object: unknown): Parsed<TargetObject>;
};

/** `effect`: what it does, in a sentence. */
export type HoldCommand = { effect: string; kubectl: string };

/** A rollout as it is acted on. Recorded objects will do for `offer`; the rest wants them as the cluster gave them. */
export type ActingObject = {
  /** What each action would do to it now, or why it cannot be done. Nothing is read for it. */
  offer(at: Offering): ActionOffer[];
  /** Plans one action; reads what else it needs. */
  plan(asked: PlanAsking, reader: ClusterReader): Promise<PlanAnswer>;
  /** Plans an action on a run or an Experiment of this rollout. */
  planSubject(asked: SubjectAsking, reader: ClusterReader): Promise<PlanAnswer>;
  /** The rights that a person needs at the cluster for the action; `target` is patched instead of it. */
  listAccess(planned: PlannedAccess, target?: Pick<PlanTarget, "resource" | "name">): AccessQuestion[];
  /** Whether it is still what the person decided on. Protective actions must work in a storm: they ask for less. */
  isAsSeen(seen: SeenView, options: { protective: boolean }): boolean;
  /** What must still hold when the second of two patches is sent, as one text. */
  anchorFor(second: ActionPatch["subresource"]): string;
  /**
   * What the plan may pass beyond `named`, the indices that the person was told of; without them nothing is compared.
   */
  findUnnamedPasses(
    plan: Pick<ActionPlan, "passesPauses">,
    named: readonly number[] | undefined,
  ): { message: string; change: ViewChange } | undefined;
  /** What a decision about it rests on. */
  describeDecision(): Decision;
  /** What differs from what a person saw: `projection` is that of the observation; undefined if nobody recorded it. */
  diffSeen(projection: unknown): ViewChange[];
  /**
   * Where the release stands, for the audit log: `step`, `weight` and the like, whole numbers only. Empty without one.
   */
  describePlace(): Record<string, unknown>;
  /** Whether an action took effect, by the object at or after the version that carries our last patch. */
  assessEffect(effect: StoredEffect): EffectAssessment;
  /** Judges what became of patches whose answer never came. */
  readBack(input: ReadBackInput): ReadBack;
  /** The effect to store once the cluster has answered the last patch with this object. */
  noteAnswer(effect: StoredEffect): StoredEffect;
};

/** What was patched instead of a rollout: a Deployment, a run, an Experiment. */
export type TargetObject = {
  metadata: ObjectMeta;
  /** Returns undefined if the effect does not show on it. */
  assessEffect(effect: StoredEffect): EffectAssessment | undefined;
  readBack(input: ReadBackInput): ReadBack;
};

export type Offering = {
  now: Date;
  /** What its ReplicaSets run, as recorded: it names both versions. */
  images?: readonly { image: string; tags: readonly string[] }[] | undefined;
  /** Those that the cluster still has, as recorded; undo needs them. */
  replicaSets?: readonly Pick<RevisionSet, "revision" | "podHash" | "images">[] | undefined;
};

export type PlanAsking = {
  action: RolloutActionName;
  params: ActionParams;
  now: Date;
  images: Offering["images"];
};

export type SubjectAsking = {
  action: SubjectActionName;
  namespace: string;
  subject: ActionSubject;
  /** Of the Experiment that a run belongs to, as recorded. */
  experimentUid: string | undefined;
};

export type PlanAnswer =
  | {
      kind: "planned";
      plan: ActionPlan | ActionRefusal;
      /** What a person can choose from, as it is in the cluster now. */
      choices?: { revisions?: RevisionChoice[]; containers?: Container[] };
    }
  /** The cluster names another owner than was recorded: what guards that owner was not asked. */
  | { kind: "other-owner" }
  | { kind: "unread"; what: "history" | "run" | "experiment"; failure: ReadFailure };

export type Decision = {
  /** Holds no secret: it is stored with the audit entry for ever. */
  view: Record<string, unknown>;
  /** Why it waits for a person, as a word; null if it does not. */
  attention: string | null;
  /** Completed steps; null if there are none. */
  step: number | null;
  stepCount: number;
};
