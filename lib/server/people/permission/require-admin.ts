import { isAdmin, isClusterAdmin } from "#lib/domain/policy/rights.ts";
import { auditRefusal, type RefusedRequest } from "#lib/server/audit/audit-refusal.ts";
import { isServiceError, ServiceError } from "#lib/server/platform/actor/service-error.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";

export type AskedFor = Pick<RefusedRequest, "code" | "reason" | "target" | "detail"> & {
  /** The request affects only this cluster: its admins suffice. */
  cluster?: string;
};

/** Throws `forbidden` if the actor is not an admin, and audits the request. For routes with `auditsRefusals`. */
export async function requireAdmin(ctx: ServiceContext, { cluster, ...asked }: AskedFor): Promise<void> {
  try {
    assertAdmin(ctx, cluster);
  } catch (error) {
    const place = `${asked.code} ${asked.target?.id ?? ""}`;
    if (isServiceError(error)) await auditRefusal({ ctx, error, asked, place });
    throw error;
  }
}

/** Throws `forbidden` unless the actor administers everything, or this cluster if the request affects only it. */
export function assertAdmin({ actor }: Pick<ServiceContext, "actor">, cluster?: string): void {
  if (cluster === undefined ? isAdmin(actor.rights) : isClusterAdmin(actor.rights, cluster)) return;
  const what = cluster === undefined ? "for everything" : `for cluster ${cluster}`;
  throw new ServiceError("forbidden", `This needs the role admin ${what}; yours is ${actor.role}.`);
}
