import { z } from "zod";
import { AuditItem } from "#lib/contract/audit.ts";
import { AnalysisPhase, RolloutRef, Timestamp } from "#lib/contract/common.ts";
import { get } from "#lib/contract/endpoint.ts";
import { FindingSeverity, FindingState } from "#lib/contract/finding.ts";
import { Attention, Release, RolloutSummary } from "#lib/contract/rollout.ts";

export const SearchQuery = z.strictObject({
  q: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .describe("Words, in either case. A hit has every word, at least one in its own text."),
  limit: z.coerce.number().int().min(1).max(20).default(6).describe("The most of each kind, 1 to 20."),
});
export type SearchQuery = z.infer<typeof SearchQuery>;

const FoundObject = z.object({
  uid: z.string(),
  cluster: z.string(),
  namespace: z.string(),
  name: z.string(),
  phase: AnalysisPhase,
  message: z.string(),
  at: Timestamp.describe("When it was created."),
});

const hits = {
  rollouts: z
    .object({
      rollout: RolloutRef,
      ...RolloutSummary.pick({ phase: true, presence: true, images: true }).shape,
      attention: Attention.pick({ reason: true }).nullable(),
      at: Timestamp.describe("When it changed last."),
    })
    .describe("By namespace and name, or by an image that it runs; exact names first, deleted ones last."),
  releases: z
    .object({
      rollout: RolloutRef,
      ...Release.pick({ id: true, runKey: true, revision: true, attempt: true, state: true }).shape,
      ...Release.pick({ waitsFor: true, images: true, message: true }).shape,
      at: Timestamp.describe("When it began."),
    })
    .describe("By an image, the beginning of the pod template's hash, or the message."),
  runs: FoundObject.describe("Analysis runs: by the beginning of the name, the message, or the uid."),
  experiments: FoundObject.describe("By name or uid."),
  templates: z
    .object({
      id: z.string(),
      cluster: z.string(),
      namespace: z.string().nullable(),
      kind: z.string(),
      name: z.string(),
      at: Timestamp.describe("When its newest version was written."),
    })
    .describe("By name, or by anything in the newest version: a metric, a query, a condition."),
  findings: z
    .object({
      id: z.string(),
      title: z.string(),
      severity: FindingSeverity,
      state: FindingState,
      target: RolloutRef,
      at: Timestamp.describe("Since when it holds."),
    })
    .describe("By title or subject."),
  people: z
    .object({
      name: z.string(),
      subject: z.string().nullable().describe("As the identity provider names the person; null without a name."),
      at: Timestamp.describe("When they acted last."),
    })
    .describe("Who acted, by the audit log: people, programs and controllers, by name or subject."),
  messages: z
    .object({
      rollout: RolloutRef,
      involved: z.object({ kind: z.string(), name: z.string() }),
      type: z.string(),
      reason: z.string(),
      message: z.string(),
      at: Timestamp.describe("When it occurred last."),
    })
    .describe("Kubernetes events about a rollout and its objects, by reason, object or message."),
  audit: AuditItem.describe("By person, place, event code, reason or number."),
} as const;

export type SearchKind = keyof typeof hits;
export type SearchHit<Kind extends SearchKind = SearchKind> = z.infer<(typeof hits)[Kind]>;

/** The kinds in the order in which they are shown. */
export const searchKinds = Object.keys(hits) as SearchKind[];

function groupOf<Hit extends z.ZodType>(hit: Hit) {
  return z.object({
    items: z.array(hit),
    more: z.boolean().describe("There are others, which come later in the order."),
  });
}

/** The hits by kind, newest first unless said otherwise. */
export const SearchAnswer = z.object({
  rollouts: groupOf(hits.rollouts),
  releases: groupOf(hits.releases),
  runs: groupOf(hits.runs),
  experiments: groupOf(hits.experiments),
  templates: groupOf(hits.templates),
  findings: groupOf(hits.findings),
  people: groupOf(hits.people),
  messages: groupOf(hits.messages),
  audit: groupOf(hits.audit),
  tooShort: z
    .boolean()
    .describe(
      "No word has three characters with two letters or digits: only rollouts, templates and people were searched.",
    ),
});
export type SearchAnswer = z.infer<typeof SearchAnswer>;

/** The part of the endpoint table for the search. */
export const searchEndpoints = {
  search: get(
    "/api/v1/search",
    "Finds rollouts, releases, runs, templates, findings, people, messages and audit entries that you may read",
    { query: SearchQuery, response: SearchAnswer },
  ),
} as const;
