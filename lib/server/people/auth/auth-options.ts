import type { AuthOptions, CookiesOptions } from "next-auth";
import type { CredentialsConfig } from "next-auth/providers/credentials";
import { deriveRights } from "#lib/server/people/auth/derive-rights.ts";
import { oidcProvider, readOidcProfile } from "#lib/server/people/auth/oidc-provider.ts";
import { readClaim } from "#lib/server/people/auth/read-claim.ts";
import { recordFailedSignIn } from "#lib/server/people/auth/record-failed-sign-in.ts";
import { cookieName, csrfCookieName, isSecureUrl, sessionCookieName } from "#lib/server/people/auth/session-cookie.ts";
import { startSession } from "#lib/server/people/auth/start-session.ts";
import type { LocalAccounts } from "#lib/server/process/runtime-types.ts";
import type { WebRuntime } from "#lib/server/process/web-runtime.ts";
import { basePathOf } from "#lib/util/base-path.ts";
import { safeCallbackPath } from "#lib/util/safe-callback-path.ts";

/** The result of one attempt; filled in by the callbacks, since next-auth only reports redirects. */
export type SignInAttempt = {
  requestId: string;
  address: string;
  userAgent: string | undefined;
  /** The browser's existing session, which a new sign-in replaces. */
  replaces: string | undefined;
  sessionId?: string;
  /** `error` of the sign-in page. */
  failure?: "AccessDenied" | "UnusableIdentity" | "GroupsLeftOut" | "CredentialsSignin" | "RateLimited" | "Unavailable";
  retryAfterSeconds?: number;
};

/** Creates next-auth's options for one request. Its cookie contains only the id of our own session row. */
export function createAuthOptions({ runtime, attempt }: { runtime: WebRuntime; attempt: SignInAttempt }): AuthOptions {
  const { config } = runtime.config();
  const { localAccounts } = runtime;
  const oidc = oidcProvider(runtime);
  const basePath = basePathOf(config.publicUrl);
  const signIn = `${basePath}/signin`;
  return {
    secret: runtime.secret,
    providers: [
      ...(localAccounts === undefined ? [] : [localProvider({ runtime, accounts: localAccounts, attempt })]),
      ...(oidc === undefined ? [] : [oidc]),
    ],
    useSecureCookies: isSecureUrl(config.publicUrl),
    cookies: cookieNames(config.publicUrl),
    session: { strategy: "jwt", maxAge: config.auth.session.absoluteHours * 3600 },
    pages: { signIn, signOut: signIn, error: signIn },
    logger: {
      error: (code, metadata) => runtime.log.warn({ code, err: errorOf(metadata) }, "sign-in failed"),
      warn: (code) => runtime.log.debug({ code }, "next-auth"),
      debug: () => {},
    },
    callbacks: {
      redirect: ({ url, baseUrl }) => `${baseUrl}${basePath}${safeCallbackPath(url, `${baseUrl}${basePath}`)}`,
      signIn: ({ account, profile }) =>
        account?.provider === "oidc" ? admitOidcUser({ runtime, attempt, profile }) : attempt.sessionId !== undefined,
      jwt: () => (attempt.sessionId === undefined ? {} : { sid: attempt.sessionId }),
    },
  };
}

type LocalAttempt = { runtime: WebRuntime; accounts: LocalAccounts; attempt: SignInAttempt };

function localProvider({ runtime, accounts, attempt }: LocalAttempt): CredentialsConfig {
  return {
    id: accounts.method,
    type: "credentials",
    name: accounts.label,
    credentials: { username: { label: "User name" }, password: { label: "Password", type: "password" } },
    authorize: async (credentials) => {
      const username = credentials?.username ?? "";
      const password = credentials?.password ?? "";
      const admitted = await admitLocalUser({ runtime, accounts, attempt, username, password });
      return admitted ? { id: username, name: username } : null;
    },
  };
}

