import { z } from "zod";
import type { ListPage } from "#lib/contract/common.ts";
import type { HookCredential, HookCredentialListQuery } from "#lib/contract/hook.ts";
import { isAdmin, isClusterAdmin } from "#lib/domain/policy/rights.ts";
import { assertAdmin } from "#lib/server/people/permission/assert-admin.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import type { Call, ServiceContext } from "#lib/server/process/service-context.ts";
import { pageOf, parseListCursor } from "#lib/server/records/list-cursor.ts";
import { credentialFields, serializeCredential } from "#lib/server/webhooks/credentials/credential-row.ts";

const Key = z.tuple([z.uuid()]);

/**
 * Lists credentials of controllers, newest first: one cluster's, or those of all clusters that the actor administers.
 * Throws `forbidden`.
 */
export async function listHookCredentials({
  ctx,
  input,
}: Call<HookCredentialListQuery>): Promise<ListPage<HookCredential>> {
  const after = parseListCursor(Key, input.cursor);
  const rows = await prismaOn(ctx.runtime.pool).hookCredential.findMany({
    where: chooseClusters(ctx, input.cluster),
    select: credentialFields,
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    take: input.limit + 1,
    ...(after === undefined ? {} : { cursor: { id: after[0] }, skip: 1 }),
  });
  return pageOf({ rows, limit: input.limit, keyOf: (row) => [row.id], toItem: serializeCredential });
}

function chooseClusters(ctx: ServiceContext, cluster: string | undefined): { cluster?: string | { in: string[] } } {
  const { rights } = ctx.actor;
  if (cluster === undefined && !isAdmin(rights)) {
    const configured = ctx.runtime.config().config.clusters.map(({ name }) => name);
    const administered = configured.filter((name) => isClusterAdmin(rights, name));
    if (administered.length > 0) return { cluster: { in: administered } };
  }
  assertAdmin(ctx, cluster);
  return cluster === undefined ? {} : { cluster };
}
