import type { KindWriter } from "./batch-types.ts";
import type { RecorderMetrics } from "./recorder-metrics.ts";
import type { SourceKey } from "./watched-resources.ts";
import { createAnalysisRunWriter } from "./write-analysis-runs.ts";
import { createExperimentWriter } from "./write-experiments.ts";
import { createReplicaSetWriter } from "./write-replica-sets.ts";
import { createRolloutWriter } from "./write-rollouts.ts";

export function createKindWriter(source: SourceKey, metrics: RecorderMetrics): KindWriter {
  switch (source.resource) {
    case "rollouts":
      return createRolloutWriter(source);
    case "replicasets":
      return createReplicaSetWriter(source);
    case "experiments":
      return createExperimentWriter(source);
    case "analysisruns":
      return createAnalysisRunWriter(source, (result) => metrics.runsRecorded.inc({ result }));
  }
}
