import type { MyGrant } from "#lib/contract/system.ts";
import { actionNames, isProtective } from "#lib/domain/acting/action-catalogue.ts";
import { listGrants, listSecondPersonNeeds } from "#lib/domain/policy/list-grants.ts";
import type { Scope } from "#lib/domain/policy/rights.ts";
import { policiesOf } from "#lib/server/people/auth/policies-of.ts";
import type { Actor } from "#lib/server/platform/actor/actor.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";

const actions = actionNames.map((name) => ({ name, protective: isProtective(name) }));

/** Lists the caller's grants by the current config. A token cannot sign in again, so it cannot use break-glass. */
export function listMyGrants({ actor, runtime }: Pick<ServiceContext, "actor" | "runtime">): MyGrant[] {
  const { secondPerson: rules } = policiesOf(runtime.config().config.policies);
  const through = throughOf(actor, runtime.localAccounts?.issuer);
  return listGrants(actor.rights).map((grant) => ({
    role: grant.role,
    scope: toScope(grant.scope),
    actions: [...grant.actions],
    breakGlass: grant.breakGlass && actor.type === "user",
    through,
    secondPerson: listSecondPersonNeeds({ grant, rules, actions }).map((need) => ({
      ...need,
      actions: actionNames.filter((name) => need.actions.includes(name)),
      scope: toScope(need.scope),
    })),
  }));
}

function throughOf({ rights, issuer }: Actor, localIssuer: string | undefined): MyGrant["through"] {
  if (rights.tokenGrants !== undefined) return "token";
  return issuer === localIssuer ? "account" : "binding";
}

function toScope({ clusters, namespaces, rollouts }: Scope): MyGrant["scope"] {
  return { clusters: [...clusters], namespaces: [...namespaces], rollouts: [...rollouts] };
}
