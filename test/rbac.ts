import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseAllDocuments } from "yaml";
import type { AccessRequest, Authorize } from "#sandbox/apiserver/auth.ts";

type Rule = { apiGroups: string[]; resources: string[]; verbs: string[]; resourceNames?: string[] };
type Subject = { kind: string; name: string; namespace?: string };
export type RbacObject = {
  kind: string;
  metadata: { name: string; namespace?: string };
  rules?: Rule[];
  roleRef?: { kind: string; name: string };
  subjects?: Subject[];
};

export function readManifest(name: string): RbacObject[] {
  const text = readFileSync(join(import.meta.dirname, "../deploy", name), "utf8");
  return parseAllDocuments(text).map((document) => document.toJS() as RbacObject);
}

/** Returns the manifest with these users in the rule for impersonation, in place of the one that all people share. */
export function withUsers(objects: readonly RbacObject[], users: readonly string[]): RbacObject[] {
  return objects.map(({ rules, ...object }) => ({
    ...object,
    rules: (rules ?? []).map((rule) =>
      rule.resources.includes("users") ? { ...rule, resourceNames: [...users] } : rule,
    ),
  }));
}

/** Binds a group or a user to a ClusterRole of the manifests, in one namespace. */
export function bindRole(role: string, subject: Subject, namespace: string): RbacObject {
  const name = `${role}-${subject.name}`;
  return {
    kind: "RoleBinding",
    metadata: { name, namespace },
    roleRef: { kind: "ClusterRole", name: role },
    subjects: [subject],
  };
}

/**
 * Decides as Kubernetes' RBAC does, by ClusterRoles and their bindings; everybody may ask about themselves. The list is
 * read at each request, so that a test can grant and revoke rights.
 */
export function authorizeByRbac(objects: readonly RbacObject[]): Authorize {
  return (request) => {
    if (request.path !== undefined) return { allowed: request.verb === "get" };
    if (request.verb === "create" && /^selfsubject(access)?reviews$/.test(request.resource)) return { allowed: true };
    const binding = objects.find((candidate) => {
      if (candidate.kind !== "ClusterRoleBinding" && candidate.kind !== "RoleBinding") return false;
      if (candidate.kind === "RoleBinding" && candidate.metadata.namespace !== request.namespace) return false;
      if (!(candidate.subjects ?? []).some((subject) => isSubject(subject, request))) return false;
      const role = objects.find(
        ({ kind, metadata }) => kind === "ClusterRole" && metadata.name === candidate.roleRef?.name,
      );
      return (role?.rules ?? []).some((rule) => isCovered(rule, request));
    });
    if (binding === undefined) return { allowed: false };
    return { allowed: true, reason: `RBAC: allowed by ${binding.kind} "${binding.metadata.name}"` };
  };
}

function isSubject({ kind, name, namespace }: Subject, { user, groups }: AccessRequest): boolean {
  if (kind === "Group") return groups.includes(name);
  return user === (kind === "ServiceAccount" ? `system:serviceaccount:${namespace}:${name}` : name);
}

function isCovered(rule: Rule, request: AccessRequest): boolean {
  const resource = request.subresource === undefined ? request.resource : `${request.resource}/${request.subresource}`;
  return (
    rule.apiGroups.includes(request.group) &&
    rule.resources.includes(resource) &&
    rule.verbs.includes(request.verb) &&
    (rule.resourceNames === undefined || rule.resourceNames.includes(request.name ?? ""))
  );
}
