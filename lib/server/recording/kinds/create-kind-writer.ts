import type { RecordedAs } from "#lib/domain/kube/watched-kind.ts";
import type { SourceKey } from "#lib/server/clusters/sources/watched-resources.ts";
import type { KindWriter } from "#lib/server/recording/store/batch-types.ts";
import type { RecorderMetrics } from "#lib/server/recording/store/recorder-metrics.ts";
import { countUnknownValues } from "./count-unknown-values.ts";
import { createAnalysisRunWriter } from "./write-analysis-runs.ts";
import { createDeploymentWriter } from "./write-deployments.ts";
import { createEventWriter } from "./write-events.ts";
import { createExperimentWriter } from "./write-experiments.ts";
import { createPodWriter } from "./write-pods.ts";
import { createReplicaSetWriter } from "./write-replica-sets.ts";
import { createRolloutWriter } from "./write-rollouts.ts";
import { createTemplateWriter } from "./write-templates.ts";

const writers = {
  rollout: createRolloutWriter,
  "replica-set": createReplicaSetWriter,
  experiment: createExperimentWriter,
  "analysis-template": createTemplateWriter,
  pod: createPodWriter,
  deployment: createDeploymentWriter,
  event: createEventWriter,
  "analysis-run": (source, metrics) =>
    createAnalysisRunWriter(source, (result) => metrics.runsRecorded.inc({ result })),
} satisfies Record<RecordedAs, (source: SourceKey, metrics: RecorderMetrics) => KindWriter>;

export function createKindWriter(source: SourceKey, metrics: RecorderMetrics): KindWriter {
  const onUnknown = (field: string): void => metrics.unknownValues.inc({ field });
  return countUnknownValues(writers[source.recordedAs](source, metrics), { kind: source.kind, onUnknown });
}
