import type { WhoMay, WhoMayQuery } from "#lib/contract/admin-access.ts";
import { isProtective } from "#lib/domain/acting/action-catalogue.ts";
import { actsInArea } from "#lib/domain/policy/list-grants.ts";
import { matchesAny } from "#lib/domain/policy/match-glob.ts";
import type { Area, Rights, Scope } from "#lib/domain/policy/rights.ts";
import { bindingPath } from "#lib/server/admin/get-access.ts";
import { listKnownSubjects } from "#lib/server/admin/read-known-subjects.ts";
import { peopleIssuer } from "#lib/server/admin/suppose-actor.ts";
import { toGrant } from "#lib/server/people/auth/derive-rights.ts";
import { deriveRightsNow } from "#lib/server/people/auth/derive-rights-now.ts";
import { placeOfPolicy, policiesOf } from "#lib/server/people/auth/policies-of.ts";
import { assertAdmin } from "#lib/server/people/permission/require-admin.ts";
import type { Call } from "#lib/server/process/service-context.ts";

/**
 * Lists who may carry out an action at a place, by the rights that their next request would have. Freezes, and whether
 * a rollout allows the action now, are not considered.
 */
export async function whoMay({ ctx, input: { action, ...area } }: Call<WhoMayQuery>): Promise<WhoMay> {
  assertAdmin(ctx);
  const { runtime } = ctx;
  const { auth, policies } = runtime.config().config;
  const { secondPerson } = policiesOf(policies);
  const { known, allKnown } = await listKnownSubjects(runtime.pool, peopleIssuer(runtime));
  const extentFor = (rights: Rights | undefined) => {
    const extent = rights === undefined ? "none" : actsInArea(rights, { action, area });
    return extent === "none" ? [] : [extent];
  };
  return {
    subjects: known.flatMap(({ shown: { kind, name, username, token, lastSeenAt }, subject }) =>
      extentFor(deriveRightsNow(runtime, subject)?.rights).map((extent) => ({
        kind,
        name,
        username,
        token,
        extent,
        lastSeenAt,
      })),
    ),
    allKnown,
    bindings: auth.roles.flatMap((binding, index) =>
      extentFor({ grants: [toGrant(binding)], cap: "admin" }).map((extent) => ({ path: bindingPath(index), extent })),
    ),
    secondPerson: secondPerson.flatMap(({ name, scope, actions, includeProtective }, index) => {
      const isAbout = matchesAny(actions, action) && (includeProtective || !isProtective(action));
      if (!isAbout || !concerns(scope, area)) return [];
      return [{ path: placeOfPolicy(policies, { list: "secondPerson", index }), name }];
    }),
  };
}

/** Returns whether a rule holds somewhere in the area. */
function concerns({ clusters, namespaces, rollouts }: Scope, { cluster, namespace, name }: Area): boolean {
  return (
    (cluster === undefined || matchesAny(clusters, cluster)) &&
    (namespace === undefined || matchesAny(namespaces, namespace)) &&
    (name === undefined ||
      matchesAny(
        rollouts.map((pattern) => pattern.slice(pattern.indexOf("/") + 1)),
        name,
      ))
  );
}
