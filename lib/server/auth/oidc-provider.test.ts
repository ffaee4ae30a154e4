import { describe, expect, it } from "vitest";
import { oidcProvider } from "#lib/server/auth/oidc-provider.ts";
import type { WebRuntime } from "#lib/server/runtime/web-runtime.ts";

const runtime = {
  config: () => ({
    config: { auth: { oidc: { issuer: "https://issuer.example", label: "SSO", clientId: "g", scopes: ["openid"] } } },
    oidcClientSecret: "secret",
  }),
} as unknown as WebRuntime;

type Request = (context: { client: unknown; tokens: unknown }) => Promise<Record<string, unknown>>;

async function claimsOf(userinfo: Record<string, unknown>): Promise<Record<string, unknown>> {
  const provider = oidcProvider(runtime) as unknown as { userinfo: { request: Request } };
  const client = {
    issuer: { metadata: { userinfo_endpoint: "https://issuer.example/me" } },
    userinfo: async () => userinfo,
  };
  return provider.userinfo.request({
    client,
    tokens: { access_token: "a", claims: () => ({ iss: "https://issuer.example", sub: "oncall" }) },
  });
}

describe("claims from the userinfo endpoint", () => {
  it("are added where they are of the same person", async () => {
    expect(await claimsOf({ sub: "oncall", groups: ["ops"] })).toMatchObject({ sub: "oncall", groups: ["ops"] });
  });

  it.each([{ sub: "nameless", groups: ["admins"] }, { groups: ["admins"] }])("are refused for %o", async (userinfo) => {
    await expect(claimsOf(userinfo)).rejects.toThrow("another subject");
  });
});
