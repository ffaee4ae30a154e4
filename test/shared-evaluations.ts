import { evaluationWorker } from "#lib/server/platform/config/program-files.ts";
import { createEvaluationPool, type EvaluationPool } from "#lib/server/platform/evaluation/evaluation-pool.ts";

let shared: EvaluationPool | undefined;

/**
 * Returns the evaluation threads of this worker, which all its tests share: starting one takes more time than most tests
 * do. They are never closed; they end with the worker.
 */
export function sharedEvaluations(): EvaluationPool {
  shared ??= createEvaluationPool({ file: evaluationWorker, threads: 2 });
  return shared;
}
