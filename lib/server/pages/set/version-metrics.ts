import type { MetricEvidence } from "#lib/contract/evidence.ts";
import type { SetMetricQuery, SetMetrics } from "#lib/contract/version-set.ts";
import { readEvidenceOfRuns, readSpecs } from "#lib/server/pages/inbox/inbox-evidence.ts";
import { compareKeys, isListed, keyOf, readSet, wantedOf } from "#lib/server/pages/set/version-set.ts";
import { readRows } from "#lib/server/platform/db/run-query.ts";
import { tables, wantedIds } from "#lib/server/platform/db/tables.ts";
import type { Call } from "#lib/server/process/service-context.ts";

/** No one compares more charts than this at a glance. */
const mostItems = 60;
/** The analysis of a step, the background analysis, and the one before promotion. */
const runsOfEach = 3;

/** Returns the newest values of the metrics that measure a version, rollout by rollout. Throws `not_found`. */
export async function getVersionMetrics({ ctx, input }: Call<SetMetricQuery>): Promise<SetMetrics> {
  const { runtime } = ctx;
  const { members } = await readSet(ctx, wantedOf(input));
  const wanted = members
    .filter((member) => member.current && isListed(member, input))
    .sort((one, other) => compareKeys(keyOf(one, "need"), keyOf(other, "need")));
  const runs = Map.groupBy(await readRows(runtime.pool, selectRuns(wanted)), ({ rollout_id }) => rollout_id);
  const measured = wanted.filter(({ id }) => runs.has(id));
  const shown = measured.slice(0, mostItems);
  const own = shown.flatMap(({ id }) => runs.get(id) ?? []);
  const specs = await readSpecs(runtime, own);
  const evidence = await readEvidenceOfRuns(
    runtime,
    own.map((run) => ({ ...run, spec: specs.get(run.uid) })),
  );
  const byRollout = Map.groupBy(evidence, ({ run }) => run.rollout_id);
  return {
    measured: measured.length,
    items: shown.map(({ id, cluster, namespace, kind, name, standing }) => ({
      rollout: { cluster, namespace, kind, name },
      standing,
      metrics: newestOfEach((byRollout.get(id) ?? []).flatMap(({ items }) => items)),
    })),
  };
}

/** Selects the newest runs of the revision that each rollout wants. */
function selectRuns(rollouts: readonly { id: string }[]) {
  return tables
    .selectFrom(wantedIds(rollouts.map(({ id }) => id)))
    .innerJoin("rollout as r", "r.id", "wanted.id")
    .crossJoinLateral(({ selectFrom }) =>
      selectFrom("analysis_run as x")
        .select(["x.uid", "x.rollout_id", "x.kind", "x.created_at"])
        .whereRef("x.rollout_id", "=", "r.id")
        .whereRef("x.pod_hash", "=", "r.revision_key")
        .orderBy("x.created_at", "desc")
        .orderBy("x.uid")
        .limit(runsOfEach)
        .as("a"),
    )
    .selectAll("a")
    .orderBy("a.created_at", "desc");
}

/** Keeps the first of each name. */
function newestOfEach(metrics: readonly MetricEvidence[]): MetricEvidence[] {
  return [...Map.groupBy(metrics, ({ metric }) => metric).values()].flatMap(([first]) => first ?? []);
}
