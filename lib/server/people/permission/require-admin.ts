import { auditRefusal, type RefusedRequest } from "#lib/server/audit/audit-refusal.ts";
import { assertAdmin } from "#lib/server/people/permission/assert-admin.ts";
import { isServiceError } from "#lib/server/platform/actor/service-error.ts";
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
