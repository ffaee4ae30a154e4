import { isCompleted } from "#lib/domain/argo/analysis/phase.ts";
import { buildRolloutArgs } from "#lib/domain/argo/analysis/rollout-args.ts";
import type { AnalysisRunStatus } from "#lib/domain/argo/analysis/types.ts";
import type { KubeObject, KubeObjectInput } from "#sandbox/apiserver/store-types.ts";
import { composeRunSpec } from "./analysis-templates.ts";
import type { ReconcileContext } from "./reconcile-context.ts";
import { ROLLOUTS_MANAGER } from "./reconcile-context.ts";
import { ownerReference } from "./replica-sets.ts";
import type { RolloutAnalysis, RolloutParts } from "./rollout-types.ts";
import { HASH_LABEL, hashOf, REVISION_ANNOTATION, revisionOf } from "./rollout-types.ts";

/**
 * Creates a run named `<rollout>-<hash>-<revision><suffix>`. Returns undefined if the templates yield no run: the
 * Rollout's validation reports most of these cases.
 */
export function createAnalysisRun(
  context: ReconcileContext,
  input: { parts: RolloutParts; analysis: RolloutAnalysis; suffix: string; labels: Record<string, string> },
): KubeObject | undefined {
  const { store, log } = context;
  const { parts, analysis } = input;
  const { rollout, newSet, stable } = parts;
  const { namespace } = rollout.metadata;
  const hash = hashOf(newSet);
  const hashes = { latestPodHash: hash, stablePodHash: hashOf(stable) };
  const args = buildRolloutArgs({ args: analysis.args ?? [], rollout, ...hashes });
  const composed = "error" in args ? args : composeRunSpec({ store, namespace, analysis, args: args.value });
  if ("error" in composed) {
    log(`no AnalysisRun for Rollout ${namespace}/${rollout.metadata.name}: ${composed.error}`);
    return undefined;
  }
  const revision = String(revisionOf(newSet?.metadata ?? rollout.metadata));
  return createRun(context, {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "AnalysisRun",
    metadata: {
      name: `${rollout.metadata.name}-${hash}-${revision}${input.suffix}`,
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
    spec: composed.value,
  });
}

/**
 * Creates the run. If its name belongs to a finished one, appends `.1`, `.2`, ...; adopts a running one of that name
 * (utils/analysis/helpers.go CreateWithCollisionCounter of argo-rollouts at 9f8d111).
 */
export function createRun({ store, log }: ReconcileContext, run: KubeObjectInput): KubeObject {
  const { namespace } = run.metadata;
  for (let attempt = 0; ; attempt++) {
    const name = attempt === 0 ? run.metadata.name : `${run.metadata.name}.${attempt}`;
    const existing = store.get("analysisruns", namespace, name);
    if (existing === undefined) {
      log(`created AnalysisRun ${namespace}/${name}`);
      return store.create(
        "analysisruns",
        { ...run, metadata: { ...run.metadata, name } },
        { manager: ROLLOUTS_MANAGER },
      );
    }
    const { phase } = (existing.status ?? {}) as AnalysisRunStatus;
    const isTerminating = (existing.spec as { terminate?: boolean } | undefined)?.terminate === true;
    if (!isCompleted(phase) && !isTerminating) {
      return existing;
    }
  }
}
