import { z } from "zod";
import type { ActionSubject } from "#lib/domain/acting/action-params.ts";
import { parseAnalysisRun } from "#lib/domain/argo/objects/analysis-run-object.ts";
import { parseExperiment } from "#lib/domain/argo/objects/experiment-object.ts";
import { parseReplicaSet, type ReplicaSetObject } from "#lib/domain/argo/objects/replica-set-object.ts";
import type { RolloutObject } from "#lib/domain/argo/objects/rollout-object.ts";
import { type LiveObjects, parseWorkload, type WorkloadObject } from "#lib/domain/argo/plan/plan-revisions.ts";
import type { SubjectObject } from "#lib/domain/argo/plan/plan-terminate.ts";
import { type FetchFailure, fetchList, fetchObject, objectPath } from "#lib/server/acting/object-api.ts";
import type { ClusterClient, ClusterIdentity } from "#lib/server/kubernetes/cluster-client-types.ts";

type Reader = { client: ClusterClient; as?: ClusterIdentity | undefined };

/**
 * What undo and set-image are planned from, as the user: the Deployment of a `workloadRef`, and the ReplicaSets that the
 * rollout's selector matches. Secrets and all: nothing of it may be stored.
 */
export async function readLiveObjects({
  rollout,
  withRevisions,
  ...reader
}: Reader & { rollout: RolloutObject; withRevisions: boolean }): Promise<
  { kind: "found"; live: LiveObjects } | FetchFailure
> {
  const workload = await readWorkload({ ...reader, rollout });
  if (workload !== undefined && workload.kind !== "found" && workload.kind !== "missing") return workload;
  const found = workload?.kind === "found" ? workload.workload : undefined;
  if (!withRevisions) return { kind: "found", live: { replicaSets: [], workload: found } };
  const { namespace = "default" } = rollout.metadata;
  const listed = await fetchList({
    ...reader,
    path: objectPath({ resource: "replicasets", namespace }),
    kind: "ReplicaSet",
    labelSelector: formatSelector(rollout.spec.selector ?? found?.spec.selector),
  });
  if (listed.kind !== "found") return listed;
  const replicaSets: ReplicaSetObject[] = [];
  for (const item of listed.items) {
    const parsed = parseReplicaSet(item);
    if (parsed.ok) replicaSets.push(parsed.value);
  }
  return { kind: "found", live: { replicaSets, workload: found } };
}

async function readWorkload({
  rollout,
  ...reader
}: Reader & { rollout: RolloutObject }): Promise<
  { kind: "found"; workload: WorkloadObject } | FetchFailure | undefined
> {
  const { workloadRef } = rollout.spec;
  if (workloadRef?.kind !== "Deployment" || workloadRef.name === undefined) return undefined;
  return readDeployment({ ...reader, namespace: rollout.metadata.namespace ?? "default", name: workloadRef.name });
}

export async function readDeployment({
  namespace,
  name,
  ...reader
}: Reader & { namespace: string; name: string }): Promise<{ kind: "found"; workload: WorkloadObject } | FetchFailure> {
  const fetched = await fetchObject({ ...reader, path: objectPath({ resource: "deployments", namespace, name }) });
  if (fetched.kind !== "found") return fetched;
  const parsed = parseWorkload(fetched.object);
  return parsed.ok ? { kind: "found", workload: parsed.value } : { kind: "unusable", message: parsed.reason };
}

/** One run or Experiment; `missing` too where another one has taken its name. */
export async function readSubject({
  namespace,
  subject: { kind, name, uid },
  ...reader
}: Reader & { namespace: string; subject: ActionSubject }): Promise<
  { kind: "found"; object: SubjectObject } | FetchFailure
> {
  const resource = kind === "AnalysisRun" ? "analysisruns" : "experiments";
  const fetched = await fetchObject({ ...reader, path: objectPath({ resource, namespace, name }) });
  if (fetched.kind !== "found") return fetched;
  const parsed = kind === "AnalysisRun" ? parseAnalysisRun(fetched.object) : parseExperiment(fetched.object);
  if (!parsed.ok) return { kind: "unusable", message: parsed.reason };
  return parsed.value.metadata.uid === uid ? { kind: "found", object: parsed.value } : { kind: "missing" };
}

const Selector = z.looseObject({
  matchLabels: z.record(z.string(), z.string()).nullish(),
  matchExpressions: z
    .array(z.looseObject({ key: z.string(), operator: z.string(), values: z.array(z.string()).nullish() }))
    .nullish(),
});

/** A label selector in the words of a query; empty for none, which matches everything, as upstream's does. */
export function formatSelector(selector: unknown): string {
  const parsed = Selector.safeParse(selector);
  if (!parsed.success) return "";
  const labels = Object.entries(parsed.data.matchLabels ?? {}).map(([key, value]) => `${key}=${value}`);
  const expressions = (parsed.data.matchExpressions ?? []).map(({ key, operator, values }) => {
    if (operator === "Exists") return key;
    if (operator === "DoesNotExist") return `!${key}`;
    return `${key} ${operator === "NotIn" ? "notin" : "in"} (${(values ?? []).join(",")})`;
  });
  return [...labels, ...expressions].join(",");
}
