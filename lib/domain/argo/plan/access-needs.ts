import type { AccessQuestion, PlannedAccess } from "#lib/domain/acting/plan.ts";

/** The place of an action. */
export type AccessPlace = {
  namespace: string;
  /** Name of the rollout; undefined for a run that no rollout owns. */
  name: string | undefined;
  /** The run or Experiment that is patched instead of the rollout. */
  target?: { resource: string; name: string } | undefined;
  workloadRef?: { kind?: string | undefined; name?: string | undefined } | undefined;
};

const argo = "argoproj.io";

/**
 * Lists the rights that a person needs at the cluster for an action: reading the rollout, and each patch. Undo and
 * set-image are planned from live objects only when requested, so their rights are listed here.
 */
export function listAccessNeeds({ action, patches = [] }: PlannedAccess, place: AccessPlace): AccessQuestion[] {
  const { namespace, name, target } = place;
  const ofTarget = target === undefined ? [] : getAndPatch({ ...target, namespace });
  if (name === undefined) return ofTarget;
  const rollout = { group: argo, resource: "rollouts", namespace, name };
  const read = { verb: "get", ...rollout };
  if (action === "undo" || action === "set-image") return [read, ...listTemplateNeeds(action, { ...place, name })];
  if (target !== undefined) return [read, ...ofTarget];
  const subresources = [...new Set(patches.map(({ subresource }) => subresource))];
  return [
    read,
    ...subresources.map((subresource) => ({
      verb: "patch",
      ...rollout,
      ...(subresource === "" ? {} : { subresource }),
    })),
  ];
}

function listTemplateNeeds(
  action: "undo" | "set-image",
  { namespace, name, workloadRef }: AccessPlace & { name: string },
): AccessQuestion[] {
  const revisions: AccessQuestion[] =
    action === "undo" ? [{ verb: "list", group: "apps", resource: "replicasets", namespace }] : [];
  if (workloadRef === undefined)
    return [...revisions, { verb: "patch", group: argo, resource: "rollouts", namespace, name }];
  if (workloadRef.kind !== "Deployment" || workloadRef.name === undefined) return revisions;
  return [...revisions, ...getAndPatch({ resource: "deployments", name: workloadRef.name, namespace })];
}

function getAndPatch({
  resource,
  name,
  namespace,
}: {
  resource: string;
  name: string;
  namespace: string;
}): AccessQuestion[] {
  const group = resource === "deployments" ? "apps" : argo;
  return ["get", "patch"].map((verb) => ({ verb, group, resource, namespace, name }));
}
