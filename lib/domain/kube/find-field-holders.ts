import type { ObjectMeta } from "#lib/domain/kube/kube-object.ts";
import { isRecord } from "#lib/util/json.ts";

/**
 * A field manager that holds a field. `at`: its newest write of any field, by the cluster's clock, in whole seconds.
 */
export type FieldHolder = { manager: string; at: string | null };

/**
 * Returns the managers that hold a field of an object, by its `managedFields`. A field belongs to the manager that set
 * its current value, or to two if both applied the same value. Empty if unknown. An empty path asks for all managers.
 */
export function findFieldHolders(managedFields: unknown, path: readonly string[]): FieldHolder[] {
  if (!Array.isArray(managedFields)) return [];
  return managedFields.flatMap((entry: unknown) => {
    if (!isRecord(entry) || typeof entry.manager !== "string" || entry.manager === "") return [];
    if (!hasPath(entry.fieldsV1, path)) return [];
    const isTime = typeof entry.time === "string" && !Number.isNaN(Date.parse(entry.time));
    return [{ manager: entry.manager, at: isTime ? (entry.time as string) : null }];
  });
}

function hasPath(fields: unknown, path: readonly string[]): boolean {
  let tree = fields;
  for (const name of path) {
    if (!isRecord(tree)) return false;
    tree = tree[`f:${name}`];
  }
  return path.length === 0 || tree !== undefined;
}

/**
 * Returns the name of the GitOps tool that syncs the object from a repository; undefined if the object carries no such
 * mark. Argo CD marks tracked objects by annotation or label, Flux by the labels of its Kustomization or HelmRelease.
 * The label `app.kubernetes.io/instance` proves nothing by itself: Helm and people set it too.
 */
export function findGitOpsOwner({
  labels,
  annotations,
}: Pick<ObjectMeta, "labels" | "annotations">): string | undefined {
  const tracking = annotations["argocd.argoproj.io/tracking-id"]?.split(":")[0];
  const application = tracking || labels["argocd.argoproj.io/instance"];
  if (application) return `Argo CD (application ${application})`;
  const kustomization = labels["kustomize.toolkit.fluxcd.io/name"];
  if (kustomization) return `Flux (Kustomization ${kustomization})`;
  const release = labels["helm.toolkit.fluxcd.io/name"];
  return release ? `Flux (HelmRelease ${release})` : undefined;
}

/**
 * Field managers of tools that write what Git says: of Argo CD with and without server-side apply, and of Flux. If
 * they are configured to use other names, those are not known.
 */
const gitOpsManagers: readonly string[] = [
  "argocd-controller",
  "argocd-application-controller",
  "kustomize-controller",
  "helm-controller",
];

/** Returns whether a write came from Git by such a tool. */
export function isGitOpsManager(manager: string | null): boolean {
  return manager !== null && gitOpsManagers.includes(manager);
}
