import { sql } from "kysely";
import type { BacktestFilter } from "#lib/contract/backtest.ts";
import { TemplateKind } from "#lib/contract/template.ts";
import type { RunToReplay } from "#lib/domain/delivery/backtest.ts";
import { parseObjectRef } from "#lib/domain/delivery/object-ref.ts";
import { endedPhases, runPhases } from "#lib/domain/delivery/run-phase.ts";
import { backtestedKinds } from "#lib/domain/providers.ts";
import { isTemplateAt } from "#lib/server/pages/template/template-row.ts";
import { isAddress } from "#lib/server/people/permission/find-wait.ts";
import { isReadable } from "#lib/server/people/permission/read-scope.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { allOf, type Condition, given, isOfRun, isOneOf } from "#lib/server/platform/db/conditions.ts";
import { type RowOf, readRows } from "#lib/server/platform/db/run-query.ts";
import { countRows } from "#lib/server/platform/db/sql-functions.ts";
import { fragment, tables } from "#lib/server/platform/db/tables.ts";
import type { Runtime } from "#lib/server/process/runtime-types.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";
import { phaseCodes } from "#lib/server/records/measurement-codes.ts";
import { ofMetric } from "#lib/server/records/measurement-row.ts";
import { runPlace } from "#lib/server/records/run-row.ts";

const { ref } = fragment<{ a: "analysis_run" }>();

/** The runs that have ended and have the metric, with the columns that the replay needs besides the metrics. */
const selectRuns = tables
  .selectFrom("analysis_run as a")
  .innerJoin("metric as t", (join) => join.onRef("t.rollout_id", "=", "a.rollout_id").onRef("t.run_uid", "=", "a.uid"))
  .leftJoin("rollout as r", "r.id", "a.rollout_id")
  .select([
    "a.uid",
    "a.rollout_id",
    "a.cluster",
    "a.namespace",
    "a.kind",
    "a.name",
    "a.owner_kind",
    "a.owner_name",
    "a.revision",
    "a.phase",
    "a.terminated",
    "a.spec",
    "a.created_at",
    "a.started_at",
    "a.completed_at",
    "a.measurements_expired",
    "r.kind as rollout_kind",
    "r.name as rollout_name",
  ])
  .select(({ ref }) => sql<number>`${ref("t.count")}::float8 + ${ref("t.error")}`.as("taken"))
  .where(isOneOf(ref("a.phase"), endedPhases))
  .where(isOneOf(ref("a.kind"), backtestedKinds))
  .orderBy("a.created_at", "desc")
  .orderBy("a.uid");
export type RunRow = RowOf<typeof selectRuns>;

/** Reads the newest runs that the filter selects and the caller may read, at most one more than `limit`. */
export async function readBacktestRuns(
  { runtime, actor }: ServiceContext,
  input: { metric: string; filter: BacktestFilter | undefined; runUids: readonly string[] | undefined; limit: number },
): Promise<RunRow[]> {
  const { metric, filter, runUids, limit } = input;
  const query = selectRuns.where((eb) =>
    allOf([
      eb("t.name", "=", metric),
      isReadable(actor.rights, runPlace),
      given(runUids, (uids) => isOneOf(eb.ref("a.uid"), uids)),
      given(filter?.rollout, (id) => isAddress(parsePlace("rollout", id))),
      given(filter?.template, (id) => isMadeFrom(id, actor.rights)),
      given(filter?.from, (from) => eb("a.created_at", ">=", new Date(from))),
      given(filter?.to, (to) => eb("a.created_at", "<", new Date(to))),
    ]),
  );
  return readRows(runtime.pool, query.limit(limit + 1));
}

/** A run does not name its templates: their metrics are in it word for word. */
function isMadeFrom(id: string, rights: ServiceContext["actor"]["rights"]): Condition {
  const { cluster, namespace, kind, name } = parsePlace("template", id);
  const templateKind = TemplateKind.safeParse(kind);
  if (!templateKind.success) throw invalidPlace("template");
  const { exists, selectFrom } = fragment<{ a: "analysis_run" }>();
  return exists(
    selectFrom("analysis_template as t")
      .innerJoin("analysis_template_version as v", "v.template_uid", "t.uid")
      .select("v.version")
      .where(isTemplateAt({ cluster, namespace, templateKind: templateKind.data, name }, rights))
      .whereRef("t.cluster", "=", "a.cluster")
      .where((eb) => eb.or([eb("t.namespace", "=", ""), eb("t.namespace", "=", eb.ref("a.namespace"))]))
      .where((eb) => sql<boolean>`${eb.ref("v.spec")} -> 'metrics' <> '[]'`)
      .where((eb) => sql<boolean>`${eb.ref("a.spec")} -> 'metrics' @> (${eb.ref("v.spec")} -> 'metrics')`),
  );
}

