import type { ActionSubject } from "#lib/domain/acting/action-params.ts";
import { parseAnalysisRun } from "#lib/domain/argo/objects/analysis-run-object.ts";
import { parseExperiment } from "#lib/domain/argo/objects/experiment-object.ts";
import type { RolloutObject } from "#lib/domain/argo/objects/rollout-object.ts";
import { type LiveObjects, parseWorkload, type WorkloadObject } from "#lib/domain/argo/plan/plan-revisions.ts";
import type { SubjectObject } from "#lib/domain/argo/plan/plan-terminate.ts";
import { analysisRuns, experiments } from "#lib/domain/argo/resources.ts";
import { deployments, replicaSets } from "#lib/domain/kube/api-resource.ts";
import type { ClusterReader, ReadFailure } from "#lib/domain/kube/cluster-reader.ts";
import { formatSelector } from "#lib/domain/kube/find-owned-pods.ts";
import { parseReplicaSet, type ReplicaSetObject } from "#lib/domain/kube/replica-set-object.ts";

/**
 * Reads the objects from which undo and set-image are planned: the Deployment of a `workloadRef`, and the ReplicaSets
 * that the rollout's selector matches. They contain secrets and must not be stored.
 */
export async function readLiveObjects({
  rollout,
  reader,
  withRevisions,
}: {
  rollout: RolloutObject;
  reader: ClusterReader;
  withRevisions: boolean;
}): Promise<{ kind: "found"; live: LiveObjects } | ReadFailure> {
  const { namespace = "default" } = rollout.metadata;
  const workload = await readWorkload({ rollout, reader, namespace });
  if (workload !== undefined && workload.kind !== "found" && workload.kind !== "missing") return workload;
  const found = workload?.kind === "found" ? workload.workload : undefined;
  if (!withRevisions) return { kind: "found", live: { replicaSets: [], workload: found } };
  const listed = await reader.list({
    resource: replicaSets,
    kind: "ReplicaSet",
    namespace,
    labelSelector: formatSelector(rollout.spec.selector ?? found?.spec.selector),
  });
  if (listed.kind !== "found") return listed;
  const parsed: ReplicaSetObject[] = [];
  for (const item of listed.items) {
    const replicaSet = parseReplicaSet(item);
    if (replicaSet.ok) parsed.push(replicaSet.value);
  }
  return { kind: "found", live: { replicaSets: parsed, workload: found } };
}

async function readWorkload({
  rollout,
  reader,
  namespace,
}: {
  rollout: RolloutObject;
  reader: ClusterReader;
  namespace: string;
}): Promise<{ kind: "found"; workload: WorkloadObject } | ReadFailure | undefined> {
  const { workloadRef } = rollout.spec;
  if (workloadRef?.kind !== "Deployment" || workloadRef.name === undefined) return undefined;
  const fetched = await reader.get({ resource: deployments, namespace, name: workloadRef.name });
  if (fetched.kind !== "found") return fetched;
  const parsed = parseWorkload(fetched.object);
  return parsed.ok ? { kind: "found", workload: parsed.value } : { kind: "unusable", message: parsed.reason };
}

/** Reads one run or Experiment. Returns `missing` too if another one has taken its name. */
export async function readSubject({
  reader,
  namespace,
  subject: { kind, name, uid },
}: {
  reader: ClusterReader;
  namespace: string;
  subject: ActionSubject;
}): Promise<{ kind: "found"; object: SubjectObject } | ReadFailure> {
  const resource = kind === "AnalysisRun" ? analysisRuns : experiments;
  const fetched = await reader.get({ resource, namespace, name });
  if (fetched.kind !== "found") return fetched;
  const parsed = kind === "AnalysisRun" ? parseAnalysisRun(fetched.object) : parseExperiment(fetched.object);
  if (!parsed.ok) return { kind: "unusable", message: parsed.reason };
  return parsed.value.metadata.uid === uid ? { kind: "found", object: parsed.value } : { kind: "missing" };
}
