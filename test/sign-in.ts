import { demoIssuer } from "#demo/accounts.ts";
import { startSession } from "#lib/server/people/auth/start-session.ts";
import type { WebRuntime } from "#lib/server/process/web-runtime.ts";
import { encodeSessionCookie } from "./session-cookie.ts";

export type SignedIn = { sessionId: string; cookie: string };

/** Opens a session of a demo account, as signing in with its password does. */
export async function signIn(
  runtime: WebRuntime,
  username: "viewer" | "operator" | "admin",
  more: { authenticatedAt?: Date | undefined; replaces?: string; userAgent?: string; address?: string } = {},
): Promise<SignedIn> {
  const groups = [`gatehouse:${username}s`];
  const sessionId = await startSession({
    runtime,
    signIn: {
      identity: { issuer: demoIssuer, subject: username, username, groups },
      name: username,
      claims: { preferred_username: username, groups },
      method: "demo",
      authenticatedAt: new Date(),
      ...more,
    },
    requestId: "test",
  });
  return { sessionId, cookie: await encodeSessionCookie({ sessionId, secret: runtime.secret }) };
}
