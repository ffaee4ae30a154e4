import { z } from "zod";
import { Link, ListQuery, ownedBy, RequiredReason, Timestamp } from "#lib/contract/common.ts";
import { MeasuringAgain, MetricEvidence } from "#lib/contract/evidence.ts";
import { AllowedAction, RolloutSummary } from "#lib/contract/rollout.ts";
import { WaitHandling } from "#lib/contract/wait-handling.ts";

export const InboxQuery = ListQuery.extend({
  cluster: z.string().optional(),
  attention: z
    .enum(["inconclusive", "pause", "blueGreenPromotion", "gate", "degraded", "finding"])
    .optional()
    .describe("Only rollouts that wait for this."),
  ...ownedBy,
  mine: z.enum(["true"]).optional().describe("Only rollouts of teams whose groups you are in."),
  answered: z
    .enum(["true", "false"])
    .default("false")
    .describe(
      "true: rollouts that were acknowledged or aborted on purpose, instead of those still waiting for an answer.",
    ),
  snoozed: z
    .enum(["true", "false"])
    .optional()
    .describe("true: only snoozed rollouts; false: all others. If absent, snoozed ones come last."),
});
export type InboxQuery = z.infer<typeof InboxQuery>;

/** Why a waiting rollout needs nothing more: it was acknowledged, or aborted on purpose. */
export const InboxAnswer = z.object({
  kind: z.enum(["acknowledged", "aborted"]),
  who: z.string().nullable().describe("Null for an abort by an unknown client."),
  at: Timestamp,
  reason: z.string().nullable(),
});
export type InboxAnswer = z.infer<typeof InboxAnswer>;

export const AcknowledgeRequest = z.strictObject({
  reason: RequiredReason,
  viewDigest: z.string().max(200).describe("The view that you saw; the acknowledgement lasts until it changes."),
});
export type AcknowledgeRequest = z.infer<typeof AcknowledgeRequest>;

/** Something that the controller does by itself at a time. */
export const OwnAct = z.object({
  text: z.string().describe("Such as `Continues by itself with step 5 of 6`."),
  at: Timestamp.describe("When it is due; may have passed, since controllers act a little later."),
});
export type OwnAct = z.infer<typeof OwnAct>;

export const InboxItem = z.object({
  rollout: RolloutSummary,
  answer: InboxAnswer.nullable().describe("Null while it still waits for an answer."),
  mayAcknowledge: z.boolean(),
  sentence: z.string().describe("The reason for the wait, in words."),
  finding: z
    .object({
      id: z.string(),
      rule: z.string(),
      badge: z.string().nullable().describe("The rule in few words; null for one that this version does not have."),
      title: z.string(),
    })
    .nullable()
    .describe("The oldest of its critical findings that are not acknowledged."),
  ownAct: OwnAct.nullable().describe("The controller's next step without a person; null if it waits for one."),
  follows: z.string().nullable().describe("The rest of the plan after the current step; null without an update."),
  actions: z.array(AllowedAction),
  evidence: z.array(MetricEvidence).describe("Metrics of the deciding run, worst first; at most six."),
  measuringAgain: MeasuringAgain.nullable(),
  handling: WaitHandling,
  links: z.array(Link).describe("Those of the rollout."),
});
export type InboxItem = z.infer<typeof InboxItem>;
