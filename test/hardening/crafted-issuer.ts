import { createHmac, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

type Claims = Record<string, unknown>;
/** How one id token is made, given the claims that a valid one would have. */
export type Craft = { claims?: (sound: Claims) => Claims; algorithm?: "RS256" | "none" | "HS256" | "strange key" };

export type CraftedIssuer = { issuer: string; next: Craft; close(): Promise<void> };

/** Starts an OpenID Connect provider whose token endpoint returns id tokens as `next` crafts them; valid by default. */
export async function startCraftedIssuer({
  clientId,
  secret,
}: {
  clientId: string;
  secret: string;
}): Promise<CraftedIssuer & { nonce: string }> {
  const own = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const strange = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const state = { issuer: "", next: {} as Craft, nonce: "", close: async () => {} };
  const server = createServer((request, response) => {
    const answer = (value: unknown) => {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(value));
    };
    const { issuer } = state;
    if (request.url === "/.well-known/openid-configuration")
      answer({
        issuer,
        authorization_endpoint: `${issuer}/auth`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        response_types_supported: ["code"],
        id_token_signing_alg_values_supported: ["RS256", "HS256", "none"],
      });
    else if (request.url === "/jwks")
      answer({ keys: [{ ...own.publicKey.export({ format: "jwk" }), kid: "own", alg: "RS256", use: "sig" }] });
    else if (request.url === "/token") {
      const now = Math.floor(Date.now() / 1000);
      const sound: Claims = {
        iss: issuer,
        aud: clientId,
        sub: "releaser",
        preferred_username: "releaser",
        nonce: state.nonce,
        iat: now,
        exp: now + 300,
      };
      const claims = state.next.claims?.(sound) ?? sound;
      const keys = { own: own.privateKey, strange: strange.privateKey, secret };
      answer({
        access_token: "a",
        token_type: "Bearer",
        id_token: makeToken(claims, state.next.algorithm ?? "RS256", keys),
      });
    } else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  state.issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  state.close = () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return state;
}

function makeToken(
  claims: Claims,
  algorithm: NonNullable<Craft["algorithm"]>,
  keys: { own: KeyObject; strange: KeyObject; secret: string },
): string {
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const alg = algorithm === "strange key" ? "RS256" : algorithm;
  const text = `${encode({ alg, typ: "JWT", kid: "own" })}.${encode(claims)}`;
  if (algorithm === "none") return `${text}.`;
  if (algorithm === "HS256") return `${text}.${createHmac("sha256", keys.secret).update(text).digest("base64url")}`;
  const key = algorithm === "strange key" ? keys.strange : keys.own;
  return `${text}.${sign("sha256", Buffer.from(text), key).toString("base64url")}`;
}
