import type { KindWriter } from "#lib/server/recorder/store/batch-types.ts";
import type { RecorderMetrics } from "#lib/server/recorder/store/recorder-metrics.ts";
import type { SourceKey } from "#lib/server/sources/watched-resources.ts";
import { countUnknownValues } from "./count-unknown-values.ts";
import { createAnalysisRunWriter } from "./write-analysis-runs.ts";
import { createDeploymentWriter } from "./write-deployments.ts";
import { createEventWriter } from "./write-events.ts";
import { createExperimentWriter } from "./write-experiments.ts";
import { createPodWriter } from "./write-pods.ts";
import { createReplicaSetWriter } from "./write-replica-sets.ts";
import { createRolloutWriter } from "./write-rollouts.ts";
import { createTemplateWriter } from "./write-templates.ts";

export function createKindWriter(source: SourceKey, metrics: RecorderMetrics): KindWriter {
  const onUnknown = (field: string): void => metrics.unknownValues.inc({ field });
  return countUnknownValues(writerOf(source, metrics), { kind: source.kind, onUnknown });
}

function writerOf(source: SourceKey, metrics: RecorderMetrics): KindWriter {
  switch (source.recordedAs) {
    case "rollout":
      return createRolloutWriter(source);
    case "replica-set":
      return createReplicaSetWriter(source);
    case "experiment":
      return createExperimentWriter(source);
    case "analysis-template":
      return createTemplateWriter(source);
    case "pod":
      return createPodWriter(source);
    case "deployment":
      return createDeploymentWriter(source);
    case "event":
      return createEventWriter(source);
    case "analysis-run":
      return createAnalysisRunWriter(source, (result) => metrics.runsRecorded.inc({ result }));
  }
}
