import type { Role } from "#lib/contract/common.ts";
import { type DemoAccounts, demoIssuer, demoRoleOfUser } from "#lib/server/auth/demo-accounts.ts";
import type { RoleBinding } from "#lib/server/config/config-schema.ts";

const rank = { viewer: 1, operator: 2, admin: 3 } as const satisfies Record<Role, number>;

export function hasRole(actual: Role, needed: Role): boolean {
  return rank[actual] >= rank[needed];
}

export function weakerRole(left: Role, right: Role): Role {
  return rank[left] <= rank[right] ? left : right;
}

export type Identity = { issuer: string; subject: string; username: string; groups: readonly string[] };

/**
 * The role that the config gives to a person now: the strongest binding that names the user name or a group. Demo
 * accounts have the role of their account, and no binding counts for them. Undefined: no rights at all.
 */
export function deriveRole({
  identity,
  bindings,
  demoAccounts,
}: {
  identity: Identity;
  bindings: readonly RoleBinding[];
  demoAccounts: DemoAccounts | undefined;
}): Role | undefined {
  if (identity.issuer === demoIssuer)
    return demoAccounts === undefined ? undefined : demoRoleOfUser(demoAccounts, identity.subject);
  const roles = bindings
    .filter(
      (binding) =>
        binding.users.includes(identity.username) || binding.groups.some((group) => identity.groups.includes(group)),
    )
    .map((binding) => binding.role);
  return roles.reduce<Role | undefined>(
    (best, role) => (best === undefined || rank[role] > rank[best] ? role : best),
    undefined,
  );
}
