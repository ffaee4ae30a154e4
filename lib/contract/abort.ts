import { z } from "zod";
import { ListQuery, RolloutRef, Timestamp } from "#lib/contract/common.ts";
import { timeSpanOf } from "#lib/contract/list-options.ts";

/** One aborted release: who aborted it, when, and why. */
export const Abort = z.object({
  release: z.object({
    id: z.string(),
    revision: z.number().int().nullable(),
    attempt: z.number().int(),
    images: z.array(z.string()),
  }),
  rollout: RolloutRef,
  at: Timestamp.describe("When the abort was first observed."),
  by: z
    .enum(["person", "client", "controller", "unknown"])
    .describe("client: a person or program outside Gatehouse; unknown: requested without a readable trace."),
  who: z.string().describe("Such as `oncall`, `kubectl, outside Gatehouse`, or `Argo Rollouts controller`."),
  reason: z.string().nullable().describe("The person's reason."),
  why: z.string().describe("The controller's message in words; empty without one."),
  auditSeq: z.number().int().nullable().describe("The audit entry; null if the controller aborted by itself."),
  runUid: z.string().nullable().describe("For the controller's own aborts: the failed run of the release."),
});
export type Abort = z.infer<typeof Abort>;

export const AbortListQuery = ListQuery.extend({
  cluster: z.string().optional(),
  namespace: z.string().optional(),
  name: z.string().optional(),
  person: z.string().max(200).optional().describe("Part of the name of a person who acted on it, case-insensitively."),
  ...timeSpanOf("Aborts"),
});
export type AbortListQuery = z.infer<typeof AbortListQuery>;
