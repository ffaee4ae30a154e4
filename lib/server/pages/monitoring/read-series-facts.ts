import { sql } from "kysely";
import { createTeamFinder, teamsOf } from "#lib/domain/policy/find-team.ts";
import { isConfigured } from "#lib/server/clusters/sources/serialize-source.ts";
import { readSources, type SourceRow } from "#lib/server/clusters/sources/source-freshness.ts";
import { isReadableFinding } from "#lib/server/oversight/findings/finding-row.ts";
import { isAnswered } from "#lib/server/pages/inbox/inbox-answer.ts";
import { isSnoozed } from "#lib/server/pages/inbox/wait-handling.ts";
import { isReadable, seesCluster } from "#lib/server/people/permission/read-scope.ts";
import { allOf } from "#lib/server/platform/db/conditions.ts";
import { secondsBefore, transactionTime } from "#lib/server/platform/db/database-time.ts";
import { type RowOf, readRows } from "#lib/server/platform/db/run-query.ts";
import { countRows } from "#lib/server/platform/db/sql-functions.ts";
import { fragment, tables, wantedIds } from "#lib/server/platform/db/tables.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";
import { rolloutPlace } from "#lib/server/records/rollout-row.ts";

const eb = fragment<{ r: "rollout"; a: "action"; f: "finding" }>();

/** How people have handled the wait of rollout `r`: only an open one is in the inbox, and not at its end. */
const handling = eb
  .case()
  .when("r.attention_reason", "is", null)
  .then(sql<Handling | null>`NULL`)
  .when(isAnswered)
  .then(sql.lit("answered"))
  .when(isSnoozed)
  .then(sql.lit("snoozed"))
  .else(sql.lit("open"))
  .end()
  .$castTo<Handling | null>();

export type Handling = "open" | "snoozed" | "answered";

const selectLive = tables
  .selectFrom("rollout as r")
  .select([
    ...(["r.id", "r.cluster", "r.namespace", "r.kind", "r.name", "r.labels", "r.phase"] as const),
    ...(["r.step", "r.step_count", "r.weight_set", "r.weight_actual"] as const),
    ...(["r.attention_reason", "r.attention_since", "r.attention_severity"] as const),
    handling.as("handling"),
  ])
  .where("r.presence", "=", "live")
  // Any order that stays the same: by names would take longer than to read the rows.
  .orderBy("r.id");

const selectFindings = tables
  .selectFrom("finding as f")
  .select(({ eb: of }) => [
    ...(["f.cluster", "f.rule", "f.severity"] as const),
    of("f.acknowledged_at", "is not", null).$castTo<boolean>().as("is_acknowledged"),
    countRows().as("count"),
  ])
  .where("f.closed_at", "is", null)
  .groupBy(["f.cluster", "f.rule", "f.severity", sql`4`]);

const selectActions = tables
  .selectFrom("action as a")
  .select(["a.cluster", "a.action", "a.state", countRows().as("count")])
  .where("a.requested_at", ">=", secondsBefore(transactionTime, 24 * 3600))
  .groupBy(["a.cluster", "a.action", "a.state"]);

const actionPlace = {
  cluster: eb.ref("a.cluster"),
  namespace: eb.ref("a.namespace"),
  kind: eb.ref("a.kind"),
  name: eb.ref("a.name"),
};

const verdicts = ["Successful", "Failed", "Error", "Inconclusive"] as const;

/** The run of each rollout that began last among those that have ended. */
function selectVerdicts(rolloutIds: readonly string[]) {
  return tables
    .selectFrom(wantedIds(rolloutIds))
    .crossJoinLateral(({ selectFrom }) =>
      selectFrom("analysis_run as n")
        .select(({ fn }) => ["n.phase", fn.coalesce("n.completed_at", "n.updated_at").as("at")])
        .whereRef("n.rollout_id", "=", "wanted.id")
        .where("n.phase", "in", verdicts)
        .orderBy("n.created_at", "desc")
        .orderBy("n.uid")
        .limit(1)
        .as("newest"),
    )
    .select(["wanted.id", "newest.phase", "newest.at"]);
}

export type LiveRollout = RowOf<typeof selectLive> & { team: string };
export type Verdict = RowOf<ReturnType<typeof selectVerdicts>>;

export type SeriesFacts = {
  rollouts: readonly LiveRollout[];
  /** Those that get series of their own: open waits first, the oldest first; then rollouts that are not healthy. */
  named: readonly LiveRollout[];
  verdicts: readonly Verdict[];
  findings: readonly RowOf<typeof selectFindings>[];
  actions: readonly RowOf<typeof selectActions>[];
  sources: readonly SourceRow[];
};

/** Reads the facts of all series, by five statements, as far as the actor may read them. */
export async function readSeriesFacts({ runtime, actor }: ServiceContext): Promise<SeriesFacts> {
  const { pool } = runtime;
  const { rights } = actor;
  const { config } = runtime.config();
  const { clusters, limits } = config;
  const [live, findings, actions, sources] = await Promise.all([
    readRows(pool, selectLive.where(allOf([isReadable(rights, rolloutPlace)]))),
    readRows(pool, selectFindings.where(allOf([isReadableFinding(rights)]))),
    readRows(pool, selectActions.where(allOf([isReadable(rights, actionPlace)]))),
    readSources(runtime),
  ]);
  const findOwner = createTeamFinder(teamsOf(config));
  const rollouts = live.map((row) => ({ ...row, team: findOwner(row)?.name ?? "" }));
  const named = chooseNamed(rollouts, limits.rolloutsInMetrics);
  return {
    rollouts,
    named,
    verdicts: await readRows(pool, selectVerdicts(named.map(({ id }) => id))),
    findings,
    actions,
    sources: sources.filter((source) => isConfigured(source, clusters) && seesCluster(rights, source.cluster)),
  };
}

function chooseNamed(rollouts: readonly LiveRollout[], most: number): LiveRollout[] {
  const since = ({ attention_since: at }: LiveRollout): number => at?.getTime() ?? 0;
  const groups = Map.groupBy(rollouts, ({ handling: of, phase }) =>
    of === "open" ? "waiting" : phase === "Healthy" ? "healthy" : "other",
  );
  const waiting = (groups.get("waiting") ?? []).toSorted((one, other) => since(one) - since(other));
  return [...waiting, ...(groups.get("other") ?? []), ...(groups.get("healthy") ?? [])].slice(0, most);
}
