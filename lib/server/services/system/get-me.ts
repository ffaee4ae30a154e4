import type { Me } from "#lib/contract/system.ts";
import type { ServiceContext } from "#lib/server/services/service-context.ts";

/** Who asks, with which rights and until when. */
export async function getMe({ ctx }: { ctx: ServiceContext }): Promise<Me> {
  const { actor, runtime } = ctx;
  return {
    name: actor.name,
    subject: actor.subject,
    issuer: actor.issuer,
    role: actor.role,
    groups: [...actor.groups],
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
    faults: runtime.config().config.demo?.faults !== undefined,
  };
}
