import { z } from "zod";
import { ListQuery, pages, RolloutRef, sortedBy, Timestamp, timeSpanOf } from "#lib/contract/common.ts";
import { MetricEvidence } from "#lib/contract/evidence.ts";

export const AuditActor = z.object({
  type: z
    .enum(["user", "token", "system", "unknown", "kubernetes-user"])
    .describe("kubernetes-user: a person acted in the cluster, named by its API server's audit log."),
  issuer: z.string().optional(),
  subject: z.string().optional(),
  name: z.string(),
  token: z.object({ id: z.string(), name: z.string() }).optional(),
});
export type AuditActor = z.infer<typeof AuditActor>;

export const AuditOutcome = z.enum(["intent", "applied", "refused", "partial", "unknown"]);
export type AuditOutcome = z.infer<typeof AuditOutcome>;

export const AuditEntry = z.object({
  seq: z.number().int(),
  time: z.string().describe("Database clock, UTC, microseconds."),
  actor: AuditActor,
  source: z.enum(["gatehouse", "cluster", "system"]),
  code: z.string().describe("Event code, such as `action.abort`; the catalogue is in docs/audit-events.md."),
  action: z.string().optional(),
  actionId: z.string().optional(),
  target: RolloutRef.partial().optional(),
  reason: z.string().optional(),
  outcome: AuditOutcome.optional(),
  detail: z.record(z.string(), z.unknown()).optional(),
  requestId: z.string(),
  evidenceDigest: z.string().optional(),
  previousHash: z.string(),
  entryHash: z.string(),
  hash: z.string(),
});
export type AuditEntry = z.infer<typeof AuditEntry>;

/** An entry as lists and pages show it: with its sentence and the result of the action. */
export const AuditItem = AuditEntry.extend({
  sentence: z.string(),
  parts: z
    .array(z.object({ text: z.string(), strong: z.boolean() }))
    .optional()
    .describe("Parts of the sentence; strong parts are names."),
  attributedBy: z
    .number()
    .int()
    .nullable()
    .describe("Of a change without Gatehouse: the later entry that says who made it; the sentence names them already."),
  intentSeq: z.number().int().nullable().describe("For an outcome: the entry of the intent that it belongs to."),
  effect: z
    .object({ state: z.string(), seconds: z.number().nullable(), why: z.string().nullable() })
    .nullable()
    .describe("The action's state, how many seconds after the request it took effect, or why it had no effect."),
});
export type AuditItem = z.infer<typeof AuditItem>;

export const AuditDetail = AuditItem.extend({
  entry: z.string().describe("The canonical text that is hashed."),
  evidence: z.unknown().nullable().describe("The evidence that the person saw; an outcome repeats that of its intent."),
  metrics: z
    .array(MetricEvidence)
    .describe("The metrics of the evidence, judged by the rules that are frozen with them. Empty if it has none."),
  overridden: z
    .object({ uid: z.string(), name: z.string() })
    .nullable()
    .describe("Of a change without Gatehouse: the analysis run that it ended, or whose result it overrode."),
  request: z
    .object({
      auditId: z.string(),
      at: Timestamp,
      username: z.string(),
      groups: z.array(z.string()),
      impersonatedBy: z.string().nullable(),
      userAgent: z.string(),
      sourceAddresses: z.array(z.string()),
    })
    .nullable()
    .describe(
      "Of a change without Gatehouse, for admins of its cluster: the request as the API server audited it. Null once it is deleted by age.",
    ),
  linkOk: z.boolean().describe("entryHash and hash match entry and previousHash."),
});
export type AuditDetail = z.infer<typeof AuditDetail>;

export const AuditListQuery = ListQuery.extend({
  actor: z.string().optional(),
  action: z.string().optional(),
  outcome: AuditOutcome.optional(),
  source: z.enum(["gatehouse", "cluster", "system"]).optional(),
  cluster: z.string().optional(),
  namespace: z.string().optional(),
  name: z.string().optional(),
  policy: z
    .string()
    .max(100)
    .optional()
    .describe(
      "Name of a freeze or a second-person rule: refusals by it, and actions that broke the freeze; of an observed rule: actions that it would not have let pass.",
    ),
  ...timeSpanOf("Entries"),
  q: z
    .string()
    .max(200)
    .optional()
    .describe("Words of person, place, event code or reason, each by its beginning, in either case."),
  about: z
    .enum(["answers"])
    .optional()
    .describe("answers: acts of people about a wait through Gatehouse: applied actions and acknowledgements."),
  signIns: z.enum(["hidden", "only"]).optional().describe("Without sign-ins that succeeded, or only those."),
  rows: z
    .enum(["entries", "acts"])
    .optional()
    .describe(
      "acts: one row for each act, instead of every entry. A request whose outcome is in the log is left out, and so is an entry that only names who made a change.",
    ),
  sort: sortedBy(["time"], "-time"),
});
export type AuditListQuery = z.infer<typeof AuditListQuery>;

export const AuditExportQuery = AuditListQuery.omit(pages)
  .extend({
    format: z
      .enum(["jsonl", "csv"])
      .default("jsonl")
      .describe(
        "jsonl: the chain, for verification elsewhere, which takes no filters; csv: a table of the entries you may see, filtered as the list is, the oldest first unless sorted otherwise.",
      ),
  })
  .refine(
    ({ format, ...filters }) => format === "csv" || Object.values(filters).every((value) => value === undefined),
    {
      path: ["format"],
      message: "the chain is exported whole: filters apply to csv only",
    },
  );
export type AuditExportQuery = z.infer<typeof AuditExportQuery>;

export const AuditVerifyQuery = z.strictObject({
  quick: z
    .enum(["true"])
    .optional()
    .describe(
      "true: as the page does when it opens. Verifies only a log of at most 20 000 entries and 32 MiB of evidence, and leaves an entry only if it finds a new break.",
    ),
});
export type AuditVerifyQuery = z.infer<typeof AuditVerifyQuery>;

export const AuditVerification = z.object({
  ok: z.boolean(),
  entries: z.number().int().describe("How many were verified, from the first one on."),
  skipped: z
    .literal(true)
    .optional()
    .describe("With `quick`: the log is too large, so none was verified and `ok` is false."),
  brokenAt: z.number().int().optional(),
  reason: z.string().optional(),
});
export type AuditVerification = z.infer<typeof AuditVerification>;

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
