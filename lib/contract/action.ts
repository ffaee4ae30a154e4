import { z } from "zod";
import { RolloutRef, Timestamp } from "#lib/contract/common.ts";
import { ActionName } from "#lib/contract/rollout.ts";

export const ActionState = z.enum([
  "requested",
  "refused",
  "applied",
  "effective",
  "not-effective",
  "partial",
  "unknown",
]);
export type ActionState = z.infer<typeof ActionState>;

/** What the person saw: actions that advance a rollout are refused where the digest is not the current one. */
export const Expectation = z.strictObject({
  viewDigest: z.string().max(200),
  uid: z.string().max(200).optional(),
  revisionKey: z.string().max(200).optional(),
});
export type Expectation = z.infer<typeof Expectation>;

export const ActionRequest = z.strictObject({
  action: ActionName,
  reason: z.string().max(2000).optional(),
  breakGlass: z.boolean().optional().describe("Act in spite of a freeze; a right of its own, with a fresh sign-in."),
  approval: z.string().max(200).optional().describe("Id of a second person's approval, where a policy asks for one."),
  expect: Expectation,
});
export type ActionRequest = z.infer<typeof ActionRequest>;

export const ActionAccepted = z.object({
  id: z.string(),
  state: ActionState,
  auditSeq: z.number().int(),
  links: z.object({ self: z.string(), rollout: z.string(), audit: z.string() }),
});
export type ActionAccepted = z.infer<typeof ActionAccepted>;

export const Action = z.object({
  id: z.string(),
  rollout: RolloutRef,
  action: ActionName,
  state: ActionState,
  reason: z.string().nullable(),
  actor: z.string(),
  message: z.string().describe("The outcome in words; the API server's own text where it refused."),
  auditSeq: z.number().int().nullable(),
  outcomeSeq: z.number().int().nullable(),
  requestedAt: Timestamp,
  appliedAt: Timestamp.nullable(),
  effectiveAt: Timestamp.nullable(),
});
export type Action = z.infer<typeof Action>;
