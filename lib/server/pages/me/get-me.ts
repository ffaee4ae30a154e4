import type { Me, NamedClusterIdentity } from "#lib/contract/system.ts";
import { showClusterIdentity } from "#lib/server/acting/permission/judge-at-cluster.ts";
import { listMyGrants } from "#lib/server/pages/me/list-my-grants.ts";
import { seesCluster } from "#lib/server/people/permission/read-scope.ts";
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

async function listClusterIdentities(ctx: ServiceContext): Promise<NamedClusterIdentity[]> {
  const { clusters } = ctx.runtime.config().config;
  const visible = clusters.filter(({ name }) => seesCluster(ctx.actor.rights, name));
  const shown = visible.map(async ({ name, access }): Promise<NamedClusterIdentity[]> => {
    const identity = await showClusterIdentity(ctx, name);
    return identity === null ? [] : [{ cluster: name, access, ...identity }];
  });
  return (await Promise.all(shown)).flat();
}
