import { z } from "zod";
import type { ListPage, ListQuery } from "#lib/contract/common.ts";
import type { ApiToken } from "#lib/contract/system.ts";
import { isListedFor, serializeToken, tokenFields } from "#lib/server/people/tokens/token-row.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import type { Call } from "#lib/server/process/service-context.ts";
import { pageOf, parseListCursor } from "#lib/server/records/list-cursor.ts";

const Key = z.tuple([z.uuid()]);

/** Lists API tokens, newest first: a person's own, only itself for a token, or all for an admin. */
export async function listTokens({ ctx: { actor, runtime }, input }: Call<ListQuery>): Promise<ListPage<ApiToken>> {
  const after = parseListCursor(Key, input.cursor);
  const rows = await prismaOn(runtime.pool).apiToken.findMany({
    where: isListedFor(actor),
    select: tokenFields,
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    take: input.limit + 1,
    // The database looks up the place of the last row, to the microsecond.
    ...(after === undefined ? {} : { cursor: { id: after[0] }, skip: 1 }),
  });
  return pageOf({ rows, limit: input.limit, keyOf: (row) => [row.id], toItem: serializeToken });
}
