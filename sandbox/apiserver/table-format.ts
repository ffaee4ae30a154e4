import { apiVersionOf, type Resource } from "./resources.ts";
import type { KubeObject } from "./store-types.ts";

type Column = { name: string; type: string; format: string; description: string; priority: number };
type Cell = string | number | null;

const text = (name: string, description: string): Column => ({
  name,
  type: "string",
  format: "",
  description,
  priority: 0,
});
const whole = (name: string, description: string): Column => ({ ...text(name, description), type: "integer" });

const NAME: Column = { ...text("Name", "The name of the object."), format: "name" };
const AGE: Column = { ...text("Age", "Time since the object was created."), type: "date" };

type Extra = { column: Column; cell: (object: KubeObject) => Cell };

const numberOf = (value: unknown): Cell => (typeof value === "number" ? value : null);
const textOf = (value: unknown): Cell => (typeof value === "string" ? value : null);
const phase: Extra = { column: text("Status", "The phase."), cell: (object) => textOf(object.status?.phase) };

const EXTRAS: Record<string, Extra[]> = {
  rollouts: [
    { column: whole("Desired", "Pods wanted."), cell: (object) => numberOf(object.spec?.replicas) },
    { column: whole("Current", "Pods there are."), cell: (object) => numberOf(object.status?.replicas) },
    {
      column: whole("Up-to-date", "Pods of the wanted template."),
      cell: (object) => numberOf(object.status?.updatedReplicas),
    },
    {
      column: whole("Available", "Pods ready for long enough."),
      cell: (object) => numberOf(object.status?.availableReplicas),
    },
  ],
  analysisruns: [phase],
  experiments: [phase],
  namespaces: [phase],
  pods: [phase],
  canaries: [phase],
  deployments: [
    {
      column: text("Ready", "Ready pods of those wanted."),
      cell: ({ spec, status }) => `${numberOf(status?.readyReplicas) ?? 0}/${numberOf(spec?.replicas) ?? 1}`,
    },
    {
      column: whole("Up-to-date", "Pods of the wanted template."),
      cell: (object) => numberOf(object.status?.updatedReplicas) ?? 0,
    },
    {
      column: whole("Available", "Pods ready for long enough."),
      cell: (object) => numberOf(object.status?.availableReplicas) ?? 0,
    },
  ],
  replicasets: [
    { column: whole("Desired", "Pods wanted."), cell: (object) => numberOf(object.spec?.replicas) },
    { column: whole("Current", "Pods there are."), cell: (object) => numberOf(object.status?.replicas) ?? 0 },
    { column: whole("Ready", "Pods that are ready."), cell: (object) => numberOf(object.status?.readyReplicas) ?? 0 },
  ],
  services: [
    { column: text("Type", "How it is reached."), cell: (object) => textOf(object.spec?.type) ?? "ClusterIP" },
    { column: text("Cluster-IP", "Its address."), cell: (object) => textOf(object.spec?.clusterIP) ?? "<none>" },
  ],
  configmaps: [{ column: whole("Data", "Number of keys."), cell: (object) => Object.keys(object.data ?? {}).length }],
  events: [
    { column: text("Type", "Normal or Warning."), cell: (object) => textOf(object.type) },
    { column: text("Reason", "Why it was raised."), cell: (object) => textOf(object.reason) },
    { column: text("Message", "What happened."), cell: (object) => textOf(object.message) },
  ],
};

/** Makes a `Table` of objects, the form that kubectl prints. `now` determines the ages. */
export function tableOf(parts: {
  resource: Resource;
  objects: readonly KubeObject[];
  metadata: Record<string, unknown>;
  includeObject: string | null;
  now: Date;
}): Record<string, unknown> {
  const extras = EXTRAS[parts.resource.plural] ?? [];
  return {
    kind: "Table",
    apiVersion: "meta.k8s.io/v1",
    metadata: parts.metadata,
    columnDefinitions: [NAME, ...extras.map((extra) => extra.column), AGE],
    rows: parts.objects.map((object) => ({
      cells: [object.metadata.name, ...extras.map((extra) => extra.cell(object)), ageOf(object, parts.now)],
      ...rowObject(object, parts.includeObject),
    })),
  };
}

function rowObject(object: KubeObject, includeObject: string | null): { object?: unknown } {
  if (includeObject === "None") return { object: null };
  return { object: includeObject === "Object" ? object : partialOf(object) };
}

/** Returns only the object's metadata. */
export function partialOf(object: KubeObject): Record<string, unknown> {
  return { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1", metadata: object.metadata };
}

/** Returns the wire name of a list kind. */
export function listKindOf(resource: Resource): { apiVersion: string; kind: string } {
  return { apiVersion: apiVersionOf(resource), kind: `${resource.kind}List` };
}

function ageOf(object: KubeObject, now: Date): string {
  const seconds = Math.max(0, Math.floor((now.getTime() - Date.parse(object.metadata.creationTimestamp)) / 1000));
  if (!Number.isFinite(seconds)) return "<unknown>";
  if (seconds < 120) return `${seconds}s`;
  if (seconds < 7200) return `${Math.floor(seconds / 60)}m`;
  if (seconds < 48 * 3600) return `${Math.floor(seconds / 3600)}h`;
  return `${Math.floor(seconds / 86_400)}d`;
}
