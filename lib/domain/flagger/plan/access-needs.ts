import type { AccessQuestion, PlannedAccess, PlanTarget } from "#lib/domain/acting/plan.ts";
import type { CanaryObject } from "#lib/domain/flagger/objects/canary-object.ts";
import { primaryNameOf, targetNameOf } from "#lib/domain/flagger/objects/canary-spec.ts";
import { canaries, patchedResources } from "#lib/domain/flagger/resources.ts";

type Place = Pick<PlanTarget, "resource" | "name"> & { namespace: string };

/**
 * Lists the permissions that a person needs in the cluster for an action: to read the canary and the workloads that it
 * is judged by, and to patch the changed object. Suspending works without the workloads.
 */
export function listAccess(
  { metadata, spec }: CanaryObject,
  { action, patches = [] }: PlannedAccess,
  target: Pick<PlanTarget, "resource" | "name"> | undefined,
): AccessQuestion[] {
  const { namespace = "default", name } = metadata;
  const canary = { group: canaries.group, resource: canaries.name, namespace, name };
  const { name: resource } = patchedResources[spec.targetRef.kind] ?? {};
  const workloads =
    resource === undefined || action === "suspend"
      ? []
      : [targetNameOf({ spec }), primaryNameOf({ spec })].map((workload) => ({ resource, namespace, name: workload }));
  const reads = [{ verb: "get", ...canary }, ...workloads.map((workload) => ask("get", workload))];
  if (patches.length === 0) return reads;
  if (action !== "retrigger") return [...reads, { verb: "patch", ...canary }];
  const [patched] = target === undefined ? workloads : [{ ...target, namespace }];
  return patched === undefined ? reads : [...reads, ask("patch", patched)];
}

/** Lists the rights to read and patch a workload by itself. */
export function listWorkloadAccess(workload: Place): AccessQuestion[] {
  return ["get", "patch"].map((verb) => ask(verb, workload));
}

function ask(verb: string, { resource, namespace, name }: Place): AccessQuestion {
  return { verb, group: "apps", resource, namespace, name };
}
