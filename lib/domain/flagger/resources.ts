import { type ApiResource, deployments } from "#lib/domain/kube/api-resource.ts";
import type { WatchedKind } from "#lib/domain/kube/watched-kind.ts";

export const canaries: ApiResource = { group: "flagger.app", version: "v1beta1", name: "canaries" };
export const daemonSets: ApiResource = { group: "apps", version: "v1", name: "daemonsets" };

const metricTemplates: ApiResource = { group: "flagger.app", version: "v1beta1", name: "metrictemplates" };

/** Deployments are always watched. */
export const watchedKinds: readonly WatchedKind[] = [
  { kind: "Canary", resource: canaries, recordedAs: "rollout", vanished: "absent", holdsDisappearance: true },
  {
    kind: "MetricTemplate",
    resource: metricTemplates,
    recordedAs: "analysis-template",
    vanished: "absent",
    holdsDisappearance: true,
  },
  { kind: "DaemonSet", resource: daemonSets, recordedAs: "deployment" },
];

/** The resources that plans patch, by kind: the canary, and the workload whose pod template is its version. */
export const patchedResources: Readonly<Record<string, ApiResource>> = {
  Canary: canaries,
  Deployment: deployments,
  DaemonSet: daemonSets,
};

/** The controller's own name among field managers, under which all its writes are stored. */
export const controllerManager = "flagger";
