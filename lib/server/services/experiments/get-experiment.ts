import type { ExperimentAnalysis, ExperimentDetail } from "#lib/contract/experiment.ts";
import type { DescribedExperiment } from "#lib/domain/delivery/measuring.ts";
import { measuringProviderOf } from "#lib/domain/providers.ts";
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

/** Returns one Experiment as recorded, live or past, with the runs that it owns. Throws `not_found`. */
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
  const parsed = measuringProviderOf("Experiment").parseExperiment(row.object);
  if (!parsed.ok)
    throw new ServiceError("internal", `The recorded object of ${row.name} cannot be read: ${parsed.reason}.`);
  const { items: analysisRuns } = await readRuns(ctx, { ownerUid: row.uid, limit: 200 });
  // A name that was used twice refers to the newest run.
  const uidByName = new Map(analysisRuns.toReversed().map((run) => [run.name, run.uid]));
  const { duration, progressDeadlineSeconds, templates, analyses } = parsed.value.describe();
  return {
    ...serializeExperiment(row),
    duration: duration ?? null,
    progressDeadlineSeconds: progressDeadlineSeconds ?? null,
    terminated: parsed.value.isTerminated,
    templates,
    analyses: analyses.map((analysis) => serializeAnalysis(analysis, uidByName)),
    analysisRuns,
  };
}

function serializeAnalysis(
  { name, template, required, phase, message, run }: DescribedExperiment["analyses"][number],
  uidByName: ReadonlyMap<string, string>,
): ExperimentAnalysis {
  return {
    name,
    template,
    required,
    phase: asPhase(phase),
    message,
    run: run === undefined ? null : { name: run, uid: uidByName.get(run) ?? null },
  };
}
