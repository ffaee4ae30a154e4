import type { ExperimentAnalysis, ExperimentDetail, ExperimentTemplate } from "#lib/contract/experiment.ts";
import { type ExperimentObject, parseExperiment } from "#lib/domain/argo/objects/experiment-object.ts";
import { ServiceError } from "#lib/server/actor/service-error.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";
import { readRuns } from "#lib/server/services/analysis-runs/list-runs.ts";
import { asPhase } from "#lib/server/services/analysis-runs/run-row.ts";
import {
  type ExperimentRow,
  experimentColumns,
  experimentPlace,
  serializeExperiment,
} from "#lib/server/services/experiments/experiment-row.ts";
import { readableSql } from "#lib/server/services/read-scope.ts";
import { createSqlConditions } from "#lib/server/services/sql-conditions.ts";

/** One Experiment as recorded, live or past, with the runs that it owns. Throws `not_found`. */
export async function getExperiment({
  ctx,
  input,
}: {
  ctx: ServiceContext;
  input: { uid: string };
}): Promise<ExperimentDetail> {
  const { runtime, actor } = ctx;
  const sql = createSqlConditions();
  sql.where(input.uid, (value) => `e.uid = ${value}`);
  sql.and(readableSql(sql, actor.rights, experimentPlace));
  const { rows } = await runtime.pool.query<ExperimentRow & { object: unknown }>(
    `SELECT ${experimentColumns}, e.object FROM experiment e LEFT JOIN rollout r ON r.id = e.rollout_id
     WHERE ${sql.text()}`,
    sql.values,
  );
  const [row] = rows;
  if (row === undefined) throw new ServiceError("not_found", `There is no Experiment ${input.uid}.`);
  const parsed = parseExperiment(row.object);
  if (!parsed.ok)
    throw new ServiceError("internal", `The recorded object of ${row.name} cannot be read: ${parsed.reason}.`);
  const { items: analysisRuns } = await readRuns(ctx, { ownerUid: row.uid, limit: 200 });
  // A name that was used twice means the newest run.
  const uidByName = new Map(analysisRuns.toReversed().map((run) => [run.name, run.uid]));
  const { spec } = parsed.value;
  return {
    ...serializeExperiment(row),
    duration: spec.duration ?? null,
    progressDeadlineSeconds: spec.progressDeadlineSeconds ?? null,
    terminated: spec.terminate,
    templates: describeTemplates(parsed.value),
    analyses: describeAnalyses(parsed.value, uidByName),
    analysisRuns,
  };
}

function describeTemplates({ spec, status }: ExperimentObject): ExperimentTemplate[] {
  const byName = new Map((status?.templateStatuses ?? []).map((each) => [each.name, each]));
  return spec.templates.map(({ name, replicas }) => {
    const found = byName.get(name);
    return {
      name,
      desired: replicas ?? 1,
      status: found?.status ?? "",
      message: found?.message ?? "",
      replicas: found?.replicas ?? 0,
      ready: found?.readyReplicas ?? 0,
      available: found?.availableReplicas ?? 0,
    };
  });
}

function describeAnalyses(
  { spec, status }: ExperimentObject,
  uidByName: ReadonlyMap<string, string>,
): ExperimentAnalysis[] {
  const byName = new Map((status?.analysisRuns ?? []).map((each) => [each.name, each]));
  return spec.analyses.map((analysis) => {
    const run = byName.get(analysis.name);
    return {
      name: analysis.name,
      template: {
        kind: analysis.clusterScope ? "ClusterAnalysisTemplate" : "AnalysisTemplate",
        name: analysis.templateName,
      },
      required: analysis.requiredForCompletion,
      phase: asPhase(run?.phase ?? ""),
      message: run?.message ?? "",
      run:
        run === undefined || run.analysisRun === ""
          ? null
          : { name: run.analysisRun, uid: uidByName.get(run.analysisRun) ?? null },
    };
  });
}
