import { describe, expect, it } from "vitest";
import { createDemoAccounts, demoIssuer } from "#demo/accounts.ts";
import type { Role } from "#lib/contract/common.ts";
import { isAdmin, mayAct, mayRead, strongestRole } from "#lib/domain/policy/rights.ts";
import { Config } from "#lib/server/platform/config/config-schema.ts";
import { deriveRights, type Identity, robotIssuer, type Subject } from "./derive-rights.ts";

const issuer = "https://id.example";
const { auth } = Config.parse({
  publicUrl: "https://gatehouse.example",
  clusters: [{ name: "prod-eu", inCluster: true }],
  auth: {
    oidc: { issuer, clientId: "gatehouse", clientSecret: "env:SECRET" },
    roles: [
      { role: "viewer", groups: ["staff"] },
      { role: "operator", groups: ["payments"], users: ["releaser"], namespaces: ["payments"] },
      { role: "admin", users: ["root"] },
      { role: "operator", robots: ["deployer"] },
      { role: "admin", subjects: ["00u7"] },
      { role: "operator", tokens: ["t-1"], actions: ["abort"] },
    ],
  },
});
const accounts = createDemoAccounts({
  viewer: { username: "viewer", password: "12345678" },
  operator: { username: "operator", password: "12345678" },
  admin: { username: "admin", password: "12345678" },
});
const derive = (
  identity: Partial<Identity>,
  token?: Subject["token"],
  localAccounts: typeof accounts | undefined = accounts,
) =>
  deriveRights({
    subject: { identity: { issuer, subject: "s", username: "u", groups: [], ...identity }, token },
    auth,
    localAccounts,
  });
const at = (namespace: string) => ({ cluster: "prod-eu", namespace, kind: "Rollout", name: "checkout" });

type Case = { name: string; identity: Partial<Identity>; role: Role | undefined };
const cases: Case[] = [
  { name: "nobody by default", identity: { username: "nameless" }, role: undefined },
  { name: "by group", identity: { groups: ["staff"] }, role: "viewer" },
  { name: "the strongest of several", identity: { groups: ["staff", "payments"] }, role: "operator" },
  { name: "by user name", identity: { username: "root" }, role: "admin" },
  { name: "a robot by its name", identity: { issuer: robotIssuer, username: "deployer" }, role: "operator" },
  { name: "a robot by its groups", identity: { issuer: robotIssuer, groups: ["staff"] }, role: "viewer" },
  { name: "no person by a robot's name", identity: { username: "deployer" }, role: undefined },
  { name: "no robot by a user's name", identity: { issuer: robotIssuer, username: "root" }, role: undefined },
  { name: "by subject", identity: { subject: "00u7" }, role: "admin" },
  { name: "no robot by a subject", identity: { issuer: robotIssuer, subject: "00u7" }, role: undefined },
  { name: "not by a user name that is a subject", identity: { username: "00u7" }, role: undefined },
  {
    name: "not by a subject of another issuer",
    identity: { issuer: "https://other", subject: "00u7" },
    role: undefined,
  },
  {
    name: "not by a name that another issuer gave",
    identity: { issuer: "https://other", username: "root" },
    role: undefined,
  },
  { name: "not by a group that is named like a user", identity: { groups: ["root", "releaser"] }, role: undefined },
  { name: "not by a user that is named like a group", identity: { username: "payments" }, role: undefined },
  { name: "demo accounts by their account", identity: { issuer: demoIssuer, subject: "operator" }, role: "operator" },
  {
    name: "demo accounts by no binding",
    identity: { issuer: demoIssuer, subject: "gone", username: "root" },
    role: undefined,
  },
];

describe("deriveRights", () => {
  it.each(cases)("$name", ({ identity, role }) => {
    const rights = derive(identity);
    expect(rights && strongestRole(rights)).toBe(role);
  });

  it("gives demo identities nothing outside the demo", () => {
    const identity = { issuer: demoIssuer, subject: "admin", username: "root", groups: ["staff"] };
    expect(deriveRights({ subject: { identity }, auth, localAccounts: undefined })).toBeUndefined();
  });

  it("keeps each right where its binding gives it", () => {
    const rights = derive({ groups: ["staff", "payments"] });
    if (rights === undefined) throw new Error("no rights");
    expect(mayRead(rights, at("shop"))).toBe(true);
    expect(mayAct(rights, { action: "abort", target: at("shop") })).toBe(false);
    expect(mayAct(rights, { action: "abort", target: at("payments") })).toBe(true);
  });

  it("caps a token at its role", () => {
    const rights = derive({ username: "root" }, { id: "t-2", role: "viewer", restricted: false });
    if (rights === undefined) throw new Error("no rights");
    expect([isAdmin(rights), strongestRole(rights)]).toEqual([false, "viewer"]);
  });

  it("narrows a token to the bindings that name it", () => {
    const rights = derive({ username: "root" }, { id: "t-1", role: "operator", restricted: true });
    if (rights === undefined) throw new Error("no rights");
    expect(mayAct(rights, { action: "abort", target: at("shop") })).toBe(true);
    expect(mayAct(rights, { action: "continue", target: at("shop") })).toBe(false);
  });

  it("never gives a token what its owner lacks", () => {
    expect(derive({ username: "nameless" }, { id: "t-1", role: "operator", restricted: false })).toBeUndefined();
  });

  it("gives a token nothing once the bindings that named it are gone", () => {
    expect(derive({ username: "root" }, { id: "t-2", role: "operator", restricted: true })).toBeUndefined();
    expect(derive({ username: "root" }, { id: "t-2", role: "operator", restricted: false })).toBeDefined();
  });
});
