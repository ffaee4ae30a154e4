import { type ActionName, entryOf, isProtective, type RolloutActionName } from "#lib/domain/acting/action-catalogue.ts";
import { describeOpenAction, type OpenAction } from "#lib/domain/acting/describe-open-action.ts";
import { namePasses } from "#lib/domain/acting/name-passes.ts";
import { type AnyPlan, alsoDoneBy, type Container, type RevisionChoice } from "#lib/domain/acting/plan.ts";
import {
  explainMissingRight,
  findNeeds,
  type Needs,
  type Policies,
  type PolicyAction,
} from "#lib/domain/policy/decide.ts";
import type { Rights, Target } from "#lib/domain/policy/rights.ts";

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

/** The actor's rights, the place, the time, and what the config allows. */
export type Permit = { rights: Rights; policies: Policies; target: Target; now: Date };

export type ActionGate = {
  permit: Permit;
  access: "read" | "act";
  /** Freshness of the rollout's source; `reason` says why it is stale. */
  source: { fresh: boolean; reason?: string | null };
  /**
   * An action on this rollout has no outcome yet: until it has one nothing may advance; protective actions may proceed.
   */
  unresolvedAction?: OpenAction | undefined;
  /** No action is possible, protective or not: another cluster answers, the object cannot be parsed, no audit. */
  blocked?: { reasonCode: string; reason: string };
  /** The config on disk is unusable: the last good one stays in force, nothing may advance. */
  configError?: boolean;
};

type Refusal = { reasonCode: string; reason: string };

/** An action with its provider's plan for it now. */
export type ActionOffer<Name extends ActionName = RolloutActionName> = { action: Name; plan: AnyPlan };

/** Returns whether the offer is allowed, or why not; with effect, patch and command if it has a plan. */
export function judgeAction<Name extends ActionName>(
  { action, plan }: ActionOffer<Name>,
  gate: ActionGate,
): AllowedAction<Name> {
  const also = alsoDoneBy({ action, plan });
  const needs = needsOf({ action, also, permit: gate.permit });
  const refusal = findGateRefusal({ action, also, gate, needs }) ?? (plan.kind === "refused" ? plan : undefined);
  return {
    action,
    label: labelOf({ action, plan }),
    protective: isProtective(action),
    allowed: refusal === undefined,
    reasonCode: refusal?.reasonCode,
    reason: refusal?.reason,
    needs,
    ...(plan.kind === "patches"
      ? {
          effect: plan.effect,
          waives: plan.waives,
          warnings: plan.warnings,
          passesPauses: plan.passesPauses,
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

/** Finds what forbids an action in any state of the rollout: rights, a read-only cluster, a stale source. */
function findGateRefusal({
  action,
  also = [],
  gate,
  needs,
}: {
  action: ActionName;
  also?: readonly ActionName[];
  gate: ActionGate;
  needs: Needs;
}): Refusal | undefined {
  const missing = explainMissingRight({ ...gate.permit, ...policyActionsOf({ action, also }) });
  if (missing !== undefined) return { reasonCode: "forbidden", reason: missing };
  if (gate.access === "read")
    return { reasonCode: "read_only", reason: "Gatehouse only reads this cluster (access: read in its config)." };
  if (gate.blocked !== undefined) return gate.blocked;
  if (gate.unresolvedAction !== undefined && !isProtective(action))
    return { reasonCode: "unresolved_action", reason: describeOpenAction(gate.unresolvedAction) };
  if (needs.freeze !== null && !needs.breakGlass)
    return {
      reasonCode: "frozen",
      reason: `Frozen by "${needs.freeze.name}" until ${needs.freeze.until}.`,
    };
  if (isProtective(action)) return undefined;
  if (gate.configError === true)
    return {
      reasonCode: "config_error",
      reason: "The config on disk has an error; until it is mended nothing advances.",
    };
  if (!gate.source.fresh)
    return { reasonCode: "source_stale", reason: gate.source.reason ?? "The watch of this cluster is not fresh." };
  return undefined;
}

function needsOf({
  action,
  also = [],
  permit,
}: {
  action: ActionName;
  also?: readonly ActionName[];
  permit: Permit;
}): Needs {
  return findNeeds({ ...permit, ...policyActionsOf({ action, also }) });
}

/** Returns the button's label, which names the pauses it may let the controller pass. */
function labelOf({ action, plan }: { action: ActionName; plan: AnyPlan }): string {
  const { label } = entryOf(action);
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
