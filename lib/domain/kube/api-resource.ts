/** A resource of a cluster's API: `apps`, `v1`, `deployments`. The core group is the empty string. */
export type ApiResource = { group: string; version: string; name: string };

export const deployments: ApiResource = { group: "apps", version: "v1", name: "deployments" };
export const replicaSets: ApiResource = { group: "apps", version: "v1", name: "replicasets" };

/** Formats the API path of a group and version, without a leading slash: `apis/apps/v1`, `api/v1`. */
export function formatGroupVersion({ group, version }: ApiResource): string {
  return group === "" ? `api/${version}` : `apis/${group}/${version}`;
}

/** Formats the API path of all objects of a resource, in one namespace or, without one, in all. */
export function formatResourcePath(resource: ApiResource, namespace?: string): string {
  const scope = namespace === undefined ? "" : `/namespaces/${encodeURIComponent(namespace)}`;
  return `/${formatGroupVersion(resource)}${scope}/${resource.name}`;
}
