import type { Role } from "#lib/contract/common.ts";
import { everywhere, type Grant, type Rights } from "#lib/domain/policy/rights.ts";
import type { RoleBinding } from "#lib/server/platform/config/policy-schema.ts";

/**
 * Issuer of the owner of a token that belongs to no person: a robot, known to role bindings by its name, in `robots`.
 */
export const robotIssuer = "gatehouse:robot";

export type Identity = { issuer: string; subject: string; username: string; groups: readonly string[] };

/** What the config says about rights: its bindings, and the provider whose people they name. */
export type AuthRules = { oidc?: { issuer: string } | undefined; roles: readonly RoleBinding[] };

/** The accounts with a fixed role, and their issuer. */
export type AccountRoles = { issuer: string; list: readonly { username: string; role: Role }[] };

/** Who acts: a person, or a token of that person with its own role. */
export type Subject = {
  identity: Identity;
  /** `restricted`: a binding has named it, or it was created that way; its rights then come only from bindings. */
  token?: { id: string; role: Role; restricted: boolean };
};

/**
 * Derives the rights that the current config grants; undefined if it grants none. Bindings name people of the
 * configured identity provider, and robots separately: names from other issuers do not count. Local accounts have the
 * role of their account, and bindings do not apply to them. A token named in bindings has the rights that these grant,
 * limited to its owner's rights. Once named, it gains no rights when the bindings are gone.
 */
export function deriveRights({
  subject: { identity, token },
  auth,
  localAccounts,
}: {
  subject: Subject;
  auth: AuthRules;
  localAccounts: AccountRoles | undefined;
}): Rights | undefined {
  const grants = grantsOf({ identity, auth, localAccounts });
  if (grants.length === 0) return undefined;
  const cap = token?.role ?? "admin";
  const ofToken = listTokenBindings(token?.id, auth).map(({ binding }) => toGrant(binding));
  if (ofToken.length > 0) return { grants, cap, tokenGrants: ofToken };
  return token?.restricted === true ? undefined : { grants, cap };
}

/** Returns whether a person has the name of a robot: at a cluster they would look the same. */
export function hasNameOfRobot({ issuer, username }: Pick<Identity, "issuer" | "username">, auth: AuthRules): boolean {
  return issuer !== robotIssuer && auth.roles.some(({ robots }) => robots.includes(username));
}

function grantsOf({
  identity,
  auth,
  localAccounts,
}: {
  identity: Identity;
  auth: AuthRules;
  localAccounts: AccountRoles | undefined;
}): Grant[] {
  if (identity.issuer === localAccounts?.issuer) {
    const role = localAccounts.list.find(({ username }) => username === identity.subject)?.role;
    return role === undefined ? [] : [{ role, scope: everywhere, actions: ["*"], breakGlass: role === "admin" }];
  }
  return listOwnBindings(identity, auth).map(({ binding }) => toGrant(binding));
}

/** A role binding of the config, with its index in `auth.roles`. */
export type PlacedBinding = { index: number; binding: RoleBinding };

/** Lists the bindings that name a person or a robot, by their own names and groups. */
export function listOwnBindings(identity: Identity, auth: AuthRules): PlacedBinding[] {
  const isRobot = identity.issuer === robotIssuer;
  if (!isRobot && identity.issuer !== auth.oidc?.issuer) return [];
  const { subject, username, groups } = identity;
  const names = (binding: RoleBinding) =>
    isRobot
      ? binding.robots.includes(username)
      : binding.users.includes(username) || binding.subjects.includes(subject);
  return placeBindings(auth).filter(
    ({ binding }) => names(binding) || binding.groups.some((group) => groups.includes(group)),
  );
}

/** Lists the bindings that name an API token by its id. */
export function listTokenBindings(id: string | undefined, auth: AuthRules): PlacedBinding[] {
  return id === undefined ? [] : placeBindings(auth).filter(({ binding }) => binding.tokens.includes(id));
}

function placeBindings({ roles }: AuthRules): PlacedBinding[] {
  return roles.map((binding, index) => ({ index, binding }));
}

/** Returns the grant of a binding. */
export function toGrant({ clusters, namespaces, rollouts, ...binding }: RoleBinding): Grant {
  const { role, actions, breakGlass, agentsMayAct } = binding;
  const grant = { role, scope: { clusters, namespaces, rollouts }, actions, breakGlass };
  return agentsMayAct ? { ...grant, agentsMayAct } : grant;
}
