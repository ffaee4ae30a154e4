import { z } from "zod";
import { Timestamp } from "#lib/contract/common.ts";
import { RightScope } from "#lib/contract/system.ts";

const policyFields = {
  path: z.string().describe("Its place in the config, such as policies.freezes[0]."),
  scope: RightScope,
  actions: z.array(z.string()).describe("Patterns of actions."),
};

const FreezeTime = z.object({ from: Timestamp, to: Timestamp });
const OpenFreezeTime = z.object({ from: Timestamp, to: Timestamp.nullable().describe("Null: no end is in sight.") });

export const AdminFreeze = z.object({
  ...policyFields,
  name: z.string(),
  includeProtective: z.boolean().describe("Protective actions, such as abort and pause, are frozen too."),
  start: z.string().describe("Five fields of cron."),
  timeZone: z.string(),
  duration: z.string(),
  now: OpenFreezeTime.nullable().describe("The time that is in force."),
  next: OpenFreezeTime.nullable().describe("The next time that begins; null if none does."),
  times: z.array(FreezeTime).describe("Within the asked time, oldest first; cut off at its ends."),
  complete: z.boolean().describe("False if the freeze begins too often to list every time."),
});
export type AdminFreeze = z.infer<typeof AdminFreeze>;

/** An action that was done in spite of a freeze. */
export const BrokenFreeze = z.object({
  seq: z.number().int().describe("Its entry in the audit log."),
  at: Timestamp,
  freeze: z.string(),
  person: z.string(),
  sentence: z.string(),
});
export type BrokenFreeze = z.infer<typeof BrokenFreeze>;

export const FreezeQuery = z
  .strictObject({
    from: z.iso.datetime({ offset: true }).describe("Start of the time that is shown."),
    to: z.iso.datetime({ offset: true }).describe("Its end; at most 62 days later."),
  })
  .refine(({ from, to }) => Date.parse(from) < Date.parse(to), { path: ["to"], message: "must be after from" })
  .refine(({ from, to }) => Date.parse(to) - Date.parse(from) <= 62 * 86_400_000, {
    path: ["to"],
    message: "at most 62 days after from",
  });
export type FreezeQuery = z.infer<typeof FreezeQuery>;

export const AdminFreezes = z.object({
  at: Timestamp.describe("The server's time."),
  freezes: z.array(AdminFreeze),
  broken: z.array(BrokenFreeze).describe("Newest first."),
  allBroken: z.boolean().describe("False if the log holds more than was looked at."),
});
export type AdminFreezes = z.infer<typeof AdminFreezes>;

/** How often a policy was felt in the last 30 days. */
export const PolicyCounts = z.object({
  refused: z.number().int().describe("Actions that it refused."),
  broken: z.number().int().nullable().describe("Actions in spite of a freeze; null for other policies."),
  requested: z.number().int().nullable().describe("Approvals that were requested; null unless it asks for two people."),
  approved: z.number().int().nullable(),
});
export type PolicyCounts = z.infer<typeof PolicyCounts>;

export const AdminPolicy = z.object({
  ...policyFields,
  kind: z.enum(["reason", "freeze", "second-person"]),
  name: z.string().nullable().describe("Rules about reasons have none."),
  required: z.boolean().nullable().describe("Of a rule about reasons."),
  includeProtective: z.boolean().nullable(),
  robotsMayAsk: z.boolean().nullable(),
  expireMinutes: z.number().int().nullable(),
  start: z.string().nullable(),
  timeZone: z.string().nullable(),
  duration: z.string().nullable(),
  counts: PolicyCounts.nullable().describe("Null for rules about reasons, which the log does not tell apart."),
});
export type AdminPolicy = z.infer<typeof AdminPolicy>;

export const AdminPolicies = z.object({
  since: Timestamp.describe("From when refusals are counted."),
  complete: z.boolean().describe("False if the log has more entries in that time than were counted."),
  policies: z.array(AdminPolicy),
  withoutReason: z
    .number()
    .int()
    .describe("Actions that were refused for lack of a reason, by any rule or by default."),
  unnamed: z
    .number()
    .int()
    .describe(
      "Refusals by a freeze or a rule that the log does not name: written before this version, or renamed since.",
    ),
  reasonByDefault: z.array(z.string()).describe("Actions that need a reason if no rule says otherwise."),
});
export type AdminPolicies = z.infer<typeof AdminPolicies>;
