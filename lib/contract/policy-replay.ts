import { z } from "zod";
import { Timestamp } from "#lib/contract/common.ts";

export const PolicyReplayRequest = z
  .strictObject({
    rule: z
      .string()
      .max(60)
      .optional()
      .describe("The place of a rule in the config in force, such as policies.freezes[0]."),
    yaml: z
      .string()
      .max(10_000)
      .optional()
      .describe("Rules as they would be below `policies` in the config, at most 10. Either this or `rule`."),
    days: z.union([z.literal(30), z.literal(90)]).default(30),
  })
  .refine(({ rule, yaml }) => (rule === undefined) !== (yaml === undefined), {
    path: ["rule"],
    message: "send either rule or yaml",
  });
export type PolicyReplayRequest = z.infer<typeof PolicyReplayRequest>;

const Verdict = z.enum([
  "refuse",
  "require a reason",
  "require a ticket",
  "require a second person",
  "require more approvals",
]);

export const ReplayedRule = z.object({
  rule: z.string().describe("Its name; of a rule about reasons, its place."),
  kind: z.enum(["freeze", "second-person", "reason"]),
  byAction: z
    .array(
      z.object({
        action: z.string(),
        would: Verdict,
        count: z.number().int(),
        of: z.number().int().describe("Actions of this name that were let through."),
      }),
    )
    .describe("Empty if it would have changed nothing."),
  waitMinutes: z
    .object({ median: z.number(), of: z.number().int().describe("Actions whose wait is known.") })
    .nullable()
    .describe(
      "From a refused action until its freeze ended or a release window opened. Null for other rules, and if no end is known.",
    ),
  entries: z
    .array(z.object({ seq: z.number().int(), at: Timestamp, sentence: z.string(), would: Verdict }))
    .describe("The audit entries of those actions, newest first, at most 20."),
});
export type ReplayedRule = z.infer<typeof ReplayedRule>;

export const PolicyReplay = z.object({
  since: Timestamp,
  until: Timestamp,
  complete: z.boolean().describe("False if the log has more entries in that time than were read."),
  actions: z.number().int().describe("Actions that were let through."),
  rules: z.array(ReplayedRule),
  check: z
    .object({
      refusals: z.number().int().describe("Refusals by a policy that name the policies that judged them."),
      reproduced: z.number().int(),
      others: z.array(z.number().int()).describe("The entries that were not reproduced, newest first, at most 20."),
      unknown: z.number().int().describe("Refusals by policies that are not kept."),
      knownSince: Timestamp.nullable().describe("Since when the policies are kept; null if they are not yet."),
    })
    .describe("The refusals of that time, replayed with the policies that were in force then."),
});
export type PolicyReplay = z.infer<typeof PolicyReplay>;
