import { z } from "zod";
import { ListQuery, pages, RolloutRef, sortedBy, Timestamp } from "#lib/contract/common.ts";

export const TemplateKind = z.enum(["AnalysisTemplate", "ClusterAnalysisTemplate", "MetricTemplate"]);
export type TemplateKind = z.infer<typeof TemplateKind>;

export const TemplateMetric = z.object({
  name: z.string(),
  provider: z.string().nullable(),
  interval: z.string().nullable(),
  count: z.string().nullable(),
  successCondition: z.string().nullable(),
  failureCondition: z.string().nullable(),
  failureLimit: z.string().nullable(),
  inconclusiveLimit: z.string().nullable(),
  consecutiveErrorLimit: z.string().nullable(),
  consecutiveSuccessLimit: z.string().nullable(),
  initialDelay: z.string().nullable(),
});
export type TemplateMetric = z.infer<typeof TemplateMetric>;

/** Short form of a template and its current spec. */
export const TemplateSummary = z.object({
  id: z.string().describe("cluster/namespace/Kind/name, with `-` for the namespace of a ClusterAnalysisTemplate."),
  uid: z.string(),
  cluster: z.string(),
  namespace: z.string().nullable().describe("Null for a ClusterAnalysisTemplate."),
  kind: TemplateKind,
  name: z.string(),
  presence: z.enum(["live", "deleted", "absent"]),
  version: z.number().int().describe("Number of recorded specs, counted from 1."),
  specHash: z.string(),
  metrics: z.array(TemplateMetric),
  usedBy: z.number().int().describe("Rollouts of the cluster whose strategy names it."),
  writer: z.string().nullable().describe("The field manager that wrote the current spec; null if unknown."),
  writtenAt: Timestamp.describe("When the current spec was written, by the cluster's clock."),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});
export type TemplateSummary = z.infer<typeof TemplateSummary>;

export const TemplateDetail = TemplateSummary.extend({
  spec: z.unknown().describe("The current spec, redacted."),
  args: z.array(z.object({ name: z.string(), value: z.string().nullable(), secret: z.boolean() })),
  rollouts: z.array(RolloutRef).describe("The rollouts that `usedBy` counts; at most 200."),
  composedInto: z.array(z.string()).describe("Ids of the templates that name it; at most 200."),
  composedOf: z.array(z.string()).describe("The templates that it names, as `Kind/name`."),
});
export type TemplateDetail = z.infer<typeof TemplateDetail>;

/** A spec that a template had at some time. */
export const TemplateVersion = z.object({
  templateUid: z.string().describe("Changes if the template is deleted and recreated."),
  version: z.number().int(),
  current: z.boolean(),
  specHash: z.string(),
  spec: z.unknown().describe("Redacted."),
  metrics: z.array(TemplateMetric),
  writer: z.string().nullable(),
  writtenAt: Timestamp,
  observedAt: Timestamp,
  until: Timestamp.nullable().describe(
    "When the next spec was written or the template was deleted; null while current.",
  ),
});
export type TemplateVersion = z.infer<typeof TemplateVersion>;

export const templateSorts = ["name", "cluster", "writtenAt"] as const;

export const TemplateListQuery = ListQuery.extend({
  cluster: z.string().optional(),
  namespace: z.string().optional(),
  kind: TemplateKind.optional(),
  usedBy: z.string().optional().describe("The name of a rollout that you may read and whose strategy names it."),
  q: z.string().max(200).optional().describe("Matches name or namespace, case-insensitively."),
  sort: sortedBy(templateSorts, "name"),
});
export type TemplateListQuery = z.infer<typeof TemplateListQuery>;

export const TemplateExportQuery = TemplateListQuery.omit(pages);
export type TemplateExportQuery = z.infer<typeof TemplateExportQuery>;

const PathName = z.string().min(1).max(253);

export const TemplatePath = z.strictObject({
  cluster: PathName,
  namespace: PathName.describe("`-` for a ClusterAnalysisTemplate."),
  templateKind: TemplateKind,
  name: PathName,
});
export type TemplatePath = z.infer<typeof TemplatePath>;

export const TemplateVersionQuery = ListQuery.extend({
  at: Timestamp.optional().describe("Only the version in force at that time, which a run started then was built from."),
});
export type TemplateVersionQuery = z.infer<typeof TemplateVersionQuery>;
