import { z } from "zod";
import { Timestamp } from "#lib/contract/common.ts";

/** Something that happened to a rollout. */
export const TimelineEvent = z.object({
  id: z.string(),
  at: Timestamp,
  kind: z
    .string()
    .describe(
      "phase, step, pause, resume, abort, retry, revision, run, action, unasked (done without Gatehouse), approval (requested or decided)",
    ),
  text: z.string(),
  phase: z.string().nullable(),
  runUid: z.string().nullable(),
  runName: z.string().nullable().describe("Of the analysis run or object that it is about."),
  auditSeq: z.number().int().nullable().describe("Of an action, its intent."),
  outcomeSeq: z.number().int().nullable().describe("Of an action: the entry of its outcome, once there is one."),
  reason: z.string().nullable().describe("Of an action: what its person gave as the reason."),
  isRefused: z.boolean().describe("An action that was not carried out."),
  release: z
    .object({
      id: z.string(),
      revision: z.number().int().nullable(),
      attempt: z.number().int(),
      state: z.enum(["progressing", "paused", "promoted", "aborted", "superseded", "unknown"]),
      images: z.array(z.string()),
      startedAt: Timestamp,
    })
    .nullable()
    .describe("The release that was the newest then; null before the first."),
});
export type TimelineEvent = z.infer<typeof TimelineEvent>;
