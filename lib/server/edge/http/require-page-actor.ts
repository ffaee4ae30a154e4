import { cookies, headers } from "next/headers";
import { forbidden, redirect } from "next/navigation";
import { isAdmin } from "#lib/domain/policy/rights.ts";
import { findSessionActor } from "#lib/server/people/auth/authenticate.ts";
import { readSessionId, sessionCookieName } from "#lib/server/people/auth/session-cookie.ts";
import type { Actor } from "#lib/server/platform/actor/actor.ts";
import { getWebRuntime } from "#lib/server/process/web-runtime.ts";
import { safeCallbackPath } from "#lib/util/safe-callback-path.ts";

/** The header in which proxy.ts passes the path of the page to server components. */
export const pagePathHeader = "x-gatehouse-path";

/** Finds the person who views a page; undefined without a sign-in. Throws if the database is down. */
export async function findPageActor(): Promise<Actor | undefined> {
  const runtime = getWebRuntime();
  const cookie = (await cookies()).get(sessionCookieName(runtime.config().config.publicUrl))?.value;
  const sessionId = await readSessionId({ cookie, secret: runtime.secret });
  return sessionId === undefined ? undefined : findSessionActor({ runtime, sessionId, isActive: true });
}

/** Returns the actor for pages and layouts; without a sign-in, redirects to the sign-in page, and from there back. */
export async function requirePageActor(): Promise<Actor> {
  const actor = await findPageActor();
  if (actor !== undefined) return actor;
  const path = safeCallbackPath((await headers()).get(pagePathHeader), getWebRuntime().config().config.publicUrl);
  redirect(path === "/" ? "/signin" : `/signin?callbackUrl=${encodeURIComponent(path)}`);
}

/** For pages of who administers everything: others get a 403 page. The API refuses them by itself. */
export async function requireAdminPage(): Promise<void> {
  const actor = await requirePageActor();
  if (!isAdmin(actor.rights)) forbidden();
}
