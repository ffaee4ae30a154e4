import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CreatedToken, Me, type MyGrant } from "#lib/contract/system.ts";
import { startSession } from "#lib/server/people/auth/start-session.ts";
import { RoleBinding } from "#lib/server/platform/config/policy-schema.ts";
import { encodeSessionCookie } from "#test/session-cookie.ts";
import { signIn } from "#test/sign-in.ts";
import { startTestWeb, type TestWeb, testOrigin } from "#test/web-runtime.ts";
import { POST as createToken } from "../tokens/route.ts";
import { GET as getMe } from "./route.ts";

const issuer = "https://login.example.com";
const everywhere = { clusters: ["*"], namespaces: ["*"], rollouts: ["*"] };
const inAccounts = { clusters: ["prod"], namespaces: ["accounts-*"], rollouts: ["*"] };
let web: TestWeb;
let oncall: string;

beforeAll(async () => {
  web = await startTestWeb({
    oidcClientSecret: "secret",
    config: {
      auth: {
        oidc: { issuer, clientId: "gatehouse", clientSecret: "env:UNUSED" },
        roles: [
          { role: "viewer", groups: ["developers"] },
          { role: "operator", users: ["oncall"], clusters: ["prod"], namespaces: ["accounts-*"], breakGlass: true },
        ],
      },
      policies: {
        secondPerson: [
          { name: "two for production", clusters: ["prod"], actions: ["promote-full", "abort"] },
          { name: "elsewhere", clusters: ["staging"] },
        ],
      },
    },
  });
  const sessionId = await startSession({
    runtime: web.runtime,
    signIn: {
      identity: { issuer, subject: "oncall", username: "oncall", groups: ["developers"] },
      name: "oncall",
      claims: { preferred_username: "oncall", groups: ["developers"] },
      method: "oidc",
      authenticatedAt: new Date(),
    },
    requestId: "test",
  });
  oncall = await encodeSessionCookie({ sessionId, secret: web.runtime.secret });
});
afterAll(() => web.close());

async function grantsOf(headers: Record<string, string>): Promise<MyGrant[]> {
  const response = await getMe(new Request(`${testOrigin}/api/v1/me`, { headers }));
  return Me.parse(await response.json()).grants;
}

async function tokenOf(cookie: string, role: string): Promise<{ id: string; authorization: string }> {
  const response = await createToken(
    new Request(`${testOrigin}/api/v1/tokens`, {
      method: "POST",
      body: JSON.stringify({ name: "ci", role }),
      headers: { cookie, "sec-fetch-site": "same-origin", "content-type": "application/json" },
    }),
  );
  const { id, token } = CreatedToken.parse(await response.json());
  return { id, authorization: `Bearer ${token}` };
}

const operates: MyGrant = {
  role: "operator",
  scope: inAccounts,
  actions: ["*"],
  breakGlass: true,
  through: "binding",
  secondPerson: [
    {
      rule: "two for production",
      actions: ["promote-full"],
      scope: inAccounts,
      expireMinutes: 60,
      approvers: "a second person",
    },
  ],
};
const looks: MyGrant = {
  role: "viewer",
  scope: everywhere,
  actions: [],
  breakGlass: false,
  through: "binding",
  secondPerson: [],
};

describe("the grants of GET /me", () => {
  it("are those of each binding, with what asks for a second person there", async () => {
    expect(await grantsOf({ cookie: oncall })).toEqual([looks, operates]);
  });

  it("of a demo account are its account's, which no binding touches", async () => {
    const { cookie } = await signIn(web.runtime, "admin");
    expect(await grantsOf({ cookie })).toMatchObject([
      { role: "admin", scope: everywhere, breakGlass: true, through: "account", secondPerson: [{}, {}] },
    ]);
  });

  it("of a token are at most of its role", async () => {
    const { authorization } = await tokenOf(oncall, "viewer");
    expect(await grantsOf({ authorization })).toEqual([
      looks,
      { ...operates, role: "viewer", actions: [], breakGlass: false, secondPerson: [] },
    ]);
  });

  it("of a token that bindings name are what they and its owner's have in common, and break no glass", async () => {
    const { id, authorization } = await tokenOf(oncall, "operator");
    expect(await grantsOf({ authorization })).toEqual([looks, { ...operates, breakGlass: false }]);
    const narrow = RoleBinding.parse({
      role: "operator",
      tokens: [id],
      namespaces: ["accounts-a"],
      actions: ["abort"],
      breakGlass: true,
    });
    web.runtime.config().config.auth.roles.push(narrow);
    const inA = { ...inAccounts, namespaces: ["accounts-a"] };
    expect(await grantsOf({ authorization })).toEqual([
      { ...looks, scope: { ...everywhere, namespaces: ["accounts-a"] }, through: "token" },
      { ...operates, scope: inA, actions: ["abort"], breakGlass: false, through: "token", secondPerson: [] },
    ]);
  });
});
