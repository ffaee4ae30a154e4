import { sql } from "kysely";
import type { ListPage } from "#lib/contract/common.ts";
import { RolloutSummary } from "#lib/contract/rollout.ts";
import type {
  RolloutCountQuery,
  RolloutCounts,
  RolloutExportQuery,
  RolloutListQuery,
  rolloutSorts,
} from "#lib/contract/rollout-lists.ts";
import { findRule } from "#lib/domain/oversight/rule-catalogue.ts";
import { rolloutNeeds } from "#lib/domain/waiting/rank-wait.ts";
import { type CsvColumn, columnsOf, exportOf } from "#lib/server/pages/export-list.ts";
import { readWorstFindings, type WorstFinding } from "#lib/server/pages/inbox/inbox-evidence.ts";
import { readListSentences } from "#lib/server/pages/inbox/read-wait-sentences.ts";
import { needRank, placeInNeed, urgencyRank } from "#lib/server/pages/inbox/wait-rank.ts";
import { listOwnership } from "#lib/server/pages/ownership.ts";
import { isReadable } from "#lib/server/people/permission/read-scope.ts";
import { allOf, anyContains, type Condition, given } from "#lib/server/platform/db/conditions.ts";
import { readRows } from "#lib/server/platform/db/run-query.ts";
import { countRows } from "#lib/server/platform/db/sql-functions.ts";
import { fragment, tables } from "#lib/server/platform/db/tables.ts";
import type { Call, ServiceContext } from "#lib/server/process/service-context.ts";
import { bothWays, listOrder, type Orders, orderPart, readOrdered } from "#lib/server/records/list-order.ts";
import { rolloutPlace, selectRollouts, serializeRollout } from "#lib/server/records/rollout-row.ts";

const eb = fragment<{ r: "rollout" }>();

const byAddress = [
  orderPart(eb.ref("r.namespace"), "text"),
  orderPart(eb.ref("r.name"), "text"),
  orderPart(eb.ref("r.id"), "uuid"),
];

/** It must equal the expression of its index. */
const waitingSince = eb
  .case()
  .when("r.attention_reason", "not in", [sql.lit("degraded" as const), sql.lit("finding" as const)])
  .then(eb.ref("r.attention_since"))
  .end();

const orders: Orders<(typeof rolloutSorts)[number]> = {
  name: bothWays(byAddress),
  cluster: bothWays([
    orderPart(eb.ref("r.cluster"), "text"),
    orderPart(eb.ref("r.namespace"), "text"),
    orderPart(eb.ref("r.kind"), "text"),
    orderPart(eb.ref("r.name"), "text"),
    orderPart(eb.ref("r.uid"), "text"),
  ]),
  need: bothWays([
    // As in the inbox; a list of rollouts does not put snoozed ones last.
    orderPart(urgencyRank, "int4"),
    orderPart(needRank, "int4"),
    orderPart(placeInNeed, "int4"),
    orderPart(eb.fn.coalesce("r.attention_since", sql.lit("infinity")), "timestamptz"),
    ...byAddress,
  ]),
  waitingSince: {
    asc: [
      orderPart(eb.fn.coalesce(waitingSince, sql.lit("infinity")), "timestamptz"),
      orderPart(eb.ref("r.id"), "uuid"),
    ],
    desc: [
      orderPart(eb.fn.coalesce(waitingSince, sql.lit("-infinity")), "timestamptz", "desc"),
      orderPart(eb.ref("r.id"), "uuid", "desc"),
    ],
  },
};

/** Lists the rollouts that the clusters have. Deleted ones are found only by their address. */
export async function listRollouts({ ctx, input }: Call<RolloutListQuery>): Promise<ListPage<RolloutSummary>> {
  const order = listOrder(orders, { sort: input.sort, usual: "name", cursor: input.cursor });
  const query = selectRollouts.where(() =>
    allOf([
      isListed(ctx, input),
      given(input.need, (need) => eb(needRank, "=", eb.lit(rolloutNeeds.indexOf(need)))),
      order.isAfter,
    ]),
  );
  const { runtime } = ctx;
  const page = await readOrdered(runtime.pool, { query, order, limit: input.limit, toItem: (row) => row });
  const critical = page.items.filter((row) => row.worst_finding === "critical").map(({ id }) => id);
  const findings = critical.length === 0 ? new Map<string, WorstFinding>() : await readWorstFindings(runtime, critical);
  const sentences = await readListSentences(runtime, page.items, findings);
  return {
    ...page,
    items: page.items.map((row) => ({
      ...addBadge(serializeRollout(row, runtime), findings.get(row.id)),
      sentence: sentences.get(row.id) ?? null,
    })),
  };
}

