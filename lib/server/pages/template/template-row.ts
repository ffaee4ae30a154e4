import { type Expression, sql } from "kysely";
import type { TemplateMetric, TemplatePath, TemplateSummary } from "#lib/contract/template.ts";
import type { Rights } from "#lib/domain/policy/rights.ts";
import { measuringProviderOf } from "#lib/domain/providers.ts";
import { isReadable } from "#lib/server/people/permission/read-scope.ts";
import { allOf, type Condition } from "#lib/server/platform/db/conditions.ts";
import type { RowOf } from "#lib/server/platform/db/run-query.ts";
import { joinTexts, listHas } from "#lib/server/platform/db/sql-functions.ts";
import { fragment, tables } from "#lib/server/platform/db/tables.ts";

const eb = fragment<{ r: "rollout"; t: "analysis_template"; v: "analysis_template_version" }>();
const { ref } = eb;

/** Returns the condition that these references name template `t`. */
export function namesTemplate(templateRefs: Expression<unknown>): Condition {
  return listHas(templateRefs, joinTexts("/", [ref("t.kind"), ref("t.name")]));
}

const namesWithNamespace = listHas(
  ref("r.template_refs"),
  joinTexts("/", [ref("t.kind"), ref("t.namespace"), ref("t.name")]),
);

/** Rollout `r` names template `t`. */
export const usesTemplate = eb.and([
  eb("r.cluster", "=", ref("t.cluster")),
  eb("r.presence", "=", "live"),
  eb.or([
    allOf([
      eb.or([eb("t.namespace", "=", ""), eb("r.namespace", "=", ref("t.namespace"))]),
      namesTemplate(ref("r.template_refs")),
    ]),
    namesWithNamespace,
  ]),
]);

const users = eb
  .selectFrom("rollout as r")
  .select("r.id")
  .whereRef("r.cluster", "=", "t.cluster")
  .where("r.presence", "=", "live");

/**
 * Written so that the index of the references is not used: it finds the rollouts of all namespaces with such a template.
 * `?` asks the same as `namesTemplate` without making a JSON array for every rollout.
 */
const isNamedInNamespace = sql<boolean>`(${ref("r.template_refs")} ? ${joinTexts("/", [ref("t.kind"), ref("t.name")])}) IS TRUE`;

/**
 * How many rollouts use template `t`, as in `usesTemplate`. Each way of naming a template is counted by itself: of a
 * namespace's template by the namespace, of a cluster-wide one by the references.
 */
const countUsers = sql<number>`(SELECT count(*)::int FROM (
  ${users.whereRef("r.namespace", "=", "t.namespace").where(isNamedInNamespace)}
  UNION ${users.where("t.namespace", "=", "").where(namesTemplate(ref("r.template_refs")))}
  UNION ${users.where(namesWithNamespace)}) users)`;

/** Whether version `v` is the one that the cluster has of template `t`. */
export const isCurrent = eb
  .and([eb("v.version", "=", ref("t.version")), eb("t.presence", "=", "live")])
  .$castTo<boolean>();

/** When version `v` ended: another was written, or template `t` was gone; null if neither. */
export const until = sql<Date | null>`COALESCE(lead(${ref("v.written_at")})
  OVER (PARTITION BY ${ref("v.template_uid")} ORDER BY ${ref("v.version")}), ${ref("t.gone_at")})`;

/** Selects what a summary needs, with the newest version. */
export const selectTemplates = tables
  .selectFrom("analysis_template as t")
  .innerJoin("analysis_template_version as v", (join) =>
    join.onRef("v.template_uid", "=", "t.uid").onRef("v.version", "=", "t.version"),
  )
  .selectAll("t")
  .select(["v.spec", "v.writer", "v.written_at", countUsers.as("used_by")]);

export type TemplateRow = RowOf<typeof selectTemplates>;

/**
 * Returns the condition for reading template `t`: the right to read anything in its namespace; for a cluster-wide
 * template, anything in its cluster. Undefined if everything may be read.
 */
export function isReadableTemplate(rights: Rights): Condition | undefined {
  const cluster = ref("t.cluster");
  const inNamespace = isReadable(rights, { cluster, namespace: ref("t.namespace") });
  if (inNamespace === undefined) return undefined;
  return eb.or([allOf([eb("t.namespace", "=", ""), isReadable(rights, { cluster })]), inNamespace]);
}

/** Returns the condition that template `t` has this address, and that the actor may read it. */
export function isTemplateAt({ cluster, namespace, templateKind, name }: TemplatePath, rights: Rights): Condition {
  return allOf([
    eb("t.cluster", "=", cluster),
    eb("t.namespace", "=", namespace === "-" ? "" : namespace),
    eb("t.kind", "=", templateKind),
    eb("t.name", "=", name),
    isReadableTemplate(rights),
  ]);
}

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
    metrics: serializeMetrics(row),
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

/** Returns the metrics of a stored spec; unreadable ones are left out. */
export function serializeMetrics({ kind, spec }: Pick<TemplateRow, "kind" | "spec">): TemplateMetric[] {
  const { metrics } = measuringProviderOf(kind).explaining.readTemplate(spec);
  return [...metrics.values()].map((metric) => ({
    name: metric.name,
    provider: metric.provider,
    interval: metric.interval,
    count: metric.count,
    successCondition: metric.successCondition,
    failureCondition: metric.failureCondition,
    failureLimit: metric.failureLimit,
    inconclusiveLimit: metric.inconclusiveLimit,
    consecutiveErrorLimit: metric.consecutiveErrorLimit,
    consecutiveSuccessLimit: metric.consecutiveSuccessLimit,
    initialDelay: metric.initialDelay,
  }));
}
