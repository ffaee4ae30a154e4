import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { ListPage, ListQuery } from "#lib/contract/common.ts";
import type { ApiToken, CreatedToken, CreateTokenRequest } from "#lib/contract/system.ts";
import { hasRole } from "#lib/domain/policy/rights.ts";
import { appendChange } from "#lib/server/audit/append-audit.ts";
import { createTokenSecret } from "#lib/server/people/auth/token-secret.ts";
import {
  assertWithinLimit,
  insertToken,
  isListedFor,
  serializeToken,
  type TokenRow,
  tokenFields,
} from "#lib/server/people/tokens/token-row.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import type { Call } from "#lib/server/process/service-context.ts";
import { pageOf, parseListCursor } from "#lib/server/records/list-cursor.ts";

/**
 * Creates a token that acts as the caller, at most with the caller's role. Its secret is only in the answer. Throws
 * `forbidden` for a stronger role, or if the caller is a token itself: a leaked one must not multiply. Throws
 * `conflict` if the caller already has `maxTokens` valid ones.
 */
export async function createToken({ ctx, input }: Call<CreateTokenRequest>): Promise<CreatedToken> {
  const { actor } = ctx;
  if (actor.type === "token") throw new ServiceError("forbidden", "A token cannot create tokens; sign in.");
  if (!hasRole(actor.role, input.role))
    throw new ServiceError("forbidden", `Your role is ${actor.role}: a token cannot have the role ${input.role}.`);
  const token = createTokenSecret();
  const id = randomUUID();
  let row: TokenRow | undefined;
  await appendChange(ctx, {
    code: "token.create",
    detail: {
      id,
      name: input.name,
      role: input.role,
      expiresInDays: input.expiresInDays ?? null,
      restricted: input.restricted === true,
    },
    within: async (client) => {
      row = await insertToken(client, {
        id,
        secret: token,
        name: input.name,
        role: input.role,
        ownerId: actor.userId,
        username: actor.username,
        groups: actor.groups,
        restricted: input.restricted === true,
        expiresInDays: input.expiresInDays,
      });
      // The chain is locked: of two concurrent creations, the second counts the first.
      await assertWithinLimit(client, { ownerId: actor.userId });
    },
  });
  if (row === undefined) throw new Error("the new token was not returned");
  return { ...serializeToken(row), token };
}

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

/**
 * Revokes a person's own token, the calling token itself, or any token for an admin; repeating it is allowed. Throws
 * `not_found`, for others' tokens too.
 */
export async function revokeToken({ ctx, input }: Call<{ id: string }>): Promise<ApiToken> {
  const missing = new ServiceError("not_found", `There is no token ${input.id}.`);
  if (!z.uuid().safeParse(input.id).success) throw missing;
  const { pool } = ctx.runtime;
  const row = await prismaOn(pool).apiToken.findFirst({
    where: { AND: [{ id: input.id }, isListedFor(ctx.actor)] },
    select: tokenFields,
  });
  if (row === null) throw missing;
  if (row.revokedAt !== null) return serializeToken(row);
  let revoked: TokenRow | undefined;
  await appendChange(ctx, {
    code: "token.revoke",
    detail: { id: row.id, name: row.name, role: row.role, owner: row.owner.name },
    within: async (client, { time }) => {
      await prismaOn(client).apiToken.updateMany({
        where: { id: row.id, revokedAt: null },
        data: { revokedAt: time },
      });
      revoked = await prismaOn(client).apiToken.findFirstOrThrow({ where: { id: row.id }, select: tokenFields });
    },
  });
  return serializeToken(revoked ?? row);
}
