import { type SqlBool, sql } from "kysely";
import { jsonBuildObject } from "kysely/helpers/postgres";
import type { RolloutSummary } from "#lib/contract/rollout.ts";
import { formatObjectRef, type ObjectRef } from "#lib/domain/delivery/object-ref.ts";
import type { DeliverySummary } from "#lib/domain/delivery/provider.ts";
import { findTeam, type Team, teamsOf, type WithTeams } from "#lib/domain/policy/find-team.ts";
import { toStorableJson } from "#lib/domain/storable/escape-text.ts";
import type { ClusterConfig } from "#lib/server/platform/config/cluster-schema.ts";
import type { Condition } from "#lib/server/platform/db/conditions.ts";
import type { RowOf } from "#lib/server/platform/db/run-query.ts";
import { fragment, tables } from "#lib/server/platform/db/tables.ts";
import { imagesOf } from "#lib/server/records/release-row.ts";

const eb = fragment<{ r: "rollout" }>();

const newestObservations = eb.selectFrom("observation as n").whereRef("n.rollout_id", "=", "r.id");

/** The images of the newest release of the revision that rollout `r` has in its spec. */
const imagesOfRevision = eb
  .selectFrom("release as v")
  .select("v.images")
  .whereRef("v.rollout_id", "=", "r.id")
  .whereRef("v.run_key", "=", "r.revision_key")
  .orderBy("v.attempt", "desc")
  .limit(1);

type AbortPoint = { step: number | null; weight: number | null; images: unknown };

/**
 * Step and weight of an aborted rollout `r` before the abort: the controller returns to the first step. Taken from the
 * newest observation of the revision that is not aborted; a hundred are searched, more than an abort takes. With the
 * images of the aborted version: the cluster may run only the stable one.
 */
const abortPoint = sql<AbortPoint | null>`CASE
  WHEN ${eb.ref("r.phase")} = 'Degraded' AND ${eb.ref("r.revision_key")} <> ''
    AND ${newestObservations.select("n.abort_asked").orderBy("n.id", "desc").limit(1)}
  THEN COALESCE(${eb
    .selectFrom(
      newestObservations
        .select(["n.id", "n.run_key", "n.abort_asked", "n.step", "n.weight_set"])
        .orderBy("n.id", "desc")
        .limit(100)
        .as("o"),
    )
    .select(({ ref }) => jsonBuildObject({ step: ref("o.step"), weight: ref("o.weight_set") }).as("point"))
    .whereRef("o.run_key", "=", "r.revision_key")
    .where("o.abort_asked", "=", false)
    .orderBy("o.id", "desc")
    .limit(1)}, '{"step": null, "weight": null}')::jsonb || jsonb_build_object('images', ${imagesOfRevision}) END`;

/** When the version of rollout `r` was promoted, if it is healthy. */
const stableSince = eb
  .case()
  .when("r.phase", "=", "Healthy")
  .then(
    eb
      .selectFrom("release as p")
      .select("p.ended_at")
      .whereRef("p.rollout_id", "=", "r.id")
      .whereRef("p.run_key", "=", "r.revision_key")
      .where("p.state", "=", "promoted")
      .orderBy("p.attempt", "desc")
      .limit(1),
  )
  .end();

/** Whether the newest state of rollout `r` could not be read. */
export const isQuarantined = eb
  .exists(({ selectFrom }) =>
    selectFrom("quarantine as q")
      .innerJoin("source as qs", "qs.id", "q.source_id")
      .select(sql.lit(1).as("one"))
      .whereRef("qs.cluster", "=", "r.cluster")
      .whereRef("qs.kind", "=", "r.kind")
      .whereRef("q.ref", "=", "r.uid"),
  )
  .$castTo<boolean>();

/** The columns of a provider's summary, with their types. `toSummaryColumns` fills them, `serializeRollout` reads them. */
export const summaryColumns = {
  strategy: "text",
  phase: "text",
  provider_phase: "text",
  message: "text",
  step: "int4",
  step_count: "int4",
  weight_set: "float8",
  weight_actual: "float8",
  images: "jsonb",
  revision_key: "text",
  revision: "int4",
} as const;

/** How names and messages of a cluster are made storable. */
type Storable = { name(text: string): string; message(text: string): string };

/** Returns the columns of a summary. The type check fails here if a field of the summary is in no column. */
export function toSummaryColumns(
  {
    strategy,
    phase,
    providerPhase,
    message,
    step,
    stepCount,
    weight,
    images,
    revisionKey,
    revision,
    // They have a table of their own.
    replicaSets: _,
    ...others
  }: DeliverySummary,
  storable: Storable,
) {
  others satisfies Record<string, never>;
  return {
    strategy,
    phase: storable.name(phase),
    provider_phase: providerPhase === null ? null : storable.name(providerPhase),
    message: storable.message(message),
    step,
    step_count: stepCount,
    weight_set: weight?.set ?? null,
    weight_actual: weight?.actual ?? null,
    images: toStorableJson(images),
    revision_key: storable.name(revisionKey),
    revision,
  } satisfies Record<keyof typeof summaryColumns, unknown>;
}

