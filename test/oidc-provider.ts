import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

type Claims = Record<string, unknown>;

export type OidcProviderOptions = {
  clientId: string;
  secret: string;
  redirectUris: string[];
  /** Claims by login name; `sub` is the login name unless they set another. Any password is accepted. */
  users: Record<string, Claims>;
  /** The path of the issuer, such as `/realms/engineering`. */
  path?: string;
  /** Claims by the scope that gives them; by default those of `profile` and `email`. */
  claims?: Record<string, string[]>;
  /** Puts these claims into the ID token too, as many providers do. */
  inIdToken?: boolean;
};

type Grant = { addOIDCScope(scope: string): void; save(): Promise<string> };
type Context = {
  oidc: {
    client: { clientId: string };
    session: { accountId: string };
    provider: { Grant: new (fields: { accountId: string; clientId: string }) => Grant };
  };
};
type ProviderClass = new (issuer: string, configuration: object) => { callback(): RequestListener };

/**
 * Starts a real OpenID Connect provider on loopback http, with plain login forms (fields `login` and `password`). It
 * asks for no consent, requires PKCE, and returns profile claims only at the userinfo endpoint, as most providers do.
 */
export async function startOidcProvider({
  clientId,
  secret,
  redirectUris,
  users,
  path = "",
  claims = { profile: ["name", "preferred_username", "groups"], email: ["email"] },
  inIdToken = false,
}: OidcProviderOptions): Promise<{ issuer: string; close(): Promise<void> }> {
  // @ts-expect-error The package has no types of its own.
  const { default: Provider } = (await import("oidc-provider")) as { default: ProviderClass };
  let listener: RequestListener = (_, response) => response.end();
  const server = createServer((request, response) => listener(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: secret,
        redirect_uris: redirectUris,
        response_types: ["code"],
        grant_types: ["authorization_code"],
      },
    ],
    claims: { openid: ["sub"], ...claims },
    conformIdTokenClaims: !inIdToken,
    cookies: { keys: ["test"] },
    features: { devInteractions: { enabled: true } },
    pkce: { required: () => true },
    ttl: { Session: 600, Interaction: 600, Grant: 600, AccessToken: 600, IdToken: 600 },
    findAccount: (_context: Context, login: string) => {
      const own = users[login];
      return own === undefined
        ? undefined
        : { accountId: login, claims: () => ({ sub: login, preferred_username: login, ...own }) };
    },
    loadExistingGrant: async ({ oidc }: Context) => {
      const grant = new oidc.provider.Grant({ accountId: oidc.session.accountId, clientId: oidc.client.clientId });
      grant.addOIDCScope(["openid", ...Object.keys(claims)].join(" "));
      await grant.save();
      return grant;
    },
  });
  const answer = provider.callback();
  listener = (request, response) => {
    // As Express mounts an application: the provider finds the rest of the path in `originalUrl`.
    const { url = "" } = request;
    if (url.startsWith(path)) Object.assign(request, { originalUrl: url, url: url.slice(path.length) });
    answer(request, response);
  };
  return {
    issuer,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
