import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { parse } from "yaml";
import { Me } from "#lib/contract/system.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { startOidcProvider } from "#test/oidc-provider.ts";
import { Browser, begin, logIn } from "#test/sign-in-browser.ts";
import { startTestWeb, testOrigin } from "#test/web-runtime.ts";
import { listBlocks } from "../../../scripts/doc-examples.ts";
import { GET as getMe } from "../v1/me/route.ts";

// Signs in with each config of docs/sign-in.md, at an OpenID Connect server with the claims of that provider. Only the
// issuer's origin is the test's own.

type Oidc = { issuer: string; clientId: string; groupsClaim?: string };
type Documented = { auth: { oidc: Oidc; roles?: unknown[] } };

const page = readFileSync(join(import.meta.dirname, "../../../docs/sign-in.md"), "utf8");

/** Returns the configs below each heading of the page. */
function readConfigs(): Map<string, Documented[]> {
  const sections = page.split(/^(?=#{2,3} )/m).map((section) => {
    const [, heading = ""] = /^#+ (.*)/.exec(section) ?? [];
    const blocks = listBlocks(section).filter(({ info }) => info === "yaml gatehouse");
    return [heading, blocks.map(({ text }) => parse(text) as Documented)] as const;
  });
  return new Map(sections.filter(([, configs]) => configs.length > 0));
}

type Person = {
  login: string;
  claims: Record<string, unknown>;
  /** The role and groups after sign-in, or the error of the sign-in page and the reason in the audit log. */
  expected: { role: string; groups: string[] } | { error: string; reason: string };
};
type Case = {
  heading: string;
  /** Which of the configs below the heading. */
  index?: number;
  /** Claims by scope, and whether the ID token has them. */
  scopes: Record<string, string[]>;
  inIdToken: boolean;
  people: Person[];
};

const standard = { profile: ["name", "preferred_username"], email: ["email", "email_verified"] };
const tenant = "11111111-2222-3333-4444-555555555555";
const entra = {
  // Entra ID sends optional claims for every scope.
  scopes: { ...standard, profile: ["name", "preferred_username", "oid", "tid", "roles", "groups", "hasgroups"] },
  inIdToken: true,
};
const entraPerson = { preferred_username: "releaser@example.com", oid: "0c1d2e3f", tid: tenant };
/** As Entra ID sends it to a person in more than 200 groups. */
const overage = {
  _claim_names: { groups: "src1" },
  _claim_sources: { src1: { endpoint: `https://graph.microsoft.com/v1.0/${tenant}/users/0c1d2e3f/getMemberObjects` } },
};
const leftOut = (sign: string) => ({
  error: "GroupsLeftOut",
  reason: `the provider left out the claim groups (${sign}): this person is in too many groups`,
});
const withGroups = { ...standard, groups: ["groups"] };
const noRole = (reason: string) => ({ error: "AccessDenied", reason });
const releaser = { role: "operator", groups: ["release-engineers", "staff"] };

const cases: Case[] = [
  {
    ...{ heading: "Entra ID", index: 0, ...entra },
    people: [
      {
        login: "releaser",
        claims: { ...entraPerson, roles: ["gatehouse.operator"] },
        expected: { role: "operator", groups: ["gatehouse.operator"] },
      },
      {
        login: "in-many-groups",
        claims: { ...entraPerson, roles: ["gatehouse.admin", "gatehouse.viewer"], ...overage },
        expected: { role: "admin", groups: ["gatehouse.admin", "gatehouse.viewer"] },
      },
      {
        login: "unassigned",
        claims: entraPerson,
        expected: noRole("no role binding matches, and the provider sent no claim roles"),
      },
    ],
  },
  {
    ...{ heading: "Entra ID", index: 1, ...entra },
    people: [
      {
        login: "releaser",
        claims: {
          ...entraPerson,
          groups: ["aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee", "ffffffff-0000-1111-2222-333333333333"],
        },
        expected: {
          role: "operator",
          groups: ["aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee", "ffffffff-0000-1111-2222-333333333333"],
        },
      },
      { login: "in-many-groups", claims: { ...entraPerson, ...overage }, expected: leftOut("_claim_names") },
      { login: "of-implicit-flow", claims: { ...entraPerson, hasgroups: true }, expected: leftOut("hasgroups") },
    ],
  },
  {
    ...{ heading: "Okta", scopes: withGroups, inIdToken: true },
    people: [
      {
        login: "releaser",
        claims: { preferred_username: "releaser@example.com", groups: ["gatehouse-operators"] },
        expected: { role: "operator", groups: ["gatehouse-operators"] },
      },
      {
        login: "filtered",
        claims: { preferred_username: "guest@example.com" },
        expected: noRole("no role binding matches, and the provider sent no claim groups"),
      },
    ],
  },
  {
    heading: "Google",
    ...{
      path: "",
      scopes: { profile: ["name", "picture"], email: ["email", "email_verified", "hd"] },
      inIdToken: true,
    },
    people: [
      {
        login: "110169484474386276334",
        claims: { name: "Releaser", email: "releaser@example.com", email_verified: true, hd: "example.com" },
        expected: { role: "operator", groups: ["example.com"] },
      },
      {
        login: "110169484474386276335",
        claims: { name: "Reader", email: "reader@example.com", email_verified: true, hd: "example.com" },
        expected: { role: "viewer", groups: ["example.com"] },
      },
      {
        login: "110169484474386276336",
        claims: { name: "Stranger", email: "stranger@gmail.example", email_verified: true },
        expected: noRole("no role binding matches, and the provider sent no claim hd"),
      },
    ],
  },
  {
    ...{ heading: "LDAP", scopes: withGroups, inIdToken: true },
    people: [
      {
        login: "CgdyZWxlYXNlEgRsZGFw",
        claims: { name: "Releaser", preferred_username: "releaser", groups: ["release-engineers", "staff"] },
        expected: releaser,
      },
    ],
  },
  {
    ...{ heading: "SAML", scopes: withGroups, inIdToken: true },
    people: [
      {
        login: "CgdyZWxlYXNlEgRzYW1s",
        claims: {
          ...{ name: "Releaser", preferred_username: undefined, email: "releaser@example.com", email_verified: true },
          groups: ["release-engineers", "staff"],
        },
        expected: releaser,
      },
    ],
  },
  {
    ...{ heading: "GitHub", scopes: withGroups, inIdToken: true },
    people: [
      {
        login: "CgcxMjM0NTY3EgZnaXRodWI",
        claims: { preferred_username: "releaser", groups: ["example:release-engineers"] },
        expected: { role: "operator", groups: ["example:release-engineers"] },
      },
    ],
  },
  {
    ...{ heading: "Keycloak", index: 0, inIdToken: true },
    // Mappers of the dedicated scope send their claims with every scope.
    scopes: { ...standard, profile: [...standard.profile, "groups"] },
    people: [
      {
        login: "f:1:releaser",
        claims: { preferred_username: "releaser", groups: releaser.groups },
        expected: releaser,
      },
    ],
  },
  {
    ...{ heading: "Keycloak", index: 1, inIdToken: true },
    scopes: { ...standard, profile: [...standard.profile, "resource_access", "realm_access"] },
    people: [
      {
        login: "f:1:releaser",
        claims: {
          preferred_username: "releaser",
          realm_access: { roles: ["admin", "offline_access"] },
          resource_access: { account: { roles: ["admin"] }, gatehouse: { roles: ["operator"] } },
        },
        expected: { role: "operator", groups: ["operator"] },
      },
      {
        login: "f:1:guest",
        claims: { preferred_username: "guest", resource_access: { account: { roles: ["admin"] } } },
        expected: noRole("no role binding matches, and the provider sent no claim /resource_access/gatehouse/roles"),
      },
    ],
  },
];

