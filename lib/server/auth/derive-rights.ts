import type { Role } from "#lib/contract/common.ts";
import { everywhere, type Grant, type Rights } from "#lib/domain/policy/rights.ts";
import { type DemoAccounts, demoIssuer, demoRoleOfUser } from "#lib/server/auth/demo-accounts.ts";
import type { Config, RoleBinding } from "#lib/server/config/config-schema.ts";

/** Owner of a token that belongs to no person: a robot, known to role bindings by its user name. */
export const robotIssuer = "gatehouse:robot";

export type Identity = { issuer: string; subject: string; username: string; groups: readonly string[] };

/** Who acts: a person, or a token of that person with the role that it was given. */
export type Subject = { identity: Identity; token?: { id: string; role: Role } };

/**
 * The rights that the config gives now; undefined where it gives none. Bindings name people of the configured identity
 * provider and robots: a name that another issuer gave counts for nothing. Demo accounts have the role of their
 * account, and no binding counts for them. A token named in bindings has what these give it, as far as its owner has it.
 */
export function deriveRights({
  subject: { identity, token },
  auth,
  demoAccounts,
}: {
  subject: Subject;
  auth: Config["auth"];
  demoAccounts: DemoAccounts | undefined;
}): Rights | undefined {
  const grants = grantsOf({ identity, auth, demoAccounts });
  if (grants.length === 0) return undefined;
  const cap = token?.role ?? "admin";
  const ofToken = auth.roles.filter(({ tokens }) => token !== undefined && tokens.includes(token.id)).map(toGrant);
  return ofToken.length === 0 ? { grants, cap } : { grants, cap, tokenGrants: ofToken };
}

function grantsOf({
  identity,
  auth,
  demoAccounts,
}: {
  identity: Identity;
  auth: Config["auth"];
  demoAccounts: DemoAccounts | undefined;
}): Grant[] {
  if (identity.issuer === demoIssuer) {
    const role = demoAccounts === undefined ? undefined : demoRoleOfUser(demoAccounts, identity.subject);
    return role === undefined ? [] : [{ role, scope: everywhere, actions: ["*"], breakGlass: role === "admin" }];
  }
  if (identity.issuer !== auth.oidc?.issuer && identity.issuer !== robotIssuer) return [];
  return auth.roles
    .filter(
      (binding) =>
        binding.users.includes(identity.username) || binding.groups.some((group) => identity.groups.includes(group)),
    )
    .map(toGrant);
}

function toGrant({ role, clusters, namespaces, rollouts, actions, breakGlass }: RoleBinding): Grant {
  return { role, scope: { clusters, namespaces, rollouts }, actions, breakGlass };
}
