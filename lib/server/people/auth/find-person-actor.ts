import { hasNameOfRobot } from "#lib/server/people/auth/derive-rights.ts";
import { deriveRightsNow } from "#lib/server/people/auth/derive-rights-now.ts";
import type { Actor } from "#lib/server/platform/actor/actor.ts";
import { readDatabaseTime } from "#lib/server/platform/db/database-time.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import type { WebRuntime } from "#lib/server/process/web-runtime.ts";

/** How another system names a person: by the subject that they sign in with, or by e-mail address. */
export type PersonName = { subject: string } | { email: string };

/**
 * Returns a person who acts by another system, with the rights that the config in force gives them: by the name, the
 * groups and the claims of their newest session, which may be idle, but was neither ended nor is too old. `unknown`: no
 * account has this name, or several have; `signed-out`: there is no such session, or they have no rights.
 */
export async function findPersonActor(
  runtime: WebRuntime,
  name: PersonName,
): Promise<{ kind: "found"; actor: Actor } | { kind: "unknown" } | { kind: "signed-out" }> {
  const { auth } = runtime.config().config;
  const issuers = [auth.oidc?.issuer, runtime.localAccounts?.issuer].filter((issuer) => issuer !== undefined);
  const accounts = await prismaOn(runtime.pool).userAccount.findMany({
    where: {
      issuer: { in: issuers },
      ...("subject" in name
        ? { subject: name.subject }
        : { email: { equals: escapeLike(name.email), mode: "insensitive" } }),
    },
    take: 2,
  });
  const [account] = accounts;
  if (account === undefined || accounts.length > 1) return { kind: "unknown" };
  const session = await prismaOn(runtime.pool).userSession.findFirst({
    where: { userId: account.id, revokedAt: null, absoluteExpiresAt: { gt: await readDatabaseTime(runtime.pool) } },
    orderBy: { createdAt: "desc" },
  });
  if (session === null) return { kind: "signed-out" };
  const { id: userId, issuer, subject } = account;
  const { username, groups, claims } = session;
  const granted = deriveRightsNow(runtime, { identity: { issuer, subject, username, groups } });
  if (granted === undefined) return { kind: "signed-out" };
  const actor: Actor = {
    ...{ type: "user", userId, issuer, subject, name: account.name, ...granted, groups, username, claims },
    hasNameOfRobot: hasNameOfRobot({ issuer, username }, auth),
  };
  return { kind: "found", actor };
}

/** Prisma compares without case by ILIKE. */
function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, "\\$&");
}