const configs = readConfigs();
let database: TestDatabase;
const closing: (() => Promise<void>)[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
});
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});
afterAll(() => database.drop());

it("has a case for each config of a provider on the page", () => {
  const documented = [...configs].flatMap(([heading, list]) => list.map((_, index) => `${heading} ${index}`));
  const [example, ...providers] = documented;
  expect(example).toBe("What Gatehouse needs 0");
  expect(providers).toEqual(cases.map(({ heading, index = 0 }) => `${heading} ${index}`));
});

describe.each(cases)("the config for $heading ($index)", ({ heading, index = 0, scopes, inIdToken, people }) => {
  it.each(people)("lets in or refuses $login", async ({ login, claims, expected }) => {
    const documented = configs.get(heading)?.[index]?.auth;
    if (documented === undefined) throw new Error(`docs/sign-in.md has no config ${index} below ${heading}`);
    const path = new URL(documented.oidc.issuer).pathname.replace(/\/$/, "");
    const { clientId, groupsClaim = "groups" } = documented.oidc;
    const provider = await startOidcProvider({
      ...{ clientId, secret: "client-secret", path, claims: scopes, inIdToken },
      redirectUris: [`${testOrigin}/api/auth/callback/oidc`],
      // Only providers that name a user name send it.
      users: { [login]: { preferred_username: undefined, ...claims } },
    });
    closing.push(() => provider.close());
    const { issuer } = provider;
    const web = await startTestWeb({
      database,
      oidcClientSecret: "client-secret",
      config: {
        ...{ demo: undefined, auth: { ...documented, oidc: { ...documented.oidc, issuer } } },
        clusters: [{ name: "demo", server: "http://127.0.0.1:1", access: "read" }],
      },
    });
    closing.push(() => web.close());
    const warn = vi.spyOn(web.runtime.log, "warn");
    const browser = new Browser();
    const response = await browser.fetch(await logIn(browser, await begin(browser), login));
    const location = response.headers.get("location");
    if ("error" in expected) {
      expect(location).toBe(`/signin?error=${expected.error}`);
      expect(warn).toHaveBeenCalledWith(
        expect.objectContaining({ reason: expect.stringContaining(expected.reason) }),
        "sign-in refused",
      );
      expect(browser.cookieHeader(testOrigin)).not.toContain("gatehouse.session");
      const { rows } = await web.runtime.pool.query("SELECT code, entry FROM audit_entry ORDER BY seq DESC LIMIT 1");
      expect(rows[0]).toMatchObject({ code: "session.signin_failed", entry: expect.stringContaining(expected.reason) });
      return;
    }
    expect(location).toBe(`${testOrigin}/rollouts`);
    const { rows } = await web.runtime.pool.query("SELECT claims FROM user_session ORDER BY created_at DESC LIMIT 1");
    // By this, clusters and the person's tokens find the groups.
    expect([rows[0].claims[groupsClaim]].flat()).toEqual(expected.groups);
    const headers = { cookie: browser.cookieHeader(testOrigin) };
    const me = await getMe(new Request(`${testOrigin}/api/v1/me`, { headers }));
    expect(Me.parse(await me.json())).toMatchObject({ ...expected, issuer, subject: login });
  });
});
