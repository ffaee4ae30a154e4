import type { Me, MyGrant, NamedClusterIdentity } from "#lib/contract/system.ts";
import { actionNames, isProtective } from "#lib/domain/acting/action-catalogue.ts";
import { isInTeam, teamsOf } from "#lib/domain/policy/find-team.ts";
import { listGrants, listSecondPersonNeeds, readablePart } from "#lib/domain/policy/list-grants.ts";
import type { Scope } from "#lib/domain/policy/rights.ts";
import { showClusterIdentity } from "#lib/server/acting/permission/judge-at-cluster.ts";
import { policiesOf } from "#lib/server/people/auth/policies-of.ts";
import { seesCluster } from "#lib/server/people/permission/read-scope.ts";
import type { Actor } from "#lib/server/platform/actor/actor.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";

/** Returns the caller, with rights and expiry. */
export async function getMe({ ctx }: { ctx: ServiceContext }): Promise<Me> {
  const { actor, runtime } = ctx;
  return {
    name: actor.name,
    subject: actor.subject,
    issuer: actor.issuer,
    role: actor.role,
    username: actor.username,
    groups: [...actor.groups],
    teams: listTeams(ctx),
    sets: listSets(ctx),
    clusterIdentities: await listClusterIdentities(ctx),
    grants: listMyGrants(ctx),
    token: actor.token ?? null,
    session:
      actor.session === undefined
        ? null
        : {
            id: actor.session.id,
            idleExpiresAt: actor.session.idleExpiresAt.toISOString(),
            absoluteExpiresAt: actor.session.absoluteExpiresAt.toISOString(),
          },
    demo: runtime.config().config.demo !== undefined,
    faults: runtime.config().config.demo?.faultTokenFile !== undefined,
  };
}

function listTeams({ actor, runtime }: Pick<ServiceContext, "actor" | "runtime">): Me["teams"] {
  return teamsOf(runtime.config().config)
    .filter(({ scope }) => readablePart(actor.rights, scope) !== undefined)
    .map(({ name, ...team }) => ({ name, isMine: isInTeam(team, actor.groups) }));
}

function listSets({ actor, runtime }: Pick<ServiceContext, "actor" | "runtime">): string[] {
  const { sets } = runtime.config().config;
  return sets.filter((set) => readablePart(actor.rights, set) !== undefined).map(({ name }) => name);
}

async function listClusterIdentities(ctx: ServiceContext): Promise<NamedClusterIdentity[]> {
  const { clusters } = ctx.runtime.config().config;
  const visible = clusters.filter(({ name }) => seesCluster(ctx.actor.rights, name));
  const shown = visible.map(async ({ name, access }): Promise<NamedClusterIdentity[]> => {
    const identity = await showClusterIdentity(ctx, name);
    return identity === null ? [] : [{ cluster: name, access, ...identity }];
  });
  return (await Promise.all(shown)).flat();
}

const actions = actionNames.map((name) => ({ name, protective: isProtective(name) }));

/** Lists the caller's grants by the current config. A token cannot sign in again, so it cannot use break-glass. */
function listMyGrants({ actor, runtime }: Pick<ServiceContext, "actor" | "runtime">): MyGrant[] {
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
