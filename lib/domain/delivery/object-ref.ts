/** The place of an object: a rollout, or a run or Experiment that no rollout owns. */
export type ObjectRef = { cluster: string; namespace: string; kind: string; name: string };

/** Formats a place as the `id` of the contract, the change log and the audit log: `cluster/namespace/Kind/name`. */
export function formatObjectRef({ cluster, namespace, kind, name }: ObjectRef): string {
  return `${cluster}/${namespace}/${kind}/${name}`;
}

/** Parses such an id; undefined for text of another shape. */
export function parseObjectRef(id: string): ObjectRef | undefined {
  const [cluster, namespace, kind, name, ...rest] = id.split("/");
  if (!cluster || !namespace || !kind || !name || rest.length > 0) return undefined;
  return { cluster, namespace, kind, name };
}
