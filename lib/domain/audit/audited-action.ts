import { type ActionName, actionNames } from "#lib/domain/acting/action-catalogue.ts";
import { policyActionsOf } from "#lib/domain/acting/judge-actions.ts";
import { policyProblems } from "#lib/domain/policy/observe-policies.ts";
import type { AuditedAction, RecordedRefusal } from "#lib/domain/policy/replay-policies.ts";
import { isRecord } from "#lib/util/json.ts";
import type { AuditEntry } from "./audit-entry.ts";

/**
 * Reads an action from the entry of its request or refusal; undefined if it has none that this version knows.
 * `robotIssuer`: the issuer of actors that are not tied to a person.
 */
export function readAuditedAction(entry: AuditEntry, robotIssuer: string): AuditedAction | undefined {
  const { seq, time, action: name, target = {}, reason, actor, detail = {} } = entry;
  const action = toName(name);
  const { cluster, namespace, kind = null, name: object } = target;
  if (action === undefined || cluster === undefined || namespace === undefined || object === undefined)
    return undefined;
  const { at } = readJudged(detail.judged);
  const also = Array.isArray(detail.also) ? detail.also.map(toName).filter((each) => each !== undefined) : [];
  return {
    seq,
    at: new Date(at ?? time),
    ...policyActionsOf({ action, also }),
    target: { cluster, namespace, kind, name: object },
    brought: {
      reason: isByAgent(detail) ? undefined : reason,
      approvals: readApprovals(detail),
      breaksFreeze: typeof detail.brokenFreeze === "string",
      isRobot: actor.issuer === robotIssuer,
    },
  };
}

/** Whether the reason is an agent's, with which rules are not satisfied. */
function isByAgent({ agent, proposal }: Record<string, unknown>): boolean {
  return agent !== undefined || (isRecord(proposal) && proposal.reasonBy === "agent");
}

/** The entry names the approvers, and not their groups. Those of earlier versions have one, which was not in a list. */
function readApprovals({ approval, approvedBy }: Record<string, unknown>): undefined[] {
  if (typeof approval !== "string") return [];
  return Array.from({ length: Array.isArray(approvedBy) ? approvedBy.length : 1 }, () => undefined);
}

function toName(name: unknown): ActionName | undefined {
  return actionNames.find((each) => each === name);
}

/** Reads when an action was judged, and the digest of the policies that judged it; earlier versions wrote neither. */
function readJudged(judged: unknown): { at?: string; policies?: string } {
  if (!isRecord(judged)) return {};
  const { at, policies } = judged;
  return {
    ...(typeof at === "string" && !Number.isNaN(Date.parse(at)) ? { at } : {}),
    ...(typeof policies === "string" ? { policies } : {}),
  };
}

/**
 * Reads a refusal by a policy; undefined for another one, such as of an approval that no rule requires. `judgedBy`: the
 * digest of the policies, undefined in entries of earlier versions.
 */
export function readRecordedRefusal(
  entry: AuditEntry,
  robotIssuer: string,
): { refusal: RecordedRefusal; judgedBy: string | undefined } | undefined {
  const { problem, policy, judged } = entry.detail ?? {};
  const known = policyProblems.find((each) => each === problem);
  const action = readAuditedAction(entry, robotIssuer);
  if (known === undefined || action === undefined || (known !== "reason_required" && typeof policy !== "string"))
    return undefined;
  const { brought, ...asked } = action;
  return {
    refusal: {
      ...asked,
      problem: known,
      policy: typeof policy === "string" ? policy : undefined,
      reason: brought.reason !== undefined,
    },
    judgedBy: readJudged(judged).policies,
  };
}
