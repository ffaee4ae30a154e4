import { describe, expect, it } from "vitest";
import {
  everywhere,
  type Grant,
  isAdmin,
  isClusterAdmin,
  mayAct,
  mayActAlone,
  mayBreakGlass,
  mayRead,
  type Rights,
  strongestRole,
} from "./rights.ts";

const checkout = { cluster: "prod-eu", namespace: "payments", kind: "Rollout", name: "checkout" };
const grant = (change: Partial<Grant> = {}): Grant => ({
  role: "operator",
  scope: everywhere,
  actions: ["*"],
  breakGlass: false,
  ...change,
});
const rights = (change: Partial<Rights> = {}): Rights => ({ grants: [grant()], cap: "admin", ...change });
const scope = (change: Partial<Grant["scope"]>): Grant["scope"] => ({ ...everywhere, ...change });

describe("mayRead", () => {
  it.each<[string, Rights, boolean]>([
    ["everywhere", rights(), true],
    ["no grant", rights({ grants: [] }), false],
    ["an empty list of clusters", rights({ grants: [grant({ scope: scope({ clusters: [] }) })] }), false],
    ["another cluster", rights({ grants: [grant({ scope: scope({ clusters: ["staging"] }) })] }), false],
    ["another namespace", rights({ grants: [grant({ scope: scope({ namespaces: ["shop"] }) })] }), false],
    ["another rollout", rights({ grants: [grant({ scope: scope({ rollouts: ["cart"] }) })] }), false],
    ["its kind and name", rights({ grants: [grant({ scope: scope({ rollouts: ["Rollout/check*"] }) })] }), true],
    ["another kind", rights({ grants: [grant({ scope: scope({ rollouts: ["Canary/checkout"] }) })] }), false],
    [
      "a pattern that only kind and name together match",
      rights({ grants: [grant({ scope: scope({ rollouts: ["Roll*"] }) })] }),
      false,
    ],
    [
      "patterns",
      rights({ grants: [grant({ scope: { clusters: ["prod-*"], namespaces: ["pay*"], rollouts: ["check*"] } })] }),
      true,
    ],
    [
      "halves of two grants",
      rights({
        grants: [grant({ scope: scope({ clusters: ["staging"] }) }), grant({ scope: scope({ namespaces: ["shop"] }) })],
      }),
      false,
    ],
    [
      "a token that bindings name for elsewhere",
      rights({ tokenGrants: [grant({ scope: scope({ namespaces: ["shop"] }) })] }),
      false,
    ],
    ["a token that bindings name, whose owner may not", rights({ grants: [], tokenGrants: [grant()] }), false],
  ])("%s", (_name, given, expected) => {
    expect(mayRead(given, checkout)).toBe(expected);
  });
});

describe("mayAct", () => {
  it.each<[string, Rights, boolean]>([
    ["an operator", rights(), true],
    ["a viewer", rights({ grants: [grant({ role: "viewer" })] }), false],
    [
      "an operator elsewhere who views here",
      rights({ grants: [grant({ role: "viewer" }), grant({ scope: scope({ namespaces: ["shop"] }) })] }),
      false,
    ],
    ["a token of role viewer", rights({ cap: "viewer" }), false],
    ["only other actions", rights({ grants: [grant({ actions: ["continue", "retry"] })] }), false],
    ["this action by pattern", rights({ grants: [grant({ actions: ["ab*"] })] }), true],
    ["no action at all", rights({ grants: [grant({ actions: [] })] }), false],
    ["a token that bindings name as viewer", rights({ tokenGrants: [grant({ role: "viewer" })] }), false],
  ])("%s", (_name, given, expected) => {
    expect(mayAct(given, { action: "abort", target: checkout })).toBe(expected);
  });
});

describe("mayBreakGlass", () => {
  it("is its own right, where it is given", () => {
    const payments = rights({
      grants: [grant(), grant({ breakGlass: true, scope: scope({ namespaces: ["payments"] }) })],
    });
    expect(mayBreakGlass(payments, checkout)).toBe(true);
    expect(mayBreakGlass(payments, { ...checkout, namespace: "shop" })).toBe(false);
    expect(mayBreakGlass(rights(), checkout)).toBe(false);
    expect(mayBreakGlass(rights({ grants: [grant({ role: "viewer", breakGlass: true })] }), checkout)).toBe(false);
  });
});

describe("administration", () => {
  const admin = (change: Partial<Grant["scope"]> = {}) =>
    rights({ grants: [grant({ role: "admin", scope: scope(change) })] });

  it("of everything needs an admin without a scope", () => {
    expect(isAdmin(admin())).toBe(true);
    expect(isAdmin(admin({ clusters: ["prod-*"] }))).toBe(false);
    expect(isAdmin({ ...admin(), cap: "operator" })).toBe(false);
    expect(isAdmin(rights())).toBe(false);
  });

  it("of a cluster needs an admin of all its namespaces", () => {
    expect(isClusterAdmin(admin({ clusters: ["prod-*"] }), "prod-eu")).toBe(true);
    expect(isClusterAdmin(admin({ clusters: ["prod-*"] }), "staging")).toBe(false);
    expect(isClusterAdmin(admin({ namespaces: ["payments"] }), "prod-eu")).toBe(false);
  });
});

describe("strongestRole", () => {
  it("is the best of the grants, at most the cap", () => {
    const mixed = rights({ grants: [grant({ role: "viewer" }), grant({ role: "admin" })] });
    expect(strongestRole(mixed)).toBe("admin");
    expect(strongestRole({ ...mixed, cap: "operator" })).toBe("operator");
    expect(strongestRole(rights({ grants: [] }))).toBeUndefined();
  });
});

describe("mayActAlone", () => {
  const lets = (change: Partial<Grant> = {}) => grant({ agentsMayAct: true, actions: ["abort"], ...change });
  const elsewhere = scope({ namespaces: ["shop"] });

  it.each<[string, Rights, boolean]>([
    ["no binding lets agents", rights(), false],
    ["a binding lets them", rights({ grants: [lets()] }), true],
    [
      "a binding lets them elsewhere, another gives the right",
      rights({ grants: [grant(), lets({ scope: elsewhere })] }),
      false,
    ],
    ["a binding lets them do something else", rights({ grants: [grant(), lets({ actions: ["pause"] })] }), false],
    ["a viewer's token", rights({ grants: [lets()], cap: "viewer" }), false],
    ["a viewer's binding", rights({ grants: [lets({ role: "viewer" })] }), false],
    [
      "the token's binding lets it, the owner's gives the right",
      rights({ grants: [grant()], tokenGrants: [lets()] }),
      true,
    ],
    [
      "the token's binding lets it, the owner has no right",
      rights({ grants: [grant({ role: "viewer" })], tokenGrants: [lets()] }),
      false,
    ],
    [
      "the owner's binding lets others, the token's does not",
      rights({ grants: [lets()], tokenGrants: [grant()] }),
      false,
    ],
  ])("%s", (_name, given, expected) => {
    expect(mayActAlone(given, { action: "abort", target: checkout })).toBe(expected);
  });
});
