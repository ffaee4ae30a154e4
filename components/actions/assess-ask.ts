import type { ActTarget } from "#components/actions/act-target.ts";
import type { ActionParams } from "#lib/contract/action.ts";
import type { Approval } from "#lib/contract/approval.ts";
import type { AllowedAction } from "#lib/contract/rollout.ts";

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
export function isOfVersion(
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
  return {
    kind: "act",
    reasonRequired: needs.reason || isFrozen,
    ...(isFrozen && !breaksGlass ? { obstacle: "Blocked until the freeze ends or is overridden." } : {}),
  };
}

/** Describes the guards between a click and its effect, in a word or two; undefined if disabled anyway. */
export function describeGuard(
  { needs, allowed, reasonCode }: Pick<AllowedAction, "needs" | "allowed" | "reasonCode">,
  approval: Pick<Approval, "state"> | undefined,
): string | undefined {
  const words = [
    needs.freeze !== null && (allowed || reasonCode === "frozen") ? "frozen" : undefined,
    needs.secondPerson === null || !allowed
      ? undefined
      : approval?.state === "approved"
        ? "approved"
        : approval?.state === "pending"
          ? "approval requested"
          : "needs approval",
  ].filter((word) => word !== undefined);
  return words.length === 0 ? undefined : words.join(", ");
}