function parsePlace(field: "rollout" | "template", id: string) {
  const place = parseObjectRef(id);
  if (place === undefined) throw invalidPlace(field);
  return place;
}

function invalidPlace(field: "rollout" | "template"): ServiceError {
  const name = `filter.${field}`;
  const reason = "must be cluster/namespace/Kind/name";
  return new ServiceError("invalid_request", `${name}: ${reason}`, { invalidParams: [{ name, reason }] });
}

type Metric = RunToReplay["metrics"][number];

const selectMetrics = tables
  .selectFrom("metric as t")
  .select(["t.run_uid", "t.name", "t.phase", "t.count", "t.successful", "t.failed", "t.inconclusive", "t.error"])
  .select(["t.consecutive_error", "t.consecutive_success", "t.inconsistent"])
  .orderBy("t.run_uid")
  .orderBy("t.ord");

const selectStored = tables
  .selectFrom("metric as t")
  .innerJoinLateral(ofMetric, (join) => join.onTrue())
  .select("t.run_uid as uid")
  .select((eb) => [
    ...endedPhases.map((phase) =>
      countRows(eb.and([eb("m.phase", "=", phaseCodes[phase]), eb("m.superseded", "=", false)])).as(phase),
    ),
    countRows(eb.ref("m.superseded")).as("takenAgain"),
  ])
  .groupBy("t.run_uid");
type StoredRow = RowOf<typeof selectStored>;

/** Reads the counters of all metrics of these runs. `metric` is the one that is replayed. */
export async function readRunMetrics(
  { pool }: Runtime,
  runs: readonly RunRow[],
  metric: string,
): Promise<ReadonlyMap<string, Metric[]>> {
  const [rows, stored] = await Promise.all([
    readRows(
      pool,
      selectMetrics.where(({ ref }) => isOfRun([ref("t.rollout_id"), ref("t.run_uid")], runs)),
    ),
    readStored(pool, runs, metric),
  ]);
  const byRun = new Map<string, Metric[]>();
  for (const row of rows) {
    const own = row.name === metric ? stored.get(row.run_uid) : undefined;
    byRun.set(row.run_uid, [...(byRun.get(row.run_uid) ?? []), toMetric(row, own)]);
  }
  return byRun;
}

/** Counts what is stored of the metric, only for runs of which something is missing or was retaken. */
async function readStored(pool: Runtime["pool"], runs: readonly RunRow[], metric: string) {
  const gaps = await readRows(
    pool,
    tables
      .selectFrom("measurement_gap as g")
      .innerJoin("metric as t", "t.id", "g.metric_id")
      .select("t.run_uid")
      .distinct()
      .where("t.name", "=", metric)
      .where(({ ref }) => isOfRun([ref("t.rollout_id"), ref("t.run_uid")], runs)),
  );
  const withGaps = new Set(gaps.map((gap) => gap.run_uid));
  const incomplete = runs.filter((run) => run.measurements_expired || withGaps.has(run.uid));
  if (incomplete.length === 0) return new Map<string, StoredRow>();
  const rows = await readRows(
    pool,
    selectStored
      .where("t.name", "=", metric)
      .where(({ ref }) => isOfRun([ref("t.rollout_id"), ref("t.run_uid")], incomplete)),
  );
  const none = { Successful: 0, Failed: 0, Error: 0, Inconclusive: 0, takenAgain: 0 };
  const found = new Map(rows.map((row) => [row.uid, row]));
  return new Map<string, StoredRow>(incomplete.map(({ uid }) => [uid, found.get(uid) ?? { uid, ...none }]));
}

function toMetric(row: RowOf<typeof selectMetrics>, counted: StoredRow | undefined): Metric {
  const { uid, takenAgain, ...stored } = counted ?? { uid: "", takenAgain: 0 };
  return {
    name: row.name,
    phase: runPhases.find((phase) => phase === row.phase),
    count: row.count,
    successful: row.successful,
    failed: row.failed,
    inconclusive: row.inconclusive,
    error: row.error,
    consecutiveError: row.consecutive_error,
    consecutiveSuccess: row.consecutive_success,
    isInconsistent: row.inconsistent,
    takenAgain,
    ...("Successful" in stored ? { stored } : {}),
  };
}
