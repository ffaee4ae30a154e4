import { z } from "zod";
import { ListQuery, listOf, RequiredReason, RolloutRef, Timestamp } from "#lib/contract/common.ts";
import { get, post, remove } from "#lib/contract/endpoint.ts";
import { Release } from "#lib/contract/rollout.ts";
import { findingSeverities } from "#lib/domain/oversight/rule.ts";

export const FindingSeverity = z.enum(findingSeverities);
export type FindingSeverity = z.infer<typeof FindingSeverity>;

export const FindingState = z.enum(["open", "acknowledged", "closed"]);
export type FindingState = z.infer<typeof FindingState>;

export const FindingEvidence = z.object({
  label: z.string(),
  value: z.string(),
  at: Timestamp.nullable(),
  link: z
    .discriminatedUnion("to", [
      z.object({ to: z.literal("run"), uid: z.string() }),
      z.object({ to: z.literal("experiment"), uid: z.string() }),
      z.object({ to: z.literal("audit"), seq: z.string() }),
      z.object({ to: z.literal("source"), id: z.string() }),
      z.object({ to: z.literal("controller"), id: z.string() }),
    ])
    .nullable(),
});
export type FindingEvidence = z.infer<typeof FindingEvidence>;

/** Something that the rules of oversight noticed. */
export const Finding = z.object({
  id: z.string(),
  rule: z.string().describe("Id of the rule, such as `inconclusive-ignored`; docs/findings.md lists them."),
  ruleName: z.string(),
  severity: FindingSeverity,
  title: z.string(),
  state: FindingState,
  about: z.enum(["rollout", "cluster", "source", "controller"]),
  target: RolloutRef.describe(
    "The rollout; for a cluster, a source or a controller, its cluster, kind and name, which may be empty.",
  ),
  since: Timestamp,
  foundAt: Timestamp,
  closedAt: Timestamp.nullable(),
  closedWhy: z.string().nullable(),
  acknowledged: z.object({ who: z.string(), at: Timestamp, reason: z.string() }).nullable(),
  evidence: z.array(FindingEvidence),
  advice: z.string(),
  revisionKey: z.string().nullable().describe("The version that it is about."),
  runUid: z.string().nullable().describe("The analysis run that it is about."),
});
export type Finding = z.infer<typeof Finding>;

export const FindingDetail = Finding.extend({
  explanation: z.string().describe("The condition of the rule, and why it matters."),
  release: Release.pick({ id: true, revision: true, runKey: true, attempt: true, images: true })
    .nullable()
    .describe("The release of `revisionKey`, its newest attempt; null if none is recorded."),
  mayAcknowledge: z.boolean(),
});
export type FindingDetail = z.infer<typeof FindingDetail>;

export const FindingListQuery = ListQuery.extend({
  about: z.enum(["rollout", "cluster", "source", "controller"]).optional(),
  cluster: z.string().optional(),
  namespace: z.string().optional(),
  kind: z.string().optional(),
  name: z.string().optional().describe("The rollout's name."),
  rule: z.string().max(100).optional(),
  severity: FindingSeverity.optional(),
  state: z.enum(["open", "acknowledged", "closed", "active"]).optional().describe("active: open or acknowledged."),
  run: z.string().max(200).optional().describe("Uid of the analysis run."),
  revisionKey: z.string().max(200).optional(),
  q: z.string().max(200).optional(),
});
export type FindingListQuery = z.infer<typeof FindingListQuery>;

export const FindingCounts = z.object({
  open: z.object({ critical: z.number().int(), warning: z.number().int(), info: z.number().int() }),
});
export type FindingCounts = z.infer<typeof FindingCounts>;

export const AcknowledgeFindingRequest = z.strictObject({ reason: RequiredReason });
export type AcknowledgeFindingRequest = z.infer<typeof AcknowledgeFindingRequest>;

const ById = z.strictObject({ id: z.uuid() });

/** The part of the endpoint table about findings. */
export const findingEndpoints = {
  listFindings: get(
    "/api/v1/findings",
    "Findings of the oversight rules: with a state other than closed by severity, otherwise newest first",
    { query: FindingListQuery, response: listOf(Finding) },
  ),
  countFindings: get("/api/v1/findings/counts", "How many findings are open, by severity", {
    query: z.strictObject({}),
    response: FindingCounts,
  }),
  getFinding: get("/api/v1/findings/{id}", "One finding with its evidence and what its rule means", {
    params: ById,
    query: z.strictObject({}),
    response: FindingDetail,
  }),
  acknowledgeFinding: post(
    "/api/v1/findings/{id}/acknowledge",
    "Marks a finding as seen, until it closes or becomes more severe",
    { role: "operator", params: ById, body: AcknowledgeFindingRequest, response: FindingDetail },
  ),
  withdrawFinding: remove("/api/v1/findings/{id}/acknowledge", "Takes the acknowledgement of a finding back", {
    role: "operator",
    params: ById,
    response: FindingDetail,
  }),
} as const;
