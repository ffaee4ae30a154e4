import { isOfVersion } from "#components/actions/assess-ask.ts";
import type { Approval } from "#lib/contract/approval.ts";
import type { RolloutDetail } from "#lib/contract/rollout.ts";
import { namePasses } from "#lib/domain/acting/name-passes.ts";
import { nameToDo } from "#lib/domain/audit/audit-sentence.ts";

/** Returns "oncall asks to fully promote payments/checkout" in pieces, so that the names can be emphasised. */
export function describeAsk(approval: Approval): {
  who: string;
  asks: string;
  target: string;
  detail: string;
} {
  const { requestedBy, requestedByUsername, own, action, rollout, params, subject, passesPauses } = approval;
  const detail = [
    params.toRevision === undefined ? undefined : `to revision ${params.toRevision}`,
    params.image === undefined ? undefined : `${params.container ?? "*"} = ${params.image}`,
    params.at === undefined ? undefined : `pods before ${params.at}`,
    namePasses(passesPauses),
  ].filter((part) => part !== undefined);
  return {
    who: own ? "You" : nameWithUsername(requestedBy, requestedByUsername),
    asks: `${own ? "ask" : "asks"} to ${subject === null ? nameToDo(action) : nameSubject(action, subject)}`,
    target: `${rollout.namespace}/${rollout.name}`,
    detail: detail.length === 0 ? "" : ` (${detail.join(", ")})`,
  };
}

function nameSubject(action: Approval["action"], { kind, name }: NonNullable<Approval["subject"]>): string {
  return `${action} ${kind === "Experiment" ? "experiment" : "run"} ${name} of`;
}

/** Adds the sign-in name if it differs, because a display name can be anything. */
export function nameWithUsername(name: string, username: string | null): string {
  return username === null || username === name ? name : `${name} (${username})`;
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
