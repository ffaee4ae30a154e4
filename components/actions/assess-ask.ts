import type { ActTarget } from "#components/actions/act-target.ts";
import { countOfApprovals, nameWithUsername } from "#lib/client/describe-approval.ts";
import type { ActionParams } from "#lib/contract/action.ts";
import type { Approval } from "#lib/contract/approval.ts";
import type { AllowedAction, RolloutDetail } from "#lib/contract/rollout.ts";
import { namePasses } from "#lib/domain/acting/name-passes.ts";
import { nameToDo } from "#lib/domain/audit/audit-sentence.ts";

type OwnApprovalInput = {
  approvals: readonly Approval[];
  target: Pick<ActTarget, "id" | "viewDigest" | "subject">;
  action: Pick<AllowedAction, "action" | "targetVersion">;
  params?: ActionParams;
};

/**
 * Finds the reader's own open request for this action on the target as seen now; an approved one before a pending one.
 * The server makes the same check; it refuses a request for another view or other parameters.
 */
export function findOwnApproval({ approvals, target, action, params = {} }: OwnApprovalInput) {
  const fitting = approvals.filter(
    (approval) =>
      approval.own &&
      approval.action === action.action &&
      approval.rollout.id === target.id &&
      approval.subject?.uid === target.subject?.uid &&
      approval.viewDigest === target.viewDigest &&
      isOfVersion(approval, action) &&
      haveSameParams(approval.params, params),
  );
  return fitting.find(({ state }) => state === "approved") ?? fitting.find(({ state }) => state === "pending");
}

/** Returns whether the request is for the version that the action targets now; true if the action targets none. */
function isOfVersion(
  approval: Pick<Approval, "targetVersion">,
  action: Pick<AllowedAction, "targetVersion"> | undefined,
): boolean {
  return action?.targetVersion === undefined || action.targetVersion === approval.targetVersion;
}

function haveSameParams(one: ActionParams, other: ActionParams): boolean {
  const keys = ["toRevision", "container", "image", "at"] as const;
  return keys.every((key) => one[key] === other[key]);
}

export type Ask = {
  /** `act` performs the action; `request` asks a second person first. */
  kind: "act" | "request";
  reasonRequired: boolean;
  /** The reason why the button does not work yet; undefined if it works. */
  obstacle?: string;
};

/** Decides whether a click on the dialog's button acts or requests approval. */
export function assessAsk({
  action: { needs },
  approval,
  breaksGlass,
}: {
  action: Pick<AllowedAction, "needs">;
  approval: Pick<Approval, "state"> | undefined;
  breaksGlass: boolean;
}): Ask {
  if (needs.secondPerson !== null && approval?.state !== "approved") {
    const isAsked = approval?.state === "pending";
    return {
      kind: "request",
      reasonRequired: true,
      ...(isAsked ? { obstacle: "You requested approval; another person must decide." } : {}),
    };
  }
  const isFrozen = needs.freeze !== null;
  const isHeldBack = isFrozen || needs.barrier !== undefined;
  const end = isFrozen ? "the freeze ends or is overridden" : "the set has reached this pause or is overridden";
  return {
    kind: "act",
    reasonRequired: needs.reason || isHeldBack,
    ...(isHeldBack && !breaksGlass ? { obstacle: `Blocked until ${end}.` } : {}),
  };
}

/** Describes the guards between a click and its effect, in a word or two; undefined if disabled anyway. */
export function describeGuard(
  { needs, allowed, reasonCode }: Pick<AllowedAction, "needs" | "allowed" | "reasonCode">,
  approval: Pick<Approval, "state" | "rules" | "approvals"> | undefined,
): string | undefined {
  const words = [
    needs.freeze !== null && (allowed || reasonCode === "frozen") ? "frozen" : undefined,
    needs.barrier !== undefined && (allowed || reasonCode === "barrier") ? "waits for its set" : undefined,
    needs.secondPerson === null || !allowed
      ? undefined
      : approval?.state === "approved"
        ? "approved"
        : approval?.state === "pending"
          ? approval.approvals.some(({ counts }) => counts)
            ? `${countOfApprovals(approval)} approved`
            : "approval requested"
          : "needs approval",
  ].filter((word) => word !== undefined);
  return words.length === 0 ? undefined : words.join(", ");
}

/** Returns "oncall asks to fully promote payments/checkout" in pieces, so that the names can be emphasised. */
export function describeAsk(approval: Approval): {
  who: string;
  asks: string;
  target: string;
  detail: string;
} {
  const { requestedBy, requestedByUsername, own, agent, action, rollout, params, subject, passesPauses } = approval;
  const requester = nameWithUsername(requestedBy, requestedByUsername);
  const asks = agent === null ? (own ? "ask" : "asks") : "proposes";
  const detail = [
    params.toRevision === undefined ? undefined : `to revision ${params.toRevision}`,
    params.image === undefined ? undefined : `${params.container ?? "*"} = ${params.image}`,
    params.at === undefined ? undefined : `pods before ${params.at}`,
    namePasses(passesPauses),
  ].filter((part) => part !== undefined);
  return {
    who: agent !== null ? `Agent ${agent.name}, for ${requester},` : own ? "You" : requester,
    asks: `${asks} to ${subject === null ? nameToDo(action) : nameSubject(action, subject)}`,
    target: `${rollout.namespace}/${rollout.name}`,
    detail: detail.length === 0 ? "" : ` (${detail.join(", ")})`,
  };
}

function nameSubject(action: Approval["action"], { kind, name }: NonNullable<Approval["subject"]>): string {
  return `${action} ${kind === "Experiment" ? "experiment" : "run"} ${name} of`;
}

/** Explains why this request cannot be approved in the current state; undefined if it can. */
export function explainNotApprovable(
  approval: Pick<Approval, "action" | "viewDigest" | "targetVersion">,
  rollout: Pick<RolloutDetail, "viewDigest" | "allowedActions"> | undefined,
): string | undefined {
  if (rollout === undefined) return "This rollout is no longer recorded.";
  const action = rollout.allowedActions.find((each) => each.action === approval.action);
  if (rollout.viewDigest !== approval.viewDigest || !isOfVersion(approval, action))
    return "The rollout has changed since this was requested, so the action could now do something else. Reject it and ask for a new request.";
  return undefined;
}

/** Explains why an agent's proposal of this action cannot be accepted; undefined if it can. To accept it is to act. */
export function explainNotAcceptable(action: Pick<AllowedAction, "allowed" | "reason" | "needs">): string | undefined {
  if (!action.allowed) return action.reason ?? "You cannot do this now.";
  if (action.needs.secondPerson !== null)
    return "It needs the approval of another person: request that on the rollout's page.";
  return assessAsk({ action, approval: undefined, breaksGlass: false }).obstacle;
}
