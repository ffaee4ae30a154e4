import type { OAuthConfig } from "next-auth/providers/oauth";
import { z } from "zod";
import { readGroups, resolvePointers } from "#lib/server/people/auth/read-claim.ts";
import type { SignIn } from "#lib/server/people/auth/start-session.ts";
import type { OidcConfig } from "#lib/server/platform/config/config-schema.ts";
import type { WebRuntime } from "#lib/server/process/web-runtime.ts";
import { cleanName } from "#lib/util/text.ts";

type Claims = Record<string, unknown>;

/** Returns the configured OpenID Connect provider: code flow with PKCE S256, state and nonce. Undefined if none is. */
export function oidcProvider(runtime: WebRuntime): OAuthConfig<Claims> | undefined {
  const { config, oidcClientSecret } = runtime.config();
  const { oidc } = config.auth;
  if (oidc === undefined || oidcClientSecret === undefined) return undefined;
  return {
    id: "oidc",
    name: oidc.label,
    type: "oauth",
    wellKnown: `${oidc.issuer.replace(/\/$/, "")}/.well-known/openid-configuration`,
    clientId: oidc.clientId,
    clientSecret: oidcClientSecret,
    authorization: { params: { scope: oidc.scopes.join(" ") } },
    idToken: true,
    checks: ["pkce", "state", "nonce"],
    httpOptions: { timeout: 10_000 },
    userinfo: {
      // Many providers return groups only at the userinfo endpoint. The id token's claims win: they are signed.
      request: async ({ client, tokens }) => {
        const claims = idTokenClaims(tokens);
        if (client.issuer.metadata.userinfo_endpoint === undefined || tokens.access_token === undefined) return claims;
        const userinfo = await client.userinfo(tokens.access_token);
        if (userinfo.sub !== claims.sub) throw new Error("the userinfo endpoint answered for another subject");
        return { ...userinfo, ...claims };
      },
    },
    profile: (claims) => ({ id: String(claims.sub ?? ""), name: null, email: null, image: null }),
  };
}

/** Reads the claims of the id token, which openid-client has verified (signature, issuer, audience, nonce, times). */
function idTokenClaims(tokens: object): Claims & { sub: string } {
  const claims = "claims" in tokens && typeof tokens.claims === "function" ? tokens.claims() : undefined;
  return IdToken.parse(claims);
}

/** Makes a provider ask for the password again although it knows the browser, and say when it did. */
export const reauthenticationQuery = { prompt: "login", max_age: "0" };

const IdToken = z.looseObject({ iss: z.string(), sub: z.string().min(1) });

/** Who signed in, or why the provider's answer cannot be used. */
export type OidcPerson =
  | { ok: true; signIn: SignIn }
  | { ok: false; failure: "UnusableIdentity"; reason: string }
  | { ok: false; failure: "GroupsLeftOut"; reason: string; issuer: string; subject: string; name: string };

/**
 * Reads who signed in. The issuer must match the configured one exactly: identity is issuer and subject. `places`: the
 * claims that clusters use; those that a JSON pointer names are stored under it.
 */
export function readOidcProfile({
  profile,
  oidc,
  places,
}: {
  profile: unknown;
  oidc: OidcConfig | undefined;
  places: readonly string[];
}): OidcPerson {
  const unusable = (reason: string) => ({ ok: false, failure: "UnusableIdentity", reason }) as const;
  const parsed = IdToken.safeParse(profile);
  if (oidc === undefined || !parsed.success) return unusable("the provider gave no usable identity");
  const claims: Claims = parsed.data;
  const { iss, sub } = parsed.data;
  if (iss !== oidc.issuer) return unusable(`issuer is ${iss}, configured is ${oidc.issuer}`);
  const username = textOf(claims[oidc.usernameClaim]);
  if (username === undefined) return unusable(`claim ${oidc.usernameClaim} is missing or empty`);
  if (/\p{C}/u.test(username) || username.length > maxUsernameLength)
    return unusable(
      `claim ${oidc.usernameClaim} has control or invisible characters, or more than ${maxUsernameLength}`,
    );
  // Anybody could type this address. As in Kubernetes, an address without `email_verified` is the provider's to judge.
  if (oidc.usernameClaim === "email" && !mayBeVerified(claims.email_verified))
    return unusable("the e-mail address is not verified (email_verified is not true)");
  const name = cleanName(textOf(claims.name) ?? "") ?? cleanName(username) ?? "nameless";
  const { groups, problem } = readGroups(claims, oidc.groupsClaim);
  // Without its groups, a person would be another person to bindings and policies.
  if (problem !== undefined)
    return { ok: false, failure: "GroupsLeftOut", reason: problem, issuer: iss, subject: sub, name };
  return {
    ok: true,
    signIn: {
      identity: { issuer: iss, subject: sub, username, groups },
      name,
      email: textOf(claims.email),
      claims: resolvePointers(claims, [oidc.groupsClaim, ...places]),
      method: "oidc",
      authenticatedAt: timeOf(claims.auth_time),
    },
  };
}

/** Some providers send the boolean as text. */
function mayBeVerified(claim: unknown): boolean {
  return claim === undefined || claim === true || claim === "true";
}

/** Identifying names must be shown unchanged: a longer one is refused, never truncated. */
const maxUsernameLength = 256;

/** Reads `auth_time`: seconds since 1970, sent if requested (max_age), and by many providers always. */
function timeOf(value: unknown): Date | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? new Date(value * 1000) : undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}
