import { z } from "zod";
import type { HookCredential, HookCredentialListQuery } from "#lib/contract/hook.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";
import { assertAdmin } from "#lib/server/services/assert-admin.ts";
import { credentialFields, serializeCredential } from "#lib/server/services/hooks/credential-row.ts";
import { pageOf, parseListCursor } from "#lib/server/services/list-cursor.ts";

const Key = z.tuple([z.uuid()]);

/** Lists credentials of controllers, newest first: all of them, or one cluster's for its admins. Throws `forbidden`. */
export async function listHookCredentials({
  ctx,
  input,
}: {
  ctx: ServiceContext;
  input: HookCredentialListQuery;
}): Promise<{ items: HookCredential[]; nextCursor: string | null }> {
  const { cluster } = input;
  assertAdmin(ctx, cluster);
  const after = parseListCursor(Key, input.cursor);
  const rows = await ctx.runtime.db.hookCredential.findMany({
    where: cluster === undefined ? {} : { cluster },
    select: credentialFields,
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    take: input.limit + 1,
    ...(after === undefined ? {} : { cursor: { id: after[0] }, skip: 1 }),
  });
  return pageOf({ rows, limit: input.limit, keyOf: (row) => [row.id], toItem: serializeCredential });
}
