import { randomUUID } from "node:crypto";
import type { CreatedToken, CreateTokenRequest } from "#lib/contract/system.ts";
import { hasRole } from "#lib/domain/policy/rights.ts";
import { appendChange } from "#lib/server/audit/append-audit.ts";
import { createTokenSecret } from "#lib/server/people/auth/token-secret.ts";
import { assertWithinLimit } from "#lib/server/people/tokens/assert-within-limit.ts";
import { insertToken } from "#lib/server/people/tokens/insert-token.ts";
import { serializeToken, type TokenRow } from "#lib/server/people/tokens/token-row.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import type { Call } from "#lib/server/process/service-context.ts";

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
