import type { TemplateKind, TemplateMetric, TemplatePath, TemplateSummary } from "#lib/contract/template.ts";
import type { Rights } from "#lib/domain/policy/rights.ts";
import { readRunSpec } from "#lib/server/services/analysis-runs/metric-rows.ts";
import { readableSql } from "#lib/server/services/read-scope.ts";
import type { SqlConditions } from "#lib/server/services/sql-conditions.ts";

/** Condition for a rollout `r` whose strategy names the template `t`. */
export const usesTemplate = `r.cluster = t.cluster AND r.presence = 'live' AND (t.namespace = '' OR r.namespace = t.namespace)
  AND r.template_refs @> to_jsonb(ARRAY[t.kind || '/' || t.name])`;

/** Needs `analysis_template t JOIN analysis_template_version v`, of the current version. */
export const templateColumns = `t.uid, t.cluster, t.namespace, t.kind, t.name, t.presence, t.version, t.spec_hash,
  t.template_refs, t.created_at, t.updated_at, v.spec, v.writer, v.written_at,
  (SELECT count(*)::int FROM rollout r WHERE ${usesTemplate}) AS used_by`;

export const currentVersion = "v.template_uid = t.uid AND v.version = t.version";

/**
 * Returns the condition for reading a template: the right to read anything in its namespace; for a cluster-wide
 * template, anything in its cluster.
 */
export function readableTemplateSql(sql: SqlConditions, rights: Rights): string {
  const inCluster = readableSql(sql, rights, { cluster: "t.cluster" });
  const inNamespace = readableSql(sql, rights, { cluster: "t.cluster", namespace: "t.namespace" });
  return `((t.namespace = '' AND ${inCluster}) OR ${inNamespace})`;
}

export type TemplateRow = {
  uid: string;
  cluster: string;
  namespace: string;
  kind: TemplateKind;
  name: string;
  presence: TemplateSummary["presence"];
  version: number;
  spec_hash: string;
  template_refs: string[];
  created_at: Date;
  updated_at: Date;
  spec: unknown;
  writer: string | null;
  written_at: Date;
  used_by: number;
};

export function serializeTemplate(row: TemplateRow): TemplateSummary {
  return {
    id: formatTemplateId(row),
    uid: row.uid,
    cluster: row.cluster,
    namespace: row.namespace === "" ? null : row.namespace,
    kind: row.kind,
    name: row.name,
    presence: row.presence,
    version: row.version,
    specHash: row.spec_hash,
    metrics: serializeMetrics(row.spec),
    usedBy: row.used_by,
    writer: row.writer,
    writtenAt: row.written_at.toISOString(),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

/** Formats the id as in the change log: a ClusterAnalysisTemplate has `-` in place of the namespace. */
export function formatTemplateId(template: Pick<TemplateRow, "cluster" | "namespace" | "kind" | "name">): string {
  const { cluster, namespace, kind, name } = template;
  return `${cluster}/${namespace === "" ? "-" : namespace}/${kind}/${name}`;
}

/** Returns the values of an address as in the table: cluster, namespace, kind, name. */
export function addressOf({ cluster, namespace, templateKind, name }: TemplatePath): [string, string, string, string] {
  return [cluster, namespace === "-" ? "" : namespace, templateKind, name];
}

/** Returns the metrics of a stored spec; unreadable ones are left out. */
export function serializeMetrics(spec: unknown): TemplateMetric[] {
  return [...readRunSpec(spec).metrics.values()].map((metric) => ({
    name: metric.name,
    provider: providerOf(metric),
    interval: metric.interval,
    count: metric.count,
    successCondition: metric.successCondition,
    failureCondition: metric.failureCondition,
    failureLimit: metric.failureLimit,
    inconclusiveLimit: metric.inconclusiveLimit,
  }));
}

function providerOf(metric: object): string | null {
  const provider = "provider" in metric ? metric.provider : undefined;
  return provider !== null && typeof provider === "object" ? (Object.keys(provider)[0] ?? null) : null;
}
