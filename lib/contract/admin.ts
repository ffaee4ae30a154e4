import { z } from "zod";
import { Timestamp } from "#lib/contract/common.ts";
import { RightScope } from "#lib/contract/system.ts";

export const ConfigEntry = z.object({
  path: z.string().describe("Such as clusters[0].staleAfterSeconds."),
  value: z.string().describe("As YAML, with secrets masked."),
  origin: z
    .enum(["file", "default", "start", "interface"])
    .describe(
      "start: the file has another value, which takes effect at the next start; interface: an admin set it in Gatehouse.",
    ),
  line: z.number().int().nullable().describe("Line of the file; null for a default."),
  note: z.string().nullable().describe("For a named environment variable: whether this process has it."),
});
export type ConfigEntry = z.infer<typeof ConfigEntry>;

export const ConfigChange = z.object({
  path: z.string(),
  before: z.string().nullable().describe("Null if the key is new."),
  after: z.string().nullable().describe("Null if the key is gone."),
});
export type ConfigChange = z.infer<typeof ConfigChange>;

/** The config as it is in force in the web process that answers. */
export const AdminConfig = z.object({
  file: z.string(),
  digest: z.string(),
  loadedAt: Timestamp,
  needsRestart: z.array(z.string()),
  entries: z.array(ConfigEntry),
  yaml: z.string().describe("The same as one YAML text, defaults included, secrets masked."),
  environment: z.array(
    z.object({ name: z.string(), value: z.string().nullable().describe("Null if it is not set."), note: z.string() }),
  ),
  pending: z
    .object({
      state: z.enum(["held", "error"]),
      since: Timestamp,
      error: z.string(),
      changes: z.array(ConfigChange).nullable().describe("The changes in the held file; null if it has an error."),
    })
    .nullable(),
});
export type AdminConfig = z.infer<typeof AdminConfig>;

const PolicyMode = z.enum(["enforce", "observe"]);

const policyFields = {
  path: z.string().describe("Its place in the config, such as policies.freezes[0]."),
  mode: PolicyMode.describe(
    "observe: it decides nothing; the audit entries of actions say what it would have decided.",
  ),
  scope: RightScope,
  actions: z.array(z.string()).describe("Patterns of actions."),
};

const FreezeTime = z.object({ from: Timestamp, to: Timestamp });
const OpenFreezeTime = z.object({ from: Timestamp, to: Timestamp.nullable().describe("Null: no end is in sight.") });

export const AdminFreeze = z.object({
  ...policyFields,
  name: z.string(),
  includeProtective: z.boolean().describe("Protective actions, such as abort and pause, are frozen too."),
  outside: z
    .boolean()
    .describe("It is a release window: actions are refused while neither it nor another window for them is open."),
  start: z.string().describe("Five fields of cron."),
  timeZone: z.string(),
  duration: z.string(),
  now: OpenFreezeTime.nullable().describe("The time that is in force."),
  next: OpenFreezeTime.nullable().describe("The next time that begins; null if none does."),
  times: z
    .array(FreezeTime.extend({ mode: PolicyMode.describe("As in the config of then.") }))
    .describe("Within the asked time, oldest first; cut off at its ends. Past ones as the config of then had them."),
  before: z
    .array(FreezeTime.extend({ why: z.enum(["not-yet", "unknown"]) }))
    .describe(
      "Past times that it would have as it is now. not-yet: the config of then had no freeze of this name; unknown: that config was not kept.",
    ),
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
  observed: z
    .number()
    .int()
    .describe("Actions that it would have refused, or required more of, while it was observed."),
});
export type PolicyCounts = z.infer<typeof PolicyCounts>;

export const AdminPolicy = z.object({
  ...policyFields,
  kind: z.enum(["reason", "freeze", "second-person"]),
  name: z.string().nullable().describe("Rules about reasons have none."),
  required: z.boolean().nullable().describe("Of a rule about reasons."),
  ticket: z
    .object({ name: z.string(), pattern: z.string(), checked: z.boolean() })
    .nullable()
    .describe(
      "Of a rule about reasons: the ticket that a reason must name, and whether another system decides about it.",
    ),
  includeProtective: z.boolean().nullable(),
  outside: z.boolean().nullable().describe("Of a freeze: true for a release window."),
  robotsMayAsk: z.boolean().nullable(),
  expireMinutes: z.number().int().nullable(),
  approvers: z.number().int().nullable().describe("How many people other than the requester must approve."),
  approverGroups: z
    .array(z.string())
    .nullable()
    .describe("Each of them is in one of these groups; empty: anyone with the right to the action."),
  start: z.string().nullable(),
  timeZone: z.string().nullable(),
  duration: z.string().nullable(),
  counts: PolicyCounts.nullable().describe(
    "Null for rules about reasons that are enforced: the log does not tell them apart.",
  ),
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

export const StoredTable = z.object({
  table: z.string(),
  rows: z.number().nullable().describe("PostgreSQL's own estimate; null before its first ANALYZE."),
  bytes: z.number().describe("With indexes and TOAST, all partitions."),
  indexBytes: z.number(),
  toastBytes: z.number(),
  partitions: z.number().int().describe("0 for a table that has none."),
  oldest: Timestamp.nullable(),
  newest: Timestamp.nullable(),
  timesFrom: z
    .string()
    .nullable()
    .describe("The source of oldest and newest: a column or the months of partitions; null without an index."),
  retention: z.string().nullable().describe("The configured age, such as 90d; null: rows are not deleted by age."),
  retentionKey: z.string().nullable().describe("Its key, such as retention.events."),
  rowsPerDay: z.number().nullable().describe("Over the last week at most; null without an index."),
  bytesPerDay: z.number().nullable().describe("rowsPerDay times the table's bytes per row."),
  problem: z.string().nullable().describe("What could not be read, and why."),
});
export type StoredTable = z.infer<typeof StoredTable>;

export const StorageQueue = z.object({
  name: z.string(),
  depth: z.number().int().nullable().describe("Null if it could not be read."),
  isAtLeast: z.boolean().describe("There are more than were counted."),
  problem: z.string().nullable(),
});
export type StorageQueue = z.infer<typeof StorageQueue>;

export const AdminStorage = z.object({
  at: Timestamp,
  databaseBytes: z.number().nullable(),
  tables: z.array(StoredTable).describe("Largest first."),
  bytesPerDay: z.number().nullable().describe("Of the tables whose growth is known."),
  growthKnownFor: z.number().describe("Their share of all bytes, 0 to 1."),
  limitBytes: z.number().nullable().describe("storageGigabytes of the config; null if it is not set."),
  daysLeft: z.number().nullable().describe("Until the limit at this rate; null if unknown, or without a limit."),
  retention: z.object({
    doneAt: Timestamp.nullable().describe("The last complete run."),
    outcome: z.string().nullable(),
    message: z.string().nullable(),
    removed: z
      .object({ seq: z.number().int(), at: Timestamp, rows: z.record(z.string(), z.number()) })
      .nullable()
      .describe("The rows removed by the last run that deleted any."),
    problem: z.string().nullable(),
  }),
  leases: z
    .object({
      sources: z.number().int(),
      expired: z.number().int(),
      holders: z.array(z.string()),
      upkeep: z.string().nullable(),
      problem: z.string().nullable(),
    })
    .describe("Which recorders hold the sources."),
  queues: z.array(StorageQueue),
});
export type AdminStorage = z.infer<typeof AdminStorage>;
