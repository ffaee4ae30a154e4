import { isCompleted } from "#lib/domain/argo/analysis/phase.ts";
import type { AnalysisRunStatus } from "#lib/domain/argo/analysis/types.ts";
import type { KubeObject, KubeObjectInput } from "#sandbox/apiserver/store-types.ts";
import { composeRunSpec } from "./analysis-templates.ts";
import type { ReconcileContext } from "./reconcile-context.ts";
import { ROLLOUTS_MANAGER } from "./reconcile-context.ts";
import type { RolloutParts } from "./replica-counts.ts";
import { ownerReference } from "./replica-sets.ts";
import type { RolloutAnalysis } from "./rollout-types.ts";
import { HASH_LABEL, hashOf, REVISION_ANNOTATION, revisionOf } from "./rollout-types.ts";

/**
 * Creates a run named `<rollout>-<hash>-<revision><suffix>`; where the name belongs to a finished run, `.1`, `.2`, ...
 * is appended, and a running one of that name is taken over (utils/analysis/helpers.go CreateWithCollisionCounter).
 * Undefined where no run can be made of the templates: the Rollout's validation reports most of that.
 */
export function createAnalysisRun(
  { store, log }: ReconcileContext,
  input: { parts: RolloutParts; analysis: RolloutAnalysis; suffix: string; labels: Record<string, string> },
): KubeObject | undefined {
  const { parts, analysis } = input;
  const { rollout, newSet, stable } = parts;
  const { namespace } = rollout.metadata;
  const hash = hashOf(newSet);
  const composed = composeRunSpec({ store, analysis, rollout, hashes: { latest: hash, stable: hashOf(stable) } });
  if ("error" in composed) {
    log(`no AnalysisRun for Rollout ${namespace}/${rollout.metadata.name}: ${composed.error}`);
    return undefined;
  }
  const revision = String(revisionOf(newSet?.metadata ?? rollout.metadata));
  const { metrics, args = [], dryRun = [], measurementRetention = [] } = composed.value;
  const spec = {
    metrics,
    ...(args.length > 0 ? { args } : {}),
    ...(dryRun.length > 0 ? { dryRun } : {}),
    ...(measurementRetention.length > 0 ? { measurementRetention } : {}),
  };
  const baseName = `${rollout.metadata.name}-${hash}-${revision}${input.suffix}`;
  for (let attempt = 0; ; attempt++) {
    const name = attempt === 0 ? baseName : `${baseName}.${attempt}`;
    const existing = store.get("analysisruns", namespace, name);
    if (existing === undefined) {
      const run: KubeObjectInput = {
        apiVersion: "argoproj.io/v1alpha1",
        kind: "AnalysisRun",
        metadata: {
          name,
          namespace,
          labels: {
            ...input.labels,
            [HASH_LABEL]: hash,
            ...analysis.analysisRunMetadata?.labels,
            ...rollout.spec.selector.matchLabels,
          },
          annotations: { [REVISION_ANNOTATION]: revision, ...analysis.analysisRunMetadata?.annotations },
          ownerReferences: [ownerReference(rollout)],
        },
        spec,
      };
      log(`created AnalysisRun ${namespace}/${name}`);
      return store.create("analysisruns", run, { manager: ROLLOUTS_MANAGER });
    }
    const { phase } = (existing.status ?? {}) as AnalysisRunStatus;
    const isTerminating = (existing.spec as { terminate?: boolean } | undefined)?.terminate === true;
    if (!isCompleted(phase) && !isTerminating) {
      return existing;
    }
  }
}
