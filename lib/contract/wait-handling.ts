import { z } from "zod";
import { RequiredReason, Timestamp } from "#lib/contract/common.ts";

/** A person has claimed a rollout's wait. A claim blocks no one: all others may still act. */
export const Claim = z.object({
  id: z.string().describe("Of this claim: send it to take the claim over."),
  who: z.string(),
  isMine: z.boolean(),
  at: Timestamp,
  expiresAt: Timestamp,
});
export type Claim = z.infer<typeof Claim>;

/** A rollout's wait is snoozed, for all users. */
export const Snooze = z.object({
  who: z.string(),
  at: Timestamp,
  until: Timestamp.nullable().describe("Null: until its state changes."),
  reason: z.string(),
});
export type Snooze = z.infer<typeof Snooze>;

/** The claim on a rollout's wait, and its snooze. */
export const WaitHandling = z.object({
  claim: Claim.nullable().describe("Null without a claim."),
  mayClaim: z.boolean(),
  snooze: Snooze.nullable().describe("Null while it is not snoozed."),
  maySnooze: z
    .object({
      maxHours: z.number().int().describe("The longest snooze until a time."),
      untilChange: z.boolean().describe("Whether it may be snoozed until it changes, without a time."),
    })
    .nullable()
    .describe("Null if you may not snooze it."),
});
export type WaitHandling = z.infer<typeof WaitHandling>;

export const ClaimRequest = z.strictObject({
  since: Timestamp.describe(
    "`attention.since` of the wait that you saw; the claim lasts at most as long as that wait.",
  ),
  takesOver: z
    .uuid()
    .optional()
    .describe(
      "The id of another person's claim that you take over. Without it, a claim of another person is a conflict.",
    ),
});
export type ClaimRequest = z.infer<typeof ClaimRequest>;

export const SnoozeRequest = z.strictObject({
  reason: RequiredReason,
  viewDigest: z.string().max(200).describe("The view that you saw."),
  until: Timestamp.nullable().describe("When it returns; null: when its state changes."),
});
export type SnoozeRequest = z.infer<typeof SnoozeRequest>;