/** Selects the columns of a summary; the object itself is large and is left out of lists. */
export const selectRollouts = tables
  .selectFrom("rollout as r")
  .select([
    "r.id",
    "r.cluster",
    "r.namespace",
    "r.kind",
    "r.name",
    "r.uid",
    "r.labels",
    "r.presence",
    "r.strategy",
    "r.phase",
    "r.provider_phase",
    "r.message",
    "r.step",
    "r.step_count",
    "r.weight_set",
    "r.weight_actual",
    "r.images",
    "r.attention_reason",
    "r.attention_since",
    "r.attention_severity",
    "r.open_findings",
    "r.worst_finding",
    "r.view_digest",
    "r.revision_key",
    "r.revision",
    "r.updated_at",
  ])
  .select([abortPoint.as("abort_point"), stableSince.as("stable_since"), isQuarantined.as("is_quarantined")]);

/** The columns of rollout `r` that rights apply to. */
export const rolloutPlace = {
  cluster: eb.ref("r.cluster"),
  namespace: eb.ref("r.namespace"),
  kind: eb.ref("r.kind"),
  name: eb.ref("r.name"),
};

export type RolloutRow = RowOf<typeof selectRollouts>;

/** The newest state is in quarantine: no action may be based on the previous one. */
export const quarantineBlock = {
  reasonCode: "unreadable",
  reason:
    "The newest state of this rollout could not be read. Gatehouse shows the previous state and refuses all actions.",
} as const;

/** The parts of the config in force that a rollout's fields depend on. */
type WithConfig = { config(): { config: WithTeams & { clusters: readonly Pick<ClusterConfig, "name" | "access">[] } } };

/** Returns the team that owns a rollout by the config in force. */
export function teamOf(
  { config }: WithConfig,
  row: Pick<RolloutRow, "cluster" | "namespace" | "kind" | "name" | "labels">,
): Team | undefined {
  return findTeam(teamsOf(config().config), row);
}

function serializeAbortPoint({ step, weight, images }: AbortPoint): RolloutSummary["abortPoint"] {
  const found = imagesOf(images);
  return { step, weight, ...(found.length === 0 ? {} : { images: found }) };
}

export function serializeRollout(row: RolloutRow, runtime: WithConfig): RolloutSummary {
  const { clusters } = runtime.config().config;
  const attention = attentionOf(row);
  const hasWeight = row.weight_set !== null || row.weight_actual !== null;
  return {
    id: formatObjectRef(row),
    uid: row.uid,
    cluster: row.cluster,
    namespace: row.namespace,
    kind: row.kind,
    name: row.name,
    labels: row.labels,
    team: teamOf(runtime, row)?.name ?? null,
    strategy: row.strategy,
    phase: row.phase,
    providerPhase: row.provider_phase,
    message: row.message,
    step: row.step,
    stepCount: row.step_count,
    abortPoint: row.abort_point === null ? null : serializeAbortPoint(row.abort_point),
    weight: hasWeight ? { set: row.weight_set, actual: row.weight_actual } : null,
    images: row.images,
    attention,
    waitingSince: attention !== null && waitsForPerson(attention.reason) ? attention.since : null,
    stableSince: row.stable_since?.toISOString() ?? null,
    findings: { open: row.open_findings, worst: row.worst_finding },
    viewDigest: row.view_digest,
    revisionKey: row.revision_key,
    revision: row.revision,
    presence: row.presence,
    access: clusters.find(({ name }) => name === row.cluster)?.access ?? "read",
    updatedAt: row.updated_at.toISOString(),
  };
}

function attentionOf(row: RolloutRow): RolloutSummary["attention"] {
  if (row.attention_reason === null || row.attention_since === null) return null;
  return {
    reason: row.attention_reason,
    since: row.attention_since.toISOString(),
    severity: row.attention_severity ?? "warning",
  };
}

function waitsForPerson(reason: NonNullable<RolloutSummary["attention"]>["reason"]): boolean {
  return reason !== "degraded" && reason !== "finding";
}

const { ref } = fragment<{ r: "rollout" }>();

/** Returns the condition that rollout `r` has one of these addresses; they are four array parameters, however many. */
export function isAtAnyPlace(places: readonly ObjectRef[]): Condition {
  const column = (of: keyof ObjectRef) => places.map((place) => place[of]);
  return sql<SqlBool>`(${ref("r.cluster")}, ${ref("r.namespace")}, ${ref("r.kind")}, ${ref("r.name")})
    IN (SELECT * FROM unnest(${column("cluster")}::text[], ${column("namespace")}::text[],
      ${column("kind")}::text[], ${column("name")}::text[]))`;
}
