import { z } from "zod";
import { ActionParams, ActionSubject, assertParamsFit, Expectation } from "#lib/contract/action.ts";
import { ListQuery, RequiredReason, RolloutRef, Timestamp } from "#lib/contract/common.ts";
import { ActionName } from "#lib/contract/rollout.ts";

export const ApprovalState = z.enum(["pending", "approved", "rejected", "withdrawn", "expired", "superseded", "used"]);
export type ApprovalState = z.infer<typeof ApprovalState>;

export const ApprovalRequest = z
  .strictObject({
    action: ActionName,
    ...ActionParams.shape,
    subject: ActionSubject.optional().describe("The run or Experiment, for terminate and the retry of an Experiment."),
    reason: RequiredReason,
    expect: Expectation,
  })
  .superRefine(assertParamsFit);
export type ApprovalRequest = z.infer<typeof ApprovalRequest>;

/** An agent's request that a person does something: bound to the view that the agent was given. */
export const ProposalRequest = z
  .strictObject({ action: ActionName, ...ActionParams.shape, reason: RequiredReason, expect: Expectation })
  .superRefine(assertParamsFit);
export type ProposalRequest = z.infer<typeof ProposalRequest>;

export const ApprovalDecision = z.strictObject({
  decision: z
    .enum(["approve", "reject", "withdraw"])
    .describe(
      "Anyone but the requester can approve it, once. The requester, its approvers and admins can withdraw it. To approve an agent's proposal is to act: the action is yours.",
    ),
  ownProposal: z
    .literal(true)
    .optional()
    .describe("Refuses anything but a proposal of the token that calls: an agent decides about nothing else."),
  reason: z.string().trim().max(2000).optional(),
  viewDigest: z.string().max(200).optional().describe("The view that the approver saw; required to approve."),
});
export type ApprovalDecision = z.infer<typeof ApprovalDecision>;

const ApproverRule = z.object({
  name: z.string().describe("Empty if no rule requires an approval any more: any other person's is enough."),
  approvers: z.int().describe("How many different people must approve, the requester not counted."),
  groups: z.array(z.string()).describe("Each of them is in one of these groups; empty: anyone with the right to act."),
  approved: z.int().describe("How many approvals count for it now."),
});

export const Approval = z.object({
  id: z.string(),
  rollout: RolloutRef,
  action: ActionName,
  params: ActionParams.describe("Parameters of the requested action; the approval covers only these."),
  subject: ActionSubject.extend({ name: z.string() })
    .nullable()
    .describe("The run or Experiment that it is about; null for the rollout itself."),
  state: ApprovalState,
  rule: z
    .string()
    .describe("The strictest policy that required other people when it was requested; empty for a proposal."),
  reason: z.string(),
  viewDigest: z.string().describe("The approval is valid only for this view of the rollout."),
  passesPauses: z
    .array(z.int())
    .describe("Indices of the pause steps that the controller may pass because of it; the approval covers no others."),
  targetVersion: z
    .string()
    .nullable()
    .describe(
      "The desired version of the workload that it is about; the approval covers no other. Null: not about a workload.",
    ),
  agent: z
    .object({ name: z.string() })
    .nullable()
    .describe("Of a proposal: the token of the agent that made it for the requester. Null: a person asks."),
  requestedBy: z.string().describe("Display name; not unique."),
  requestedByUsername: z
    .string()
    .nullable()
    .describe("The name that the identity provider gave; null for old requests."),
  own: z.boolean().describe("You requested it: another person must decide."),
  decidable: z.boolean().describe("You may approve or reject it: your approval is missing, and you have not given it."),
  withdrawable: z.boolean().describe("You may withdraw it: you requested it, approved it, or are an admin there."),
  requestedAt: Timestamp,
  expiresAt: Timestamp,
  rules: z
    .array(ApproverRule)
    .describe(
      "What is required now, the most approvers first: it is approved once each rule is satisfied. Empty once closed.",
    ),
  approvals: z
    .array(
      z.object({
        name: z.string().describe("Display name; not unique."),
        username: z.string(),
        at: Timestamp,
        reason: z.string().nullable(),
        counts: z
          .boolean()
          .describe("False if the person has lost the right, or is in no group of a rule that applies now."),
      }),
    )
    .describe("Who has approved it, the first one first. Each person approves once."),
  decidedBy: z.string().nullable().describe("The person who last approved, rejected or withdrew it."),
  decidedByUsername: z.string().nullable(),
  decidedAt: Timestamp.nullable(),
  decisionReason: z.string().nullable(),
  actionId: z.string().nullable().describe("The action that used it."),
});
export type Approval = z.infer<typeof Approval>;

export const ApprovalListQuery = ListQuery.extend({
  state: z.enum(["pending", "open"]).optional().describe("open: pending, or approved and not used yet."),
  cluster: z.string().optional(),
  namespace: z.string().optional(),
  name: z.string().optional(),
});
export type ApprovalListQuery = z.infer<typeof ApprovalListQuery>;
