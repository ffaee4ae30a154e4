import type { PermissionReason } from "#lib/contract/admin-access.ts";
import { describeGrantLack, findGrantLack, findScopeLack } from "#lib/domain/policy/list-grants.ts";
import { type Grant, hasRole, isInScope, type Rights, type Target } from "#lib/domain/policy/rights.ts";
import { bindingPath } from "#lib/server/admin/get-access.ts";
import { listOwnBindings, listTokenBindings, type Subject, toGrant } from "#lib/server/people/auth/derive-rights.ts";
import { deriveRightsNow } from "#lib/server/people/auth/derive-rights-now.ts";
import type { RoleBinding } from "#lib/server/platform/config/policy-schema.ts";
import type { Runtime } from "#lib/server/process/runtime-types.ts";
import { formatList } from "#lib/util/words.ts";

/** A grant with the binding that it is from. */
export type PlacedGrant = {
  /** Null for a local account. */
  path: string | null;
  /** own: names the person or robot; token: names the token; account: a local account's role. */
  through: "own" | "token" | "account";
  grant: Grant;
  /** The binding's entry that matches the subject, such as `group release-engineers`. */
  whom: string;
};

/** Lists a subject's grants with their bindings, by the functions that derive its rights. */
export function listPlacedGrants(runtime: Pick<Runtime, "config" | "localAccounts">, subject: Subject): PlacedGrant[] {
  const { auth } = runtime.config().config;
  const { identity, token } = subject;
  const { localAccounts } = runtime;
  if (identity.issuer === localAccounts?.issuer)
    return (deriveRightsNow(runtime, { identity })?.rights.grants ?? []).map((grant) => ({
      path: null,
      through: "account",
      grant,
      whom: `The ${localAccounts.label.toLowerCase()}`,
    }));
  const own = listOwnBindings(identity, auth).map(
    ({ index, binding }): PlacedGrant => ({
      path: bindingPath(index),
      through: "own",
      grant: toGrant(binding),
      whom: describeMatch(binding, subject),
    }),
  );
  const ofToken = listTokenBindings(token?.id, auth).map(
    ({ index, binding }): PlacedGrant => ({
      path: bindingPath(index),
      through: "token",
      grant: toGrant(binding),
      whom: "this token",
    }),
  );
  return [...own, ...ofToken];
}

function describeMatch(binding: RoleBinding, { identity: { username, subject, groups } }: Subject): string {
  const shared = binding.groups.filter((group) => groups.includes(group));
  if (binding.users.includes(username)) return `user ${username}`;
  if (binding.subjects.includes(subject)) return `subject ${subject}`;
  if (binding.robots.includes(username)) return `robot ${username}`;
  return `${shared.length === 1 ? "group" : "groups"} ${formatList(shared)}`;
}

/**
 * Explains for each grant whether it gives the right, or what it lacks. Without an action the right is to read. For
 * explanation only: `mayAct` and `mayRead` decide, by all grants together.
 */
export function explainRights({
  grants,
  target,
  rights,
  action,
}: {
  grants: readonly PlacedGrant[];
  target: Target;
  rights: Rights;
  action?: string;
}): PermissionReason[] {
  const capped = action !== undefined && !hasRole(rights.cap, "operator");
  return [
    ...(capped ? [{ kind: "lacks" as const, text: `The token itself has the role ${rights.cap}.`, path: null }] : []),
    ...grants.map(({ path, grant, whom, through }): PermissionReason => {
      const lack = findLack({ grant, target, action });
      const gives = describeGiving({ through, whom, role: grant.role });
      if (lack === undefined) return { kind: "gives", text: `${gives}.`, path };
      const but = describeGrantLack(lack, grant, { action: action ?? "", target });
      return { kind: "lacks", text: `${gives}, but ${but}.`, path };
    }),
  ];
}

function findLack({ grant, target, action }: { grant: Grant; target: Target; action: string | undefined }) {
  if (action !== undefined) return findGrantLack(grant, { action, target });
  return isInScope(grant.scope, target) ? undefined : findScopeLack(grant.scope, target);
}

function describeGiving({ through, whom, role }: Pick<PlacedGrant, "through" | "whom"> & { role: string }): string {
  if (through === "account") return `${whom} has the role ${role}`;
  return through === "token" ? `limits ${whom} to ${role}` : `gives ${whom} the role ${role}`;
}
