import type { NamedWorkload, RelatedState } from "#lib/domain/delivery/related-state.ts";
import type { MetricPoint } from "#lib/domain/delivery/sampling.ts";
import type { CanaryObject } from "#lib/domain/flagger/objects/canary-object.ts";
import { primaryNameOf, recogniseHooksOf, targetNameOf } from "#lib/domain/flagger/objects/canary-spec.ts";
import type { AssessInput } from "#lib/domain/flagger/view/canary-facts.ts";
import { deployments } from "#lib/domain/kube/api-resource.ts";
import type { ClusterReader, ReadFailure } from "#lib/domain/kube/cluster-reader.ts";
import { parseDaemonSet, parseDeployment } from "#lib/domain/kube/workload-object.ts";
import { findStepGateWait } from "../events/step-gate-wait.ts";
import { readMemory } from "../history/canary-projection.ts";
import { type RunMemory, rememberRun, toHistory } from "../history/run-memory.ts";
import { daemonSets } from "../resources.ts";

/** Collects the input for an assessment of a Canary. */
export function toAssessInput(canary: CanaryObject, related: RelatedState): AssessInput {
  const { now } = related;
  const at = now ?? "";
  const memory = rememberRun(canary, readMemory(related.memory), at);
  const stepGateWait = findStepGateWait(canary, related.messages);
  const routeWeight = weightOfNow(memory, related.routeWeight);
  const sampledWeight = weightOfNow(memory, related.sampledWeight);
  const find = (name: string) => related.workloads.find((workload) => workload.name === name);
  return {
    canary,
    version: related.controllerVersion,
    primary: find(primaryNameOf(canary)),
    target: find(targetNameOf(canary)),
    meshProvider: related.defaultRouter,
    previous: {
      ...toHistory(canary, memory, now),
      ...(stepGateWait === undefined ? {} : { stepGateWait }),
      ...(routeWeight === undefined ? {} : { routeWeight }),
      ...(sampledWeight === undefined ? {} : { sampledWeight }),
    },
    isOurHook: recogniseHooksOf(related.cluster),
    now,
  };
}

/** Metrics are scraped by another clock than ours, and Flagger writes the route before its status. */
const marginMs = 5000;

/** Returns a weight that was read after Flagger's last step: an older one is of another place. */
function weightOfNow({ placedSince }: RunMemory, read: MetricPoint | undefined): number | undefined {
  if (read === undefined || placedSince === undefined) return undefined;
  return Date.parse(read.at) >= Date.parse(placedSince) + marginMs ? read.value : undefined;
}

/** A workload as the cluster has it now. Its object contains secrets: it may not be stored. */
export type LiveWorkload = NamedWorkload & { object: unknown; uid: string; resourceVersion: string };

/** Reads the target and the primary of a Canary with the person's rights. A missing workload is left out. */
export async function readLiveWorkloads(
  canary: CanaryObject,
  reader: ClusterReader,
): Promise<{ kind: "found"; workloads: LiveWorkload[] } | ReadFailure> {
  const { kind } = canary.spec.targetRef;
  if (kind !== "Deployment" && kind !== "DaemonSet") return { kind: "found", workloads: [] };
  const { namespace = "default" } = canary.metadata;
  const resource = kind === "Deployment" ? deployments : daemonSets;
  const workloads: LiveWorkload[] = [];
  for (const name of [targetNameOf(canary), primaryNameOf(canary)]) {
    const fetched = await reader.get({ resource, namespace, name });
    if (fetched.kind === "missing") continue;
    if (fetched.kind !== "found") return fetched;
    const parsed = kind === "Deployment" ? parseDeployment(fetched.object) : parseDaemonSet(fetched.object);
    if (!parsed.ok) return { kind: "unusable", message: parsed.reason };
    workloads.push({ ...parsed.value, object: fetched.object });
  }
  return { kind: "found", workloads };
}
