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
  AccessQuestion,
  ActionPatch,
  ActionPlan,
  ActionRefusal,
  Container,
  PlannedAccess,
  PlanTarget,
  RevisionChoice,
  SeenPlan,
} from "#lib/domain/acting/plan.ts";
import type { RelatedState } from "#lib/domain/delivery/related-state.ts";
import type { ApiResource } from "#lib/domain/kube/api-resource.ts";
import type { ClusterReader, ReadFailure } from "#lib/domain/kube/cluster-reader.ts";
import type { ObjectMeta, Parsed } from "#lib/domain/kube/kube-object.ts";

/** How to act on a provider's rollouts. The pipeline handles patches, views and effects, but not rollouts. */
export type ActingProvider = {
  /** The actions that its rollouts have, in the order in which they are offered. */
  actions: readonly RolloutActionName[];
  /** The resources that its plans patch, by kind: its own, and others such as `Deployment`. */
  resourceOf(kind: string): ApiResource | undefined;
  /** The same as rights that the plans need. */
  patched: readonly { resource: ApiResource; subresource?: "status" }[];
  /** Plans an action on a run or an Experiment that no rollout owns. */
  planSubject(asked: SubjectAsking, reader: ClusterReader): Promise<PlanAnswer>;
  /** Lists the rights that a person needs at the cluster to patch this. */
  listTargetAccess(target: Pick<PlanTarget, "resource" | "name">, namespace: string): AccessQuestion[];
  /** Lists the commands that hold a release without Gatehouse, in any state. */
  listHoldCommands(address: { namespace: string; name: string }): HoldCommand[];
  /** Describes what remains after only the first of two patches was applied. `body` in the form that may be shown. */
  describeRest(patch: ActionPatch): string;
  /** Returns undefined for an effect that cannot be read. */
  readEffect(stored: StoredEffect): EffectFacts | undefined;
  /** Judges from the recorded run or Experiment whether the action took effect. */
  assessRun(effect: StoredEffect, run: RunState): EffectAssessment;
  /** Parses the object that was patched instead of a rollout, as the cluster gave it. */
  parseTarget(object: unknown): Parsed<TargetObject>;
};

/** `effect`: the effect of the command, in a sentence. */
export type HoldCommand = { effect: string; kubectl: string };

/** A rollout to act on. Recorded objects suffice for `offer`; the rest needs them as the cluster gave them. */
export type ActingObject = {
  /** Returns a plan for each action now, or the reason why it cannot be done. Reads nothing. */
  offer(at: Offering): ActionOffer[];
  /** Plans one action; reads whatever else it needs. */
  plan(asked: PlanAsking, reader: ClusterReader): Promise<PlanAnswer>;
  /** Plans an action on a run or an Experiment of this rollout. */
  planSubject(asked: SubjectAsking, reader: ClusterReader): Promise<PlanAnswer>;
  /** Lists the rights that a person needs at the cluster for the action; `target`, if given, is patched instead. */
  listAccess(planned: PlannedAccess, target?: Pick<PlanTarget, "resource" | "name">): AccessQuestion[];
  /**
   * Returns whether it still matches the view that the person decided on. Protective actions must work during rapid
   * changes: they require less.
   */
  isAsSeen(seen: SeenView, options: { protective: boolean }): boolean;
  /** Returns, as one text, the state that must be unchanged when the second of two patches is sent. */
  anchorFor(second: ActionPatch["subresource"]): string;
  /** Finds effects of the plan that the person was not shown. */
  findUnseen(
    plan: Pick<ActionPlan, "passesPauses" | "targetVersion">,
    seen: SeenPlan,
  ): { message: string; change: ViewChange } | undefined;
  /** Describes the state that a decision about it depends on. */
  describeDecision(): Decision;
  /**
   * Lists the differences from the view that a person saw: `projection` is the observation's; undefined if none was
   * recorded.
   */
  diffSeen(projection: unknown): ViewChange[];
  /**
   * Describes the release's place for the audit log: `step`, `weight` and the like, only whole numbers. Empty without a
   * release.
   */
  describePlace(): Record<string, unknown>;
  /** Judges whether an action took effect, from the object at or after the version that includes our last patch. */
  assessEffect(effect: StoredEffect): EffectAssessment;
  /** Judges the outcome of patches whose answer never came. */
  readBack(input: ReadBackInput): ReadBack;
  /** Returns the effect to store once the cluster has answered the last patch with this object. */
  noteAnswer(effect: StoredEffect): StoredEffect;
};

/** The object that was patched instead of a rollout: a Deployment, a run, an Experiment. */
export type TargetObject = {
  metadata: ObjectMeta;
  /** Returns undefined if the effect is not visible on it. */
  assessEffect(effect: StoredEffect): EffectAssessment | undefined;
  readBack(input: ReadBackInput): ReadBack;
};

export type Offering = {
  now: Date;
  related: RelatedState;
  /** Images that its ReplicaSets run, as recorded; they name both versions. */
  images?: readonly { image: string; tags: readonly string[] }[] | undefined;
  /** Only these are asked for; a provider may offer others as well. Undefined: all. */
  among?: readonly RolloutActionName[] | undefined;
};

export type PlanAsking = {
  action: RolloutActionName;
  params: ActionParams;
  now: Date;
  /** As recorded. */
  related: RelatedState;
  images: Offering["images"];
};

export type SubjectAsking = {
  action: SubjectActionName;
  namespace: string;
  subject: ActionSubject;
  /** Uid of the Experiment that a run belongs to, as recorded. */
  experimentUid: string | undefined;
};

export type PlanAnswer =
  | {
      kind: "planned";
      plan: ActionPlan | ActionRefusal;
      /** The choices for a person, as they are in the cluster now. */
      choices?: { revisions?: RevisionChoice[]; containers?: Container[] };
    }
  /** The cluster names another owner than the recorded one: that owner's guards were not checked. */
  | { kind: "other-owner" }
  | { kind: "unread"; what: "history" | "run" | "experiment" | "workload"; failure: ReadFailure };

export type Decision = {
  /** Contains no secrets: it is stored with the audit entry for ever. */
  view: Record<string, unknown>;
  /** Why it waits for a person, as a word; null if it does not. */
  attention: string | null;
  /** Completed steps; null without steps. */
  step: number | null;
  stepCount: number;
};

/**
 * A field that a person saw, with its present value; `text` is the change as a sentence. `field` is its path in the
 * object.
 */
export type ViewChange = { field: string; seen: unknown; now: unknown; text: string };

/** The view that a person saw. `revisionKey` is the run key of the wanted revision. */
export type SeenView = { viewDigest: string; uid?: string; revisionKey?: string };
