import type { ObjectMeta } from "#lib/domain/kube/kube-object.ts";

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