async function admitLocalUser({
  runtime,
  accounts,
  attempt,
  username,
  password,
}: LocalAttempt & { username: string; password: string }): Promise<boolean> {
  const key = `${attempt.address}|${username.slice(0, 200)}`;
  const now = runtime.now();
  const retryAfterSeconds = runtime.signInLimiter.retryAfterSeconds(key, now);
  if (retryAfterSeconds !== undefined) {
    attempt.failure = "RateLimited";
    attempt.retryAfterSeconds = retryAfterSeconds;
    return false;
  }
  const account = accounts.check({ username, password });
  if (account === undefined) {
    runtime.signInLimiter.recordFailure(key, now);
    attempt.failure = "CredentialsSignin";
    const isKnown = accounts.list.some((known) => known.username === username);
    const { requestId, address } = attempt;
    const name = isKnown ? username : undefined;
    await recordFailedSignIn({ runtime, address, name, reason: "wrong credentials", requestId });
    return false;
  }
  runtime.signInLimiter.reset(key);
  const { groups } = account;
  return openSession({
    runtime,
    attempt,
    signIn: {
      identity: { issuer: accounts.issuer, subject: username, username, groups },
      name: username,
      claims: { sub: username, preferred_username: username, groups },
      method: accounts.method,
      authenticatedAt: now,
    },
  });
}

async function admitOidcUser({
  runtime,
  attempt,
  profile,
}: {
  runtime: WebRuntime;
  attempt: SignInAttempt;
  profile: unknown;
}): Promise<boolean> {
  const { config } = runtime.config();
  const { oidc } = config.auth;
  const places = config.clusters.map(({ impersonation }) => impersonation.groupsClaim);
  const person = readOidcProfile({ profile, oidc, places });
  const { requestId, address } = attempt;
  type Refusal = Pick<Parameters<typeof recordFailedSignIn>[0], "reason" | "name" | "issuer" | "subject">;
  const refuse = async (failure: SignInAttempt["failure"], refusal: Refusal): Promise<false> => {
    attempt.failure = failure;
    // If nobody can sign in, nobody can read the audit log either.
    runtime.log.warn({ requestId, reason: refusal.reason }, "sign-in refused");
    await recordFailedSignIn({ runtime, address, requestId, ...refusal });
    return false;
  };
  if (!person.ok) {
    const { ok: _, failure, ...refusal } = person;
    return refuse(failure, { name: undefined, ...refusal });
  }
  const { identity, name, claims } = person.signIn;
  if (deriveRights({ subject: { identity }, auth: config.auth, localAccounts: undefined }) === undefined) {
    const { issuer, subject } = identity;
    const place = oidc?.groupsClaim ?? "groups";
    const isSent = readClaim(claims, place) !== undefined;
    const reason = `no role binding matches${isSent ? "" : `, and the provider sent no claim ${place}`}`;
    return refuse("AccessDenied", { name, issuer, subject, reason });
  }
  return openSession({ runtime, attempt, signIn: person.signIn });
}

async function openSession({
  runtime,
  attempt,
  signIn,
}: {
  runtime: WebRuntime;
  attempt: SignInAttempt;
  signIn: Parameters<typeof startSession>[0]["signIn"];
}): Promise<boolean> {
  try {
    const { requestId, address, userAgent, replaces } = attempt;
    attempt.sessionId = await startSession({ runtime, signIn: { ...signIn, address, userAgent, replaces }, requestId });
    attempt.failure = undefined;
    runtime.metrics.signIns.inc({ outcome: "succeeded" });
    return true;
  } catch (error) {
    runtime.log.error({ err: error, requestId: attempt.requestId }, "session could not be opened");
    attempt.failure = "Unavailable";
    return false;
  }
}

function cookieNames(publicUrl: string): Partial<CookiesOptions> {
  const options = { httpOnly: true, sameSite: "lax" as const, path: "/", secure: isSecureUrl(publicUrl) };
  const cookie = (name: string) => ({ name: cookieName(publicUrl, name), options });
  return {
    sessionToken: { name: sessionCookieName(publicUrl), options },
    callbackUrl: cookie("callback-url"),
    csrfToken: { name: csrfCookieName(publicUrl), options },
    pkceCodeVerifier: cookie("pkce"),
    state: cookie("state"),
    nonce: cookie("nonce"),
  };
}

function errorOf(metadata: unknown): unknown {
  return metadata instanceof Error ? metadata : (metadata as { error?: unknown } | undefined)?.error;
}
