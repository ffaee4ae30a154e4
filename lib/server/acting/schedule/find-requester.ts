import type { ScheduledRow } from "#lib/server/acting/schedule/scheduled-row.ts";
import { hasNameOfRobot } from "#lib/server/people/auth/derive-rights.ts";
import { deriveRightsNow } from "#lib/server/people/auth/derive-rights-now.ts";
import { tokenClaims } from "#lib/server/people/auth/token-secret.ts";
import { type Actor, parseActorKey } from "#lib/server/platform/actor/actor.ts";
import { readDatabaseTime } from "#lib/server/platform/db/database-time.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import type { Runtime } from "#lib/server/process/runtime-types.ts";

/**
 * Returns the person who scheduled the action, with the rights that the config in force gives them: by the name, the
 * groups and the claims of the session in which they asked, or by their token. `obstacle`: why they may not act at all.
 */
export async function findRequester(
  runtime: Runtime,
  row: ScheduledRow,
): Promise<{ actor: Actor; obstacle: string | undefined }> {
  const { issuer, subject } = parseActorKey(row.requestedBy);
  const { requestedUsername: username, requestedByName: name } = row;
  const { groups, claims, token: tokenId } = row.identity;
  const token = tokenId === null ? undefined : await findToken(runtime, tokenId);
  const isGone = tokenId !== null && token === undefined;
  const identity = { issuer, subject, username, groups };
  const granted = isGone
    ? undefined
    : deriveRightsNow(runtime, { identity, ...(token === undefined ? {} : { token }) });
  const actor: Actor = {
    type: tokenId === null ? "user" : "token",
    ...{ userId: "", issuer, subject, name, groups, username },
    ...(granted ?? noRights),
    claims: tokenId === null ? claims : tokenClaims({ runtime, subject, username, groups }),
    hasNameOfRobot: hasNameOfRobot({ issuer, username }, runtime.config().config.auth),
    ...(token === undefined ? {} : { token: { id: token.id, name: token.name } }),
  };
  if (isGone) return { actor, obstacle: "The token that scheduled it was revoked, or has expired." };
  return { actor, obstacle: granted === undefined ? `The config no longer gives ${name} any rights.` : undefined };
}

const noRights: Pick<Actor, "role" | "rights"> = { role: "viewer", rights: { cap: "viewer", grants: [] } };

/** Returns undefined if the token may not be used any more. */
async function findToken({ pool }: Pick<Runtime, "pool">, id: string) {
  const now = await readDatabaseTime(pool);
  const token = await prismaOn(pool).apiToken.findFirst({
    where: { id, revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] },
    select: { id: true, name: true, role: true, restricted: true },
  });
  return token ?? undefined;
}
