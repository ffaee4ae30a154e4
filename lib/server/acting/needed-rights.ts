import { replicaSets } from "#lib/domain/kube/api-resource.ts";
import { matchesAny } from "#lib/domain/policy/match-glob.ts";
import { patchedResources } from "#lib/domain/providers.ts";
import type { ClusterConfig, Config } from "#lib/server/config/config-schema.ts";
import { sourcesOf } from "#lib/server/sources/watched-resources.ts";

/** Rights that Gatehouse's own account needs at a cluster, as a single RBAC rule grants them. */
export type NeededRight = {
  group: string;
  resource: string;
  subresource?: string;
  verbs: readonly string[];
  /** Absent for all namespaces, or for a right without one. */
  namespace?: string;
  names?: readonly string[];
};

/** Read back when an action's outcome is unknown, in addition to being watched. */
const alsoRead = new Set([replicaSets.name, ...patchedResources.map(({ resource }) => resource.name)]);

/** Lists the rights for recording: each source, and the object that identifies the cluster. */
export function listReadingRights(cluster: Pick<ClusterConfig, "name" | "namespaces">): NeededRight[] {
  const sources = sourcesOf(cluster).map(({ groupVersion, resource, namespace }): NeededRight => {
    const group = groupVersion.startsWith("apis/") ? (groupVersion.split("/")[1] ?? "") : "";
    const verbs = alsoRead.has(resource) ? ["get", "list", "watch"] : ["list", "watch"];
    return { group, resource, verbs, ...(namespace === "" ? {} : { namespace }) };
  });
  return [...sources, { group: "", resource: "namespaces", verbs: ["get"], names: ["kube-system"] }];
}

/** Lists the additional rights for acting if the service account itself acts. */
export function listActingRights({ namespaces }: Pick<ClusterConfig, "namespaces">): NeededRight[] {
  const scopes = namespaces === undefined ? [{}] : namespaces.map((namespace) => ({ namespace }));
  return scopes.flatMap((scope) =>
    patchedResources.map(({ resource: { group, name: resource }, subresource }) => ({
      group,
      resource,
      verbs: ["patch"],
      ...(subresource === undefined ? {} : { subresource }),
      ...scope,
    })),
  );
}

/**
 * Lists whom the config's bindings let act at the cluster, by the names used there. Empty if the cluster's mapping
 * takes another claim than the bindings use.
 */
export function listImpersonated({
  cluster: { impersonation },
  auth: { roles, oidc },
}: {
  cluster: Pick<ClusterConfig, "impersonation">;
  auth: Pick<Config["auth"], "roles" | "oidc">;
}): { users: string[]; groups: string[] } {
  const acting = roles.filter(({ role }) => role !== "viewer");
  const users = [
    ...(impersonation.usernameClaim === oidc?.usernameClaim
      ? acting.flatMap((binding) => [...binding.users, ...binding.robots])
      : []),
    ...(impersonation.usernameClaim === "sub" ? acting.flatMap((binding) => binding.subjects) : []),
  ];
  const groups = impersonation.groupsClaim === oidc?.groupsClaim ? acting.flatMap((binding) => binding.groups) : [];
  return {
    users: [...new Set(users)].map((user) => impersonation.usernamePrefix + user),
    groups: [...new Set(groups)]
      .filter((group) => matchesAny(impersonation.groups, group))
      .map((group) => impersonation.groupsPrefix + group),
  };
}

/** Formats the right as one item of a role's `rules`. */
export function formatRule({ group, resource, subresource, verbs, names }: NeededRight): string {
  const full = subresource === undefined ? resource : `${resource}/${subresource}`;
  const limited = names === undefined ? "" : `, resourceNames: [${names.map(quote).join(", ")}]`;
  return `{apiGroups: [${quote(group)}], resources: [${full}]${limited}, verbs: [${verbs.join(", ")}]}`;
}

export function formatRight({ resource, subresource, verbs, namespace, names }: NeededRight): string {
  const full = subresource === undefined ? resource : `${resource}/${subresource}`;
  const which = names === undefined ? "" : ` ${names.map(quote).join(", ")}`;
  const where = resource === "users" || resource === "groups" || names !== undefined ? "" : describeScope(namespace);
  return `${verbs.join(", ")} ${full}${which}${where}`;
}

function describeScope(namespace: string | undefined): string {
  return namespace === undefined ? " in all namespaces" : ` in namespace ${namespace}`;
}

function quote(text: string): string {
  return /^[a-z][a-z0-9./-]*$/.test(text) ? text : JSON.stringify(text);
}
