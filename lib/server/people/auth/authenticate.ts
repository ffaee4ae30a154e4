import { parseCookie } from "cookie";
import { Role } from "#lib/contract/common.ts";
import { hasNameOfRobot } from "#lib/server/people/auth/derive-rights.ts";
import { deriveRightsNow } from "#lib/server/people/auth/derive-rights-now.ts";
import { readSessionId, sessionCookieName } from "#lib/server/people/auth/session-cookie.ts";
import { bestEffort, findSession } from "#lib/server/people/auth/stored-session.ts";
import { hashToken, isTokenShaped, tokenClaims } from "#lib/server/people/auth/token-secret.ts";
import type { Actor } from "#lib/server/platform/actor/actor.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import type { WebRuntime } from "#lib/server/process/web-runtime.ts";

/** Our own pages send it if a person has just used keyboard, pointer or touch. */
export const activityHeader = "x-gatehouse-active";
const tokenSeenEveryMs = 60_000;

/** Identifies the caller by Bearer token or session cookie; with both, the token counts. Throws `unauthenticated`. */
export async function authenticate({
  runtime,
  headers,
  address,
}: {
  runtime: WebRuntime;
  headers: Headers;
  address: string;
}): Promise<Actor> {
  const authorization = headers.get("authorization");
  if (authorization !== null) return authenticateToken({ runtime, authorization, address });
  const cookie = parseCookie(headers.get("cookie") ?? "")[sessionCookieName(runtime.config().config.publicUrl)];
  const sessionId = await readSessionId({ cookie, secret: runtime.secret });
  const actor =
    sessionId === undefined
      ? undefined
      : await findSessionActor({ runtime, sessionId, isActive: headers.has(activityHeader) });
  if (actor === undefined) throw new ServiceError("unauthenticated", "Sign in, or send a valid Bearer token.");
  return actor;
}

export async function findSessionActor({
  runtime,
  sessionId,
  isActive,
}: {
  runtime: WebRuntime;
  sessionId: string;
  isActive: boolean;
}): Promise<Actor | undefined> {
  const session = await findSession({ runtime, sessionId, isActive });
  if (session === undefined) return undefined;
  const { user, username, groups, claims } = session;
  const granted = deriveRightsNow(runtime, {
    identity: { issuer: user.issuer, subject: user.subject, username, groups },
  });
  if (granted === undefined) return undefined;
  return {
    type: "user",
    userId: user.id,
    issuer: user.issuer,
    subject: user.subject,
    name: user.name,
    ...granted,
    groups,
    username,
    claims,
    hasNameOfRobot: hasNameOfRobot({ issuer: user.issuer, username }, runtime.config().config.auth),
    session: {
      id: session.id,
      authenticatedAt: session.authenticatedAt,
      idleExpiresAt: session.idleExpiresAt,
      absoluteExpiresAt: session.absoluteExpiresAt,
    },
  };
}

async function authenticateToken({
  runtime,
  authorization,
  address,
}: {
  runtime: WebRuntime;
  authorization: string;
  address: string;
}): Promise<Actor> {
  const secret = /^bearer ([^\s]+)$/i.exec(authorization)?.[1];
  const actor = secret !== undefined && isTokenShaped(secret) ? await findTokenActor(runtime, secret) : undefined;
  // The limit applies only to wrong tokens: addresses are shared, and one bad script must not lock out its neighbours.
  if (actor !== undefined) return actor;
  const now = runtime.now();
  const retryAfterSeconds = runtime.tokenLimiter.retryAfterSeconds(address, now);
  if (retryAfterSeconds !== undefined)
    throw new ServiceError("rate_limited", "Too many invalid tokens from this address.", { retryAfterSeconds });
  runtime.tokenLimiter.recordFailure(address, now);
  throw new ServiceError("unauthenticated", "The Bearer token is not valid: unknown, expired or revoked.");
}

async function findTokenActor(runtime: WebRuntime, secret: string): Promise<Actor | undefined> {
  const now = runtime.now();
  const token = await prismaOn(runtime.pool).apiToken.findFirst({
    where: { tokenHash: hashToken(secret) },
    include: { owner: true },
  });
  if (token === null || token.revokedAt !== null) return undefined;
  if (token.expiresAt !== null && token.expiresAt <= now) return undefined;
  const { owner, username, groups } = token;
  const role = Role.safeParse(token.role);
  if (!role.success) return undefined;
  const granted = deriveRightsNow(runtime, {
    identity: { issuer: owner.issuer, subject: owner.subject, username, groups },
    token: { id: token.id, role: role.data, restricted: token.restricted },
  });
  if (granted === undefined) return undefined;
  if (token.lastUsedAt === null || now.getTime() - token.lastUsedAt.getTime() > tokenSeenEveryMs)
    await bestEffort(runtime, () =>
      prismaOn(runtime.pool).apiToken.updateMany({ where: { id: token.id }, data: { lastUsedAt: now } }),
    );
  return {
    type: "token",
    userId: owner.id,
    issuer: owner.issuer,
    subject: owner.subject,
    name: owner.name,
    ...granted,
    groups,
    username,
    claims: tokenClaims({ runtime, subject: owner.subject, username, groups }),
    hasNameOfRobot: hasNameOfRobot({ issuer: owner.issuer, username }, runtime.config().config.auth),
    token: { id: token.id, name: token.name },
  };
}
