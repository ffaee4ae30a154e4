import type { PermissionAnswer, PermissionQuery } from "#lib/contract/admin-access.ts";
import { type ActionName, rolloutActions } from "#lib/domain/acting/action-catalogue.ts";
import type { ActionGate } from "#lib/domain/acting/judge-actions.ts";
import type { AnyPlan } from "#lib/domain/acting/plan.ts";
import type { ActingObject } from "#lib/domain/delivery/acting.ts";
import { providerOfKind } from "#lib/domain/providers.ts";
import { permitOf, readActionGate } from "#lib/server/acting/permission/action-gate.ts";
import { readAllRelatedState } from "#lib/server/clusters/sources/read-related-state.ts";
import { findRollout } from "#lib/server/people/permission/find-rollout.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";

export type AskedAction = { action: ActionName; plan: AnyPlan | undefined };

/** A place that is asked about: the gate of an actor there, and the actions that exist there. */
export type PermissionPlace = {
  place: NonNullable<PermissionAnswer["place"]>;
  gateOf(ctx: ServiceContext): Promise<ActionGate>;
  actions: AskedAction[];
  /** Undefined for a namespace. */
  acting: ActingObject | undefined;
};

/**
 * Finds the place of a question: a recorded rollout, or a namespace of a configured cluster. `ctx` is the admin's, who
 * sees every rollout. Throws `not_found`; undefined if the question names no place.
 */
export async function findPermissionPlace(
  ctx: ServiceContext,
  { cluster, namespace, kind, name }: PermissionQuery,
): Promise<PermissionPlace | undefined> {
  if (cluster === undefined || namespace === undefined) return undefined;
  const access = ctx.runtime.config().config.clusters.find((each) => each.name === cluster)?.access;
  if (kind === undefined || name === undefined) {
    if (access === undefined) throw new ServiceError("not_found", `The config names no cluster ${cluster}.`);
    const place = { cluster, namespace, kind: null, name: null, access };
    return {
      place,
      gateOf: async (asker) => ({
        // No pattern but `*` matches an empty name: the answer is for every rollout of the namespace.
        permit: permitOf(asker, { cluster, namespace, kind: null, name: "" }, ctx.runtime.now()),
        access,
        source: { fresh: true },
        configError: ctx.runtime.configStatus().state === "error",
      }),
      actions: [...rolloutActions, "terminate" as const].map((action) => ({ action, plan: undefined })),
      acting: undefined,
    };
  }
  const row = await findRollout(ctx, { cluster, namespace, kind, name });
  const provider = providerOfKind(row.kind);
  const parsed = provider.parse(row.object);
  const place = { cluster, namespace, kind, name, access: access ?? ("unnamed" as const) };
  const gateOf = async (asker: ServiceContext) => (await readActionGate({ ctx: asker, row })).gate;
  if (!parsed.ok)
    return {
      place,
      gateOf,
      actions: provider.acting.actions.map((action) => ({ action, plan: undefined })),
      acting: undefined,
    };
  const { acting, workloads } = parsed.value;
  const related = await readAllRelatedState(ctx.runtime.pool, { ...row, workloads });
  const offers = acting.offer({ now: ctx.runtime.now(), related, images: row.images });
  return { place, gateOf, actions: [...offers, { action: "terminate", plan: undefined }], acting };
}
