import { describe, expect, it } from "vitest";
import { oidcProvider, readOidcProfile } from "#lib/server/people/auth/oidc-provider.ts";
import { OidcConfig } from "#lib/server/platform/config/config-schema.ts";
import type { WebRuntime } from "#lib/server/process/web-runtime.ts";

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

describe("who signed in", () => {
  const oidc = OidcConfig.parse({ issuer: "https://issuer.example", clientId: "g", clientSecret: "env:S" });
  const read = (claims: Record<string, unknown>) =>
    readOidcProfile({
      ...{ profile: { iss: oidc.issuer, sub: "s-1", preferred_username: "guest", ...claims }, oidc },
      places: [],
    });

  it.each([
    { name: "On Call", shown: "On Call" },
    { name: "on\u200bcall\u202e", shown: "oncall" },
    { name: "x".repeat(500), shown: "x".repeat(100) },
    { name: "\u200b", shown: "guest" },
    { name: undefined, shown: "guest" },
  ])("is shown by the name $shown", ({ name, shown }) => {
    expect(read({ name })).toMatchObject({ ok: true, signIn: { name: shown, identity: { username: "guest" } } });
  });

  it.each(["on\u200bcall", "oncall\u0000", "on\u202ecall", "x".repeat(257)])(
    "is nobody by the user name %j",
    (username) => {
      expect(read({ preferred_username: username })).toMatchObject({ ok: false });
    },
  );

  it.each([
    { verified: true, ok: true },
    { verified: "true", ok: true },
    { verified: undefined, ok: true },
    { verified: false, ok: false },
    { verified: "false", ok: false },
    { verified: null, ok: false },
    { verified: 0, ok: false },
  ])("by an e-mail address with email_verified $verified: accepted $ok", ({ verified, ok }) => {
    const profile = { iss: oidc.issuer, sub: "s-1", email: "oncall@example.com", email_verified: verified };
    const person = readOidcProfile({ profile, oidc: { ...oidc, usernameClaim: "email" }, places: [] });
    expect(person).toMatchObject(ok ? { ok } : { ok, failure: "UnusableIdentity" });
  });

  it("is refused if the provider left out the groups, even with a name that a binding may have", () => {
    expect(read({ name: "On Call", _claim_names: { groups: "src1" } })).toEqual({
      ok: false,
      failure: "GroupsLeftOut",
      reason: expect.stringContaining("left out the claim groups (_claim_names)"),
      ...{ issuer: oidc.issuer, subject: "s-1", name: "On Call" },
    });
  });

  it("keeps the nested claims that the config names, for clusters and tokens", () => {
    const profile = {
      ...{ iss: oidc.issuer, sub: "s-1", preferred_username: "guest" },
      ...{ realm: { roles: ["ops"] }, teams: { list: ["dev"] }, "/realm/roles": ["forged"] },
    };
    const person = readOidcProfile({
      ...{ profile, oidc: { ...oidc, groupsClaim: "/realm/roles" } },
      places: ["groups", "/teams/list"],
    });
    expect(person).toMatchObject({
      signIn: { identity: { groups: ["ops"] }, claims: { "/realm/roles": ["ops"], "/teams/list": ["dev"] } },
    });
  });
});