function addBadge(rollout: RolloutSummary, finding: WorstFinding | undefined): RolloutSummary {
  const badge = finding === undefined ? undefined : findRule(finding.rule)?.badge;
  return badge === undefined ? rollout : { ...rollout, findings: { ...rollout.findings, badge } };
}

/** Counts the rollouts that a list with these filters shows, by need. */
export async function countRollouts({ ctx, input }: Call<RolloutCountQuery>): Promise<RolloutCounts> {
  const rows = await readRows(
    ctx.runtime.pool,
    tables
      .selectFrom("rollout as r")
      .select([needRank.as("rank"), countRows().as("count")])
      .where(() => isListed(ctx, input))
      .groupBy("rank"),
  );
  const counts = new Map(rows.map(({ rank, count }) => [rank, count]));
  const needs = rolloutNeeds.map((need, rank) => [need, counts.get(rank) ?? 0] as const);
  return { needs: Object.fromEntries(needs) as RolloutCounts["needs"] };
}

function isListed(ctx: ServiceContext, input: RolloutCountQuery): Condition {
  return allOf([
    eb("r.presence", "in", ["live", "absent"]),
    isReadable(ctx.actor.rights, rolloutPlace),
    given(input.cluster, (cluster) => eb("r.cluster", "=", cluster)),
    given(input.namespace, (namespace) => eb("r.namespace", "=", namespace)),
    given(input.kind, (kind) => eb("r.kind", "=", kind)),
    given(input.phase, (phase) => eb("r.phase", "=", phase)),
    given(input.attention, asksFor),
    ...listOwnership(ctx, input),
    anyContains([eb.cast<string>("r.images", "text")], input.version),
    anyContains([eb.ref("r.name"), eb.ref("r.namespace")], input.q),
  ]);
}

function asksFor(attention: NonNullable<RolloutListQuery["attention"]>): Condition {
  switch (attention) {
    case "any":
      return eb("r.attention_reason", "is not", null);
    case "person":
      return eb("r.attention_reason", "not in", ["degraded", "finding"]);
    default:
      return eb("r.attention_reason", "=", attention);
  }
}

const inOrder: readonly CsvColumn<RolloutSummary>[] = [
  ...columnsOf<RolloutSummary>(["id", "cluster", "namespace", "kind", "name", "uid", "strategy", "phase", "message"]),
  ["labels", ({ labels }) => Object.entries(labels).map(([name, value]) => `${name}=${value}`)],
  ["attention.reason", ({ attention }) => attention?.reason],
  ["attention.since", ({ attention }) => attention?.since],
  ...columnsOf<RolloutSummary>(["waitingSince", "step", "stepCount"]),
  ["weight.set", ({ weight }) => weight?.set],
  ["weight.actual", ({ weight }) => weight?.actual],
  ["images", ({ images }) => images.map(({ image }) => image)],
  ["revision", ({ revision }) => revision],
  ["findings.open", ({ findings }) => findings.open],
  ["findings.worst", ({ findings }) => findings.worst],
  ...columnsOf<RolloutSummary>(["presence", "updatedAt"]),
];

/** Fields that only programs need. */
const leftOut: readonly (keyof RolloutSummary)[] = [
  "providerPhase",
  "abortPoint",
  "viewDigest",
  "revisionKey",
  "access",
];

const placed: ReadonlySet<string> = new Set([...leftOut, ...inOrder.map(([name]) => name.replace(/\..*/, ""))]);

/** A new field of the list is exported without a line here, behind the others. */
const columns = [
  ...inOrder,
  ...columnsOf<RolloutSummary>(RolloutSummary.keyof().options.filter((field) => !placed.has(field))),
];

/** Exports the rollouts that `listRollouts` lists, in the same order. */
export const exportRollouts = exportOf<RolloutSummary, RolloutExportQuery>({
  name: "rollouts",
  columns,
  list: listRollouts,
});
