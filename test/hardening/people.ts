import { startSession } from "#lib/server/people/auth/start-session.ts";
import { createTokenAsAdmin } from "#lib/server/people/tokens/token-admin.ts";
import { encodeSessionCookie } from "#test/session-cookie.ts";
import { createTestPool } from "#test/test-pool.ts";
import type { TestWeb } from "#test/web-runtime.ts";

export const issuer = "https://issuer.example";
/** The namespace of the objects that tests request. */
export const ownNamespace = "payments";

/** Role bindings: two people see only another namespace, one administers one namespace. Robots have their own names. */
export const bindings = [
  { role: "viewer", users: ["outsider"], robots: ["outsider-robot"], namespaces: ["elsewhere"] },
  { role: "operator", users: ["stranger"], namespaces: ["elsewhere"] },
  { role: "viewer", users: ["viewer"] },
  { role: "operator", users: ["operator"] },
  { role: "admin", users: ["admin"], robots: ["admin-robot"] },
  { role: "admin", users: ["scopedAdmin"], robots: ["scopedAdmin-robot"], namespaces: [ownNamespace] },
];

export const people = ["outsider", "stranger", "viewer", "operator", "admin", "scopedAdmin"] as const;
export type Person = (typeof people)[number];

/** Returns a config with the role bindings of these people, and without demo accounts. */
export function configOf(more: Record<string, unknown> = {}) {
  return {
    demo: undefined,
    auth: { oidc: { issuer, clientId: "gatehouse", clientSecret: "env:UNUSED" }, roles: bindings },
    ...more,
  };
}

/** Opens a session as the identity provider's sign-in does. */
export async function openSession(
  { runtime }: TestWeb,
  person: string,
  more: { subject?: string; email?: string; groups?: string[] } = {},
): Promise<{ sessionId: string; cookie: string }> {
  const { subject = person, email, groups = [] } = more;
  const sessionId = await startSession({
    runtime,
    signIn: {
      identity: { issuer, subject, username: person, groups },
      name: person,
      ...(email === undefined ? {} : { email }),
      claims: { sub: subject, preferred_username: person, groups },
      method: "oidc",
      authenticatedAt: new Date(),
    },
    requestId: "test",
  });
  return { sessionId, cookie: await encodeSessionCookie({ sessionId, secret: runtime.secret }) };
}

/** Creates a token of a person or a robot, as the command line does. */
export async function createToken(
  { database }: TestWeb,
  {
    username,
    role = "admin",
    ownerIssuer = issuer,
  }: { username: string; role?: "viewer" | "operator" | "admin"; ownerIssuer?: string },
): Promise<{ id: string; token: string }> {
  const pool = createTestPool(database.ownerUrl);
  const owner = { issuer: ownerIssuer, subject: username };
  const { id, token } = await createTokenAsAdmin({ pool, token: { name: "test", role, owner, username } });
  await pool.end();
  return { id, token };
}

/** The headers that a browser sends with a change from our own page. */
export const ownPage = { "sec-fetch-site": "same-origin", "content-type": "application/json" };
