import { linkTo } from "#lib/domain/notify/event-path.ts";
import type { OidcConfig } from "#lib/server/config/config-schema.ts";
import { fetchJson } from "./fetch-json.ts";

/**
 * Asks the identity provider for what a sign-in begins with; nobody is signed in. Returns what it said, with the address
 * to register there. Throws one sentence that says what to mend.
 */
export async function checkIdentityProvider({
  oidc,
  publicUrl,
}: {
  oidc: OidcConfig;
  publicUrl: string;
}): Promise<string> {
  const wanted = oidc.issuer;
  const address = `${wanted.replace(/\/$/, "")}/.well-known/openid-configuration`;
  const found = await fetchJson(address, "check auth.oidc.issuer and the network from here");
  if (found.issuer !== wanted)
    throw new Error(
      `${address} names the issuer ${String(found.issuer)}: set auth.oidc.issuer to exactly that if it is yours, or nobody can sign in`,
    );
  for (const key of ["authorization_endpoint", "token_endpoint", "jwks_uri"] as const)
    if (typeof found[key] !== "string")
      throw new Error(`${address} has no ${key}: the provider does not offer sign-in by OpenID Connect`);
  const { keys } = await fetchJson(String(found.jwks_uri), "mend the provider's jwks_uri");
  if (!Array.isArray(keys) || keys.length === 0)
    throw new Error(`${String(found.jwks_uri)} has no keys: the provider must publish those that it signs with`);
  const redirect = linkTo(publicUrl, "/api/auth/callback/oidc");
  return `${wanted} answers, ${keys.length} key(s); its client ${oidc.clientId} must allow the redirect URI ${redirect}`;
}
