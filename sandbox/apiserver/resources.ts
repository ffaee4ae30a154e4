/** One kind of object that the sandbox serves. Plurals are unique across all groups here. */
export type Resource = {
  group: string;
  version: string;
  plural: string;
  singular: string;
  kind: string;
  shortNames: readonly string[];
  namespaced: boolean;
  /** Has a /status subresource: status is written only there. */
  hasStatus: boolean;
  hasScale: boolean;
  /** Has metadata.generation. */
  hasGeneration: boolean;
  /** The fields that a fieldSelector may name in addition to metadata.name and metadata.namespace. */
  selectableFields: readonly string[];
  /** Defined by a CRD: lists and patch types differ slightly from the built-in kinds. */
  custom: boolean;
};

type Row = Pick<Resource, "plural" | "kind"> & Partial<Resource>;

function group(name: string, version: string, custom: boolean, rows: Row[]): Resource[] {
  return rows.map((row) => ({
    group: name,
    version,
    singular: row.kind.toLowerCase(),
    shortNames: [],
    selectableFields: [],
    namespaced: true,
    hasStatus: false,
    hasScale: false,
    hasGeneration: custom,
    custom,
    ...row,
  }));
}

const INVOLVED = ["apiVersion", "fieldPath", "kind", "name", "namespace", "resourceVersion", "uid"];
const EVENT_FIELDS = [
  ...INVOLVED.map((field) => `involvedObject.${field}`),
  "reason",
  "reportingComponent",
  "source",
  "type",
];
const POD_FIELDS = [
  "spec.hostNetwork",
  "spec.nodeName",
  "spec.restartPolicy",
  "spec.schedulerName",
  "spec.serviceAccountName",
  "status.nominatedNodeName",
  "status.phase",
  "status.podIP",
];

export const RESOURCES: readonly Resource[] = [
  ...group("", "v1", false, [
    { plural: "configmaps", kind: "ConfigMap", shortNames: ["cm"] },
    { plural: "events", kind: "Event", shortNames: ["ev"], selectableFields: EVENT_FIELDS },
    {
      plural: "namespaces",
      kind: "Namespace",
      shortNames: ["ns"],
      selectableFields: ["status.phase"],
      namespaced: false,
      hasStatus: true,
    },
    {
      plural: "pods",
      kind: "Pod",
      shortNames: ["po"],
      selectableFields: POD_FIELDS,
      hasStatus: true,
      hasGeneration: true,
    },
    { plural: "secrets", kind: "Secret", selectableFields: ["type"] },
    { plural: "services", kind: "Service", shortNames: ["svc"], hasStatus: true },
  ]),
  ...group("apps", "v1", false, [
    { plural: "daemonsets", kind: "DaemonSet", shortNames: ["ds"], hasStatus: true, hasGeneration: true },
    {
      plural: "deployments",
      kind: "Deployment",
      shortNames: ["deploy"],
      hasStatus: true,
      hasScale: true,
      hasGeneration: true,
    },
    {
      plural: "replicasets",
      kind: "ReplicaSet",
      shortNames: ["rs"],
      selectableFields: ["status.replicas"],
      hasStatus: true,
      hasScale: true,
      hasGeneration: true,
    },
  ]),
  ...group("batch", "v1", false, [{ plural: "jobs", kind: "Job", hasStatus: true, hasGeneration: true }]),
  ...group("argoproj.io", "v1alpha1", true, [
    { plural: "analysisruns", kind: "AnalysisRun", shortNames: ["ar"] },
    { plural: "analysistemplates", kind: "AnalysisTemplate", shortNames: ["at"] },
    { plural: "clusteranalysistemplates", kind: "ClusterAnalysisTemplate", shortNames: ["cat"], namespaced: false },
    { plural: "experiments", kind: "Experiment", shortNames: ["exp"] },
    { plural: "rollouts", kind: "Rollout", shortNames: ["ro"], hasStatus: true, hasScale: true },
  ]),
  ...group("networking.k8s.io", "v1", false, [
    { plural: "ingresses", kind: "Ingress", shortNames: ["ing"], hasStatus: true, hasGeneration: true },
  ]),
  ...group("flagger.app", "v1beta1", true, [
    { plural: "alertproviders", kind: "AlertProvider", hasStatus: true },
    { plural: "canaries", kind: "Canary", hasStatus: true },
    { plural: "metrictemplates", kind: "MetricTemplate", hasStatus: true },
  ]),
];

const byPlural = new Map(RESOURCES.map((resource) => [resource.plural, resource]));

/** Returns the resource with that plural name, or undefined. */
export function findResource(plural: string): Resource | undefined {
  return byPlural.get(plural);
}

/** Returns the resource with that plural name; throws for an unknown one, which is the caller's mistake. */
export function resourceOf(plural: string): Resource {
  const resource = byPlural.get(plural);
  if (resource === undefined) throw new Error(`sandbox: no resource is named "${plural}"`);
  return resource;
}

export function findResourceByKind(apiVersion: string, kind: string): Resource | undefined {
  return RESOURCES.find((resource) => resource.kind === kind && apiVersionOf(resource) === apiVersion);
}

export function apiVersionOf(resource: Resource): string {
  return resource.group === "" ? resource.version : `${resource.group}/${resource.version}`;
}
