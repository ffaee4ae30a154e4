/** A resource of a cluster's API: `apps`, `v1`, `deployments`. All that are named here have a namespace. */
export type ApiResource = { group: string; version: string; name: string };

export const deployments: ApiResource = { group: "apps", version: "v1", name: "deployments" };
export const replicaSets: ApiResource = { group: "apps", version: "v1", name: "replicasets" };
