import type { RecordedAs } from "#lib/domain/kube/watched-kind.ts";
import { findUnknownValues } from "#lib/domain/providers.ts";
import type { SourceKey } from "#lib/server/clusters/sources/watched-resources.ts";
import type { KindWriter } from "#lib/server/recording/store/batch-types.ts";
import type { RecorderMetrics } from "#lib/server/recording/store/recorder-metrics.ts";
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

/** The process remembers this many objects as counted; older ones may be counted again. */
const maxRemembered = 10_000;

/** Counts words that Gatehouse has no meaning for. Each object that carries them is counted once, when it is stored. */
export function countUnknownValues(
  writer: KindWriter,
  { kind, onUnknown }: { kind: string; onUnknown: (field: string) => void },
): KindWriter {
  const counted = new Set<string>();
  return {
    ...writer,
    async write(tx, entries) {
      const result = await writer.write(tx, entries);
      return {
        ...result,
        committed() {
          result.committed();
          for (const { uid, object } of entries)
            for (const { field, value } of findUnknownValues(kind, object)) {
              const key = [uid, field, value].join("\n");
              if (counted.has(key)) continue;
              counted.add(key);
              const [oldest] = counted;
              if (counted.size > maxRemembered && oldest !== undefined) counted.delete(oldest);
              onUnknown(field);
            }
        },
      };
    },
  };
}
