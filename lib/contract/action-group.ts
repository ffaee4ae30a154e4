import { z } from "zod";
import { ActionState, Expectation } from "#lib/contract/action.ts";
import { RolloutRef, Timestamp } from "#lib/contract/common.ts";
import { get, post } from "#lib/contract/endpoint.ts";
import { MetricEvidence } from "#lib/contract/evidence.ts";
import { AllowedAction, RolloutPath } from "#lib/contract/rollout.ts";
import { groupActions, mostMembers } from "#lib/domain/acting/group-actions.ts";
import { formatObjectRef, type ObjectRef } from "#lib/domain/delivery/object-ref.ts";

export const GroupActionName = z.enum(groupActions);
export type GroupActionName = z.infer<typeof GroupActionName>;

/** Refuses a rollout that is named twice: it would be acted on twice. */
function assertDistinct(members: readonly ObjectRef[], context: z.RefinementCtx): void {
  const seen = new Set<string>();
  for (const [index, member] of members.entries()) {
    const id = formatObjectRef(member);
    if (seen.has(id)) context.addIssue({ code: "custom", path: [index], message: `${id} is named twice` });
    seen.add(id);
  }
}

export const ActionGroupRequest = z.strictObject({
  action: GroupActionName,
  reason: z.string().max(2000).optional(),
  of: z
    .string()
    .trim()
    .max(200)
    .optional()
    .describe("What the rollouts have in common, such as their version: for the audit log."),
  members: z
    .array(RolloutPath.extend({ expect: Expectation }))
    .min(1)
    .max(mostMembers)
    .superRefine(assertDistinct)
    .describe("Each with what was seen of it, as in the request of a single action."),
});
export type ActionGroupRequest = z.infer<typeof ActionGroupRequest>;

const GroupMember = z.object({
  rollout: RolloutRef,
  actionId: z.string().nullable().describe("Null if it was refused before it became an action."),
  state: ActionState,
  final: z.boolean().describe("False while the state can still change."),
  problem: z.string().nullable().describe("The problem code of a refusal."),
  message: z.string(),
  auditSeq: z.number().int().nullable().describe("The intent, or the refusal."),
  outcomeSeq: z.number().int().nullable().describe("The entry of the outcome, once there is one."),
});

/** One request for many rollouts, with an action for each. */
export const ActionGroup = z.object({
  seq: z.number().int().describe("Its audit entry, which identifies it."),
  action: GroupActionName,
  of: z.string().nullable(),
  reason: z.string().nullable(),
  actor: z.string(),
  requestedAt: Timestamp,
  sentence: z.string().describe('Such as `aborted 12 of 14 of "v2.31.0"`.'),
  running: z.boolean().describe("Some members have no outcome yet."),
  members: z.array(GroupMember).describe("Those that you may read, by address."),
});
export type ActionGroup = z.infer<typeof ActionGroup>;

export const GroupPlanRequest = z.strictObject({
  action: GroupActionName.optional().describe("Without it, only the actions that each rollout allows."),
  members: z.array(RolloutPath).min(1).max(mostMembers).superRefine(assertDistinct),
});
export type GroupPlanRequest = z.infer<typeof GroupPlanRequest>;

export const PlannedMember = z.object({
  rollout: z.object({ id: z.string().describe("cluster/namespace/Kind/name"), ...RolloutPath.shape }),
  viewDigest: z.string(),
  uid: z.string(),
  revisionKey: z.string(),
  sentence: z.string().nullable().describe("Why it needs attention; null if it does not."),
  evidence: MetricEvidence.nullable().describe("The metric of the deciding run that is worst."),
  allowed: z.array(GroupActionName).describe("The actions that are allowed now."),
  plan: AllowedAction.omit({ patches: true, kubectl: true, revisions: true, containers: true })
    .nullable()
    .describe("The action that was asked about, from the recorded state; null if none was, or it has no such action."),
});
export type PlannedMember = z.infer<typeof PlannedMember>;

export const GroupPlan = z.object({
  items: z.array(PlannedMember).describe("In the order of the request; those that you may not read are left out."),
});
export type GroupPlan = z.infer<typeof GroupPlan>;

/** The part of the endpoint table for one action on many rollouts. */
export const actionGroupEndpoints = {
  actOnMany: post(
    "/api/v1/action-groups",
    "Requests one action on many rollouts, each bound to the view that the person saw; those that moved on are refused",
    { role: "operator", body: ActionGroupRequest, maxBodyKib: 256, response: ActionGroup, status: 202 },
  ),
  getActionGroup: get("/api/v1/action-groups/{seq}", "Follows such a request, by the number of its audit entry", {
    params: z.strictObject({ seq: z.coerce.number().int().min(1) }),
    query: z.strictObject({}),
    response: ActionGroup,
  }),
  planOnMany: post(
    "/api/v1/action-groups/plan",
    "What an action on many rollouts would do, from their recorded state; changes nothing",
    { body: GroupPlanRequest, maxBodyKib: 256, response: GroupPlan },
  ),
} as const;
