import { describe, expect, it } from "vitest";
import type { Role } from "#lib/contract/common.ts";
import { demoIssuer } from "./demo-accounts.ts";
import { deriveRole, hasRole, type Identity, weakerRole } from "./derive-role.ts";

const bindings = [
  { role: "viewer" as const, groups: ["staff"], users: [] },
  { role: "operator" as const, groups: ["payments"], users: ["releaser"] },
  { role: "admin" as const, groups: [], users: ["root"] },
];
const accounts = {
  viewer: { username: "viewer", password: "12345678" },
  operator: { username: "operator", password: "12345678" },
  admin: { username: "admin", password: "12345678" },
};

type Case = { name: string; identity: Partial<Identity>; role: Role | undefined };
const cases: Case[] = [
  { name: "nobody by default", identity: { username: "nameless" }, role: undefined },
  { name: "by group", identity: { groups: ["staff"] }, role: "viewer" },
  { name: "the strongest of several", identity: { groups: ["staff", "payments"] }, role: "operator" },
  { name: "by user name", identity: { username: "root" }, role: "admin" },
  { name: "not by a group that is named like a user", identity: { groups: ["root", "releaser"] }, role: undefined },
  { name: "not by a user that is named like a group", identity: { username: "payments" }, role: undefined },
  { name: "demo accounts by their account", identity: { issuer: demoIssuer, subject: "operator" }, role: "operator" },
  {
    name: "demo accounts by no binding",
    identity: { issuer: demoIssuer, subject: "gone", username: "root" },
    role: undefined,
  },
];

describe("deriveRole", () => {
  it.each(cases)("$name", ({ identity, role }) => {
    const whole = { issuer: "https://id.example", subject: "s", username: "u", groups: [], ...identity };
    expect(deriveRole({ identity: whole, bindings, demoAccounts: accounts })).toBe(role);
  });

  it("gives demo identities nothing outside the demo", () => {
    const identity = { issuer: demoIssuer, subject: "admin", username: "root", groups: ["staff"] };
    expect(deriveRole({ identity, bindings, demoAccounts: undefined })).toBe(undefined);
  });
});

it("ranks roles", () => {
  expect(hasRole("operator", "viewer")).toBe(true);
  expect(hasRole("operator", "operator")).toBe(true);
  expect(hasRole("operator", "admin")).toBe(false);
  expect(weakerRole("viewer", "admin")).toBe("viewer");
});
