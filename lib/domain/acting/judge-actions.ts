import { type ActionName, entryOf, isProtective, type RolloutActionName } from "#lib/domain/acting/action-catalogue.ts";
import { type Barrier, findBarrierBlock } from "#lib/domain/acting/barrier.ts";
import { describeOpenAction, type OpenAction } from "#lib/domain/acting/describe-open-action.ts";
import { namePasses } from "#lib/domain/acting/name-passes.ts";
import { type AnyPlan, alsoDoneBy, type Container, type RevisionChoice } from "#lib/domain/acting/plan.ts";
import {
  type Attempt,
  type BarrierBlock,
  decide,
  explainMissingRight,
  findHoldBack,
  findNeeds,
  type Needs,
  type Policies,
  type PolicyAction,
} from "#lib/domain/policy/decide.ts";
import { mayRead, type Rights, type Target } from "#lib/domain/policy/rights.ts";

export type AllowedAction<Name extends ActionName = RolloutActionName> = {
  action: Name;
  label: string;
  protective: boolean;
  allowed: boolean;
  reasonCode?: string;
  reason?: string;
  effect?: string;
  waives?: string;
  warnings?: string[];
  passesPauses?: number[] | undefined;
  targetVersion?: string | undefined;
  needs: Needs;
  patches?: { subresource: "" | "status"; body: unknown }[];
  kubectl?: string;
  /** undo: the revisions to choose from, newest first. */
  revisions?: RevisionChoice[];
  /**
   * set-image: the containers and their images; empty if the template is in a workload that is read only when
   * requested.
   */
  containers?: Container[];
};

/** The actor's rights, the config's policies, the target and the time. */
export type Permit = { rights: Rights; policies: Policies; target: Target; now: Date };

export type ActionGate = {
  permit: Permit;
  /** How the config lets Gatehouse use the cluster; `unnamed` if the config does not name it any more. */
  access: "read" | "act" | "unnamed";
  /** Freshness of the rollout's source; `reason` explains why it is stale. */
  source: { fresh: boolean; reason?: string | null };
  /**
   * An action on this rollout has no outcome yet: until it has one nothing may advance; protective actions may proceed.
   */
  unresolvedAction?: OpenAction | undefined;
  /** No action is possible, protective or not: another cluster answers, the object cannot be parsed, no audit. */
  blocked?: { reasonCode: string; reason: string };
  /** The sets that it passes its pauses together with; undefined without one. */
  barrier?: Barrier | undefined;
  /** The config on disk is unusable: the last good one stays in force, nothing may advance. */
  configError?: boolean;
};

export type GateRefusal = { reasonCode: string; reason: string };

/** The facts that a click adds to those of its button: the actor, the reason, the sign-in and the approval. */
export type ClickFacts = Omit<Attempt, "passesPauses" | "targetVersion">;

/** An action with its provider's plan for it now. */
export type ActionOffer<Name extends ActionName = RolloutActionName> = { action: Name; plan: AnyPlan };

/** Returns whether the offer is allowed, or why not; with effect, patch and command if it has a plan. */
export function judgeAction<Name extends ActionName>(
  { action, plan }: ActionOffer<Name>,
  gate: ActionGate,
): AllowedAction<Name> {
  const { needs, refused } = judgeAtGate({ action, plan, gate });
  return { ...describeOffer({ action, plan }, refused), needs };
}

/** Describes an offer; without a refusal, the plan alone decides whether it is allowed. */
export function describeOffer<Name extends ActionName>(
  { action, plan }: ActionOffer<Name>,
  refused?: GateRefusal,
): Omit<AllowedAction<Name>, "needs"> {
  const refusal = refused ?? (plan.kind === "refused" ? plan : undefined);
  return {
    action,
    label: labelOf({ action, plan }),
    protective: isProtective(action),
    allowed: refusal === undefined,
    reasonCode: refusal?.reasonCode,
    reason: refusal?.reason,
    ...(plan.kind === "patches"
      ? {
          effect: plan.effect,
          waives: plan.waives,
          warnings: plan.warnings,
          passesPauses: plan.passesPauses,
          targetVersion: plan.targetVersion,
          patches: plan.shown,
          kubectl: plan.kubectl,
        }
      : {}),
    ...(plan.kind === "offered" ? plan.offer : {}),
  };
}

/** Judges each offer. */
export function judgeActions(offers: readonly ActionOffer[], gate: ActionGate): AllowedAction[] {
  return offers.map((offer) => judgeAction(offer, gate));
}

type Judging = {
  action: ActionName;
  plan?: AnyPlan | undefined;
  gate: ActionGate;
  click?: ClickFacts | undefined;
};

/**
 * Finds the requirements of the action, and refusals that apply in any state of the rollout: rights, a read-only
 * cluster, a policy, a stale source. The button, the preview, the inbox and the click all use this. Without a plan it
 * judges the action alone. With a click it also judges reason, sign-in and approval.
 */
