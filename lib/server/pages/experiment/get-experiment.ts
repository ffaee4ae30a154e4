import type { AnalysisRunSummary } from "#lib/contract/analysis-run.ts";
import type { ExperimentAnalysis, ExperimentDetail } from "#lib/contract/experiment.ts";
import type { DescribedExperiment } from "#lib/domain/delivery/measuring.ts";
import { measuringProviderOf } from "#lib/domain/providers.ts";
import { readRuns } from "#lib/server/pages/run/list-runs.ts";
import { isReadable } from "#lib/server/people/permission/read-scope.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { allOf } from "#lib/server/platform/db/conditions.ts";
import { readRow } from "#lib/server/platform/db/run-query.ts";
import type { Call } from "#lib/server/process/service-context.ts";
import { experimentPlace, selectExperiments, serializeExperiment } from "#lib/server/records/experiment-row.ts";
import { asPhase } from "#lib/server/records/run-row.ts";

/** Returns one Experiment as recorded, live or past, with the runs that it owns. Throws `not_found`. */
export async function getExperiment({ ctx, input }: Call<{ uid: string }>): Promise<ExperimentDetail> {
  const { runtime, actor } = ctx;
  const query = selectExperiments
    .select("e.object")
    .where((eb) => allOf([eb("e.uid", "=", input.uid), isReadable(actor.rights, experimentPlace)]));
  const row = await readRow(runtime.pool, query);
  if (row === undefined) throw new ServiceError("not_found", `There is no Experiment ${input.uid}.`);
  const parsed = measuringProviderOf("Experiment").parseExperiment(row.object);
  if (!parsed.ok)
    throw new ServiceError("internal", `The recorded object of ${row.name} cannot be read: ${parsed.reason}.`);
  const { items: analysisRuns } = await readRuns(ctx, { ownerUid: row.uid, limit: 200 });
  // A name that was used twice refers to the newest run.
  const runByName = new Map(analysisRuns.toReversed().map((run) => [run.name, run]));
  const { duration, progressDeadlineSeconds, templates, analyses } = parsed.value.describe();
  return {
    ...serializeExperiment(row),
    duration: duration ?? null,
    progressDeadlineSeconds: progressDeadlineSeconds ?? null,
    terminated: parsed.value.isTerminated,
    templates,
    analyses: analyses.map((analysis) => serializeAnalysis(analysis, runByName)),
    analysisRuns,
  };
}

/** The Experiment's status stops following its runs when it ends: the phase of a recorded run is the run's own. */
function serializeAnalysis(
  { name, template, required, phase, message, run, measures }: DescribedExperiment["analyses"][number],
  runByName: ReadonlyMap<string, AnalysisRunSummary>,
): ExperimentAnalysis {
  const recorded = run === undefined ? undefined : runByName.get(run);
  return {
    name,
    template,
    required,
    phase: recorded?.phase ?? asPhase(phase),
    message: recorded?.message ?? message,
    measures: measures ?? null,
    run: run === undefined ? null : { name: run, uid: recorded?.uid ?? null },
  };
}
