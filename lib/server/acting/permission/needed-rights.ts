import { personExtra, sharedUser } from "#lib/domain/acting/own-identity.ts";
import { replicaSets } from "#lib/domain/kube/api-resource.ts";
import { matchesAny } from "#lib/domain/policy/match-glob.ts";
import { patchedResources } from "#lib/domain/providers.ts";
import { sourcesOf } from "#lib/server/clusters/sources/watched-resources.ts";
import type { ClusterConfig } from "#lib/server/platform/config/cluster-schema.ts";
import type { Config } from "#lib/server/platform/config/config-schema.ts";

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

/** Lists the rights to leave Events on rollouts, if the config asks for them. */
export function listEventRights({ events, namespaces }: Pick<ClusterConfig, "events" | "namespaces">): NeededRight[] {
  const right = { group: "", resource: "events", verbs: ["create"] };
  if (!events) return [];
  return namespaces === undefined ? [right] : namespaces.map((namespace) => ({ ...right, namespace }));
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
 * Lists the groups that are sent to the cluster, by the names used there: those that the cluster's config names, and
 * those of the bindings that let people act. Patterns are listed apart, since a rule cannot have them.
 */
export function listSentGroups({
  cluster: { impersonation },
  auth: { roles, oidc },
}: {
  cluster: Pick<ClusterConfig, "impersonation">;
  auth: Pick<Config["auth"], "roles" | "oidc">;
}): { groups: string[]; patterns: string[] } {
  const { groups: sent, groupsClaim, groupsPrefix } = impersonation;
  const patterns = sent.filter((each) => /[*?]/.test(each));
  const bound = roles.filter(({ role }) => role !== "viewer").flatMap(({ groups }) => groups);
  const ofBindings = groupsClaim === oidc?.groupsClaim ? bound.filter((group) => matchesAny(patterns, group)) : [];
  const groups = [...sent.filter((each) => !patterns.includes(each)), ...ofBindings];
  return { groups: [...new Set(groups)].map((group) => groupsPrefix + group), patterns };
}

/** Lists the rights for sending requests for people, apart from those for groups. */
export function listSendingRights({
  impersonation: { users, usernamePrefix, allowAnyUser },
}: Pick<ClusterConfig, "impersonation">): NeededRight[] {
  const right = { group: "", resource: "users", verbs: ["impersonate"] };
  if (allowAnyUser) return [right];
  if (users !== undefined) return users.map((name) => ({ ...right, names: [usernamePrefix + name] }));
  return [
    { ...right, names: [sharedUser] },
    { group: "authentication.k8s.io", resource: "userextras", subresource: personExtra, verbs: ["impersonate"] },
  ];
}

/**
 * Rights that no installation needs: each makes the account a cluster admin. `users` may be allowed by a rule without
 * names, `groups` too, and both by a rule for everything.
 */
export const unlimitedRights: readonly NeededRight[] = [
  { group: "", resource: "users", verbs: ["impersonate"], names: ["system:kube-controller-manager"] },
  { group: "", resource: "groups", verbs: ["impersonate"], names: ["system:masters"] },
  {
    ...{ group: "", resource: "serviceaccounts", verbs: ["impersonate"] },
    ...{ namespace: "kube-system", names: ["clusterrole-aggregation-controller"] },
  },
];

/** Formats the right as one item of a role's `rules`. */
export function formatRule({ group, resource, subresource, verbs, names }: NeededRight): string {
  const full = subresource === undefined ? resource : `${resource}/${subresource}`;
  const limited = names === undefined ? "" : `, resourceNames: [${names.map(quote).join(", ")}]`;
  return `{apiGroups: [${quote(group)}], resources: [${full}]${limited}, verbs: [${verbs.join(", ")}]}`;
}

export function formatRight({ resource, subresource, verbs, namespace, names }: NeededRight): string {
  const full = subresource === undefined ? resource : `${resource}/${subresource}`;
  const which = names === undefined ? "" : ` ${names.map(quote).join(", ")}`;
  const where = verbs.includes("impersonate") || names !== undefined ? "" : describeScope(namespace);
  return `${verbs.join(", ")} ${full}${which}${where}`;
}

function describeScope(namespace: string | undefined): string {
  return namespace === undefined ? " in all namespaces" : ` in namespace ${namespace}`;
}

function quote(text: string): string {
  return /^[a-z][a-z0-9./-]*$/.test(text) ? text : JSON.stringify(text);
}