export function judgeAtGate(judging: Judging): { needs: Needs; refused: GateRefusal | undefined } {
  const { action, plan, gate } = judging;
  const also = plan === undefined ? [] : alsoDoneBy({ action, plan });
  const asked = { ...gate.permit, ...policyActionsOf({ action, also }), barrier: findSetBlock({ action, plan, gate }) };
  const needs = findNeeds(asked);
  return { needs, refused: findGateRefusal({ ...judging, asked, needs }) };
}

/** Finds the set that holds it at a pause that the action would pass. */
export function findSetBlock({
  action,
  plan,
  gate: { barrier, permit, source },
}: Pick<Judging, "action" | "plan" | "gate">): BarrierBlock | undefined {
  // What passes a pause is refused for a stale source alone, which says more.
  if (barrier === undefined || !source.fresh) return undefined;
  return findBarrierBlock({
    passes: entryOf(action).passes,
    passesPauses: plan?.kind === "patches" ? (plan.passesPauses ?? []) : [],
    barrier,
    mayName: (place) => mayRead(permit.rights, place),
  });
}

type Asked = Permit & ReturnType<typeof policyActionsOf> & { barrier: BarrierBlock | undefined };

function findGateRefusal({
  action,
  plan,
  gate,
  click,
  asked,
  needs,
}: Judging & { asked: Asked; needs: Needs }): GateRefusal | undefined {
  const missing = explainMissingRight(asked);
  if (missing !== undefined) return { reasonCode: "forbidden", reason: missing };
  if (gate.access === "unnamed") {
    const { cluster } = gate.permit.target;
    return { reasonCode: "read_only", reason: `Cluster ${cluster} is no longer in the config.` };
  }
  if (gate.access === "read")
    return { reasonCode: "read_only", reason: "Gatehouse only reads this cluster (access: read in its config)." };
  // A record may lag behind a rollout that was created again: at the click the cluster itself is asked.
  const isAsked = click !== undefined && isProtective(action) && gate.blocked?.reasonCode === "deleted";
  if (gate.blocked !== undefined && !isAsked) return gate.blocked;
  const unresolved = isProtective(action) ? undefined : refuseUnresolved(gate);
  if (unresolved !== undefined) return unresolved;
  const denied = click === undefined ? findPolicyRefusal(needs) : findDenial({ asked, plan, click });
  if (denied !== undefined) return denied;
  return isProtective(action) ? undefined : refuseUncertain(gate);
}

/** Finds why everything that advances the rollout is refused, whoever asks and whichever action it is. */
export function findAdvanceRefusal(gate: Omit<ActionGate, "permit" | "access">): GateRefusal | undefined {
  return gate.blocked ?? refuseUnresolved(gate) ?? refuseUncertain(gate);
}

function refuseUnresolved({ unresolvedAction }: Pick<ActionGate, "unresolvedAction">): GateRefusal | undefined {
  if (unresolvedAction === undefined) return undefined;
  return { reasonCode: "unresolved_action", reason: describeOpenAction(unresolvedAction) };
}

/** Refuses to advance by a config or a state that may not be the newest. */
function refuseUncertain(gate: Pick<ActionGate, "configError" | "source">): GateRefusal | undefined {
  if (gate.configError === true)
    return {
      reasonCode: "config_error",
      reason: "The config file has an error; actions that advance a rollout are off until it is fixed.",
    };
  if (!gate.source.fresh)
    return { reasonCode: "source_stale", reason: gate.source.reason ?? "The watch of this cluster is stale." };
  return undefined;
}

/** Before the click, policies only add requirements, and refuse only what the person may not override by break-glass. */
function findPolicyRefusal(needs: Needs): GateRefusal | undefined {
  const held = needs.breakGlass ? undefined : findHoldBack(needs);
  return held && { reasonCode: held.code, reason: held.because };
}

function findDenial({
  asked,
  plan,
  click,
}: {
  asked: Asked;
  plan: AnyPlan | undefined;
  click: ClickFacts;
}): GateRefusal | undefined {
  const { passesPauses = [], targetVersion } = plan?.kind === "patches" ? plan : {};
  const decision = decide({ ...asked, attempt: { ...click, passesPauses, targetVersion } });
  return decision.allowed ? undefined : { reasonCode: decision.code, reason: decision.reason };
}

/** Returns the button's label, which names the pauses it may let the controller pass. */
function labelOf({ action, plan }: { action: ActionName; plan: AnyPlan }): string {
  const { label = entryOf(action).label } = plan.kind === "patches" ? plan : {};
  const passes = plan.kind === "patches" ? namePasses(plan.passesPauses ?? []) : undefined;
  return passes === undefined ? label : `${label} (${passes})`;
}

/** Returns the action and what it does in addition, in the policies' terms. */
export function policyActionsOf({ action, also }: { action: ActionName; also: readonly ActionName[] }): {
  action: PolicyAction;
  also: PolicyAction[];
} {
  return { action: policyActionOf(action), also: also.map(policyActionOf) };
}

/** Returns the action in the policies' terms. */
function policyActionOf(action: ActionName): PolicyAction {
  const protective = isProtective(action);
  return { name: action, protective, reasonRequired: !protective };
}
