import { describe, expect, it } from "vitest";
import {
  describeGrantLack,
  findGrantLack,
  type GrantLack,
  intersectPatterns,
  listGrants,
  listSecondPersonNeeds,
} from "./list-grants.ts";
import { matchesAny } from "./match-glob.ts";
import {
  everywhere,
  type Grant,
  mayAct,
  mayBreakGlass,
  mayRead,
  type Rights,
  type Role,
  type Scope,
  type Target,
} from "./rights.ts";

const grant = (role: Role, scope: Partial<Scope> = {}, rest: Partial<Grant> = {}): Grant => ({
  role,
  scope: { ...everywhere, ...scope },
  actions: ["*"],
  breakGlass: false,
  ...rest,
});
const inPayments = { namespaces: ["payments"] };

const cases: { name: string; rights: Rights; grants: Grant[] }[] = [
  {
    name: "a person's are those of the bindings",
    rights: { grants: [grant("viewer"), grant("operator", inPayments, { breakGlass: true })], cap: "admin" },
    grants: [grant("viewer", {}, { actions: [] }), grant("operator", inPayments, { breakGlass: true })],
  },
  {
    name: "two bindings that say the same are one",
    rights: { grants: [grant("operator"), grant("operator")], cap: "admin" },
    grants: [grant("operator")],
  },
  {
    name: "a token's are at most of its role",
    rights: { grants: [grant("admin", {}, { breakGlass: true })], cap: "viewer" },
    grants: [grant("viewer", {}, { actions: [] })],
  },
  {
    name: "a token that bindings name has what they and its owner's have in common",
    rights: {
      grants: [grant("operator", { clusters: ["prod-*"] }, { breakGlass: true })],
      cap: "admin",
      tokenGrants: [grant("admin", { clusters: ["*-eu"], ...inPayments }, { actions: ["abort", "pause"] })],
    },
    grants: [grant("operator", { clusters: ["prod-*-eu", "prod-eu"], ...inPayments }, { actions: ["abort", "pause"] })],
  },
  {
    name: "a kind that either names counts for both",
    rights: {
      grants: [grant("operator", { rollouts: ["shop-*", "Canary/cart"] })],
      cap: "admin",
      tokenGrants: [grant("operator", { rollouts: ["Canary/*"] })],
    },
    grants: [grant("operator", { rollouts: ["Canary/cart", "Canary/shop-*"] })],
  },
  {
    name: "a token whose bindings lie elsewhere has none",
    rights: {
      grants: [grant("admin", inPayments)],
      cap: "admin",
      tokenGrants: [grant("admin", { namespaces: ["shop"] })],
    },
    grants: [],
  },
  {
    name: "nobody's are none",
    rights: { grants: [], cap: "admin" },
    grants: [],
  },
];

describe("listGrants", () => {
  it.each(cases)("$name", ({ rights, grants }) => {
    expect(listGrants(rights)).toEqual(grants);
  });

  it.each(cases)("$name: the grants give what the rights give", ({ rights }) => {
    const shown: Rights = { grants: listGrants(rights), cap: "admin" };
    for (const cluster of ["prod-eu", "prod-a-eu", "prod-us", "x"])
      for (const namespace of ["payments", "shop"]) {
        const target = { cluster, namespace, kind: "Rollout", name: "checkout" };
        expect(mayRead(shown, target)).toBe(mayRead(rights, target));
        expect(mayBreakGlass(shown, target)).toBe(mayBreakGlass(rights, target));
        for (const action of ["abort", "continue"])
          expect(mayAct(shown, { action, target })).toBe(mayAct(rights, { action, target }));
      }
  });
});

const actions = [
  { name: "promote-full", protective: false },
  { name: "continue", protective: false },
  { name: "abort", protective: true },
];
const rule = {
  name: "two of us",
  scope: everywhere,
  actions: ["*"],
  includeProtective: false,
  robotsMayAsk: false,
  expireMinutes: 60,
  approvers: 2,
  groups: ["sre"],
};

describe("listSecondPersonNeeds", () => {
  it.each([
    { name: "all that advances", change: {}, grant: grant("operator"), named: [["promote-full", "continue"]] },
    {
      name: "protective ones where the rule says so",
      change: { includeProtective: true },
      grant: grant("operator"),
      named: [["promote-full", "continue", "abort"]],
    },
    { name: "named ones", change: { actions: ["promote-*"] }, grant: grant("operator"), named: [["promote-full"]] },
    {
      name: "what the grant gives only",
      change: {},
      grant: grant("operator", {}, { actions: ["continue"] }),
      named: [["continue"]],
    },
    { name: "nothing of a viewer", change: {}, grant: grant("viewer", {}, { actions: [] }), named: [] },
    {
      name: "nothing elsewhere",
      change: { scope: { ...everywhere, namespaces: ["shop"] } },
      grant: grant("operator", inPayments),
      named: [],
    },
  ])("$name", ({ change, grant, named }) => {
    const needs = listSecondPersonNeeds({ grant, rules: [{ ...rule, ...change }], actions });
    expect(needs.map(({ actions }) => actions)).toEqual(named);
  });

  it("says in which part of the scope", () => {
    const scope = { ...everywhere, clusters: ["prod-*"] };
    const [need] = listSecondPersonNeeds({
      grant: grant("operator", inPayments),
      rules: [{ ...rule, scope }],
      actions,
    });
    expect(need).toEqual({
      rule: "two of us",
      actions: ["promote-full", "continue"],
      scope: { clusters: ["prod-*"], namespaces: ["payments"], rollouts: ["*"] },
      expireMinutes: 60,
      approvers: "2 other people from sre",
    });
  });
});

const letters = ["a", "b", "-"];
const namesOf = (length: number): string[] =>
  length === 0 ? [""] : namesOf(length - 1).flatMap((name) => letters.map((letter) => name + letter));
const names = [0, 1, 2, 3, 4, 5].flatMap(namesOf);

describe("intersectPatterns", () => {
  it.each<[string[], string[], string[]]>([
    [["*"], ["team-*"], ["team-*"]],
    [["team-*"], ["*"], ["team-*"]],
    [["team-*"], ["team-a"], ["team-a"]],
    [["team-a"], ["team-b"], []],
    [["team-?"], ["team-*"], ["team-?"]],
    [["a*"], ["*b"], ["a*b"]],
    [["team-*", "shop"], ["*"], ["team-*", "shop"]],
    [[], ["*"], []],
    [["*"], [], []],
  ])("%j and %j: %j", (left, right, both) => {
    expect(intersectPatterns(left, right)).toEqual(both);
  });

  it("matches what both match, and nothing else", () => {
    const patterns = [
      "",
      "*",
      "a",
      "?",
      "a*",
      "*a",
      "a?",
      "?a*",
      "*a*",
      "a*b",
      "*-*",
      "a-*",
      "**b",
      "ab*",
      "*ba",
      "??*",
    ];
    for (const left of patterns)
      for (const right of patterns) {
        const both = intersectPatterns([left, "b-b"], [right]);
        for (const name of names)
          expect(matchesAny(both, name), `${left} and ${right}: ${both.join(" ")} on "${name}"`).toBe(
            matchesAny([left, "b-b"], name) && matchesAny([right], name),
          );
      }
  });
});

describe("findGrantLack", () => {
  const target: Target = { cluster: "prod-us", namespace: "payments", kind: "Rollout", name: "checkout" };
  const operator: Grant = { role: "operator", scope: everywhere, actions: ["*"], breakGlass: false };
  const within = (scope: Partial<Grant["scope"]>): Grant => ({ ...operator, scope: { ...everywhere, ...scope } });

  type Case = { name: string; grant: Grant; action?: string; lack: GrantLack | undefined; says?: string };
  const cases: Case[] = [
    { name: "gives it everywhere", grant: operator, lack: undefined },
    { name: "a viewer", grant: { ...operator, role: "viewer" }, lack: "role", says: "a viewer only reads" },
    { name: "an admin within", grant: { ...within({ clusters: ["prod-*"] }), role: "admin" }, lack: undefined },
    {
      name: "another cluster",
      grant: within({ clusters: ["prod-eu"] }),
      lack: "clusters",
      says: "only in clusters prod-eu, which do not include prod-us",
    },
    {
      name: "another namespace",
      grant: within({ namespaces: ["shop-*", "web"] }),
      lack: "namespaces",
      says: "only in namespaces shop-*, web, which do not include payments",
    },
    {
      name: "another rollout",
      grant: within({ rollouts: ["Canary/checkout"] }),
      lack: "rollouts",
      says: "only for rollouts Canary/checkout, which do not include checkout",
    },
    {
      name: "another action",
      grant: { ...operator, actions: ["retry", "pause"] },
      lack: "actions",
      says: "only for the actions retry, pause, which do not include abort",
    },
    { name: "a pattern of actions", grant: { ...operator, actions: ["a*"] }, lack: undefined },
    { name: "no action at all", grant: { ...operator, actions: [] }, lack: "actions" },
  ];

  describe("findGrantLack", () => {
    it.each(cases)("$name", ({ grant, action = "abort", lack, says }) => {
      expect(findGrantLack(grant, { action, target })).toBe(lack);
      expect(mayAct({ grants: [grant], cap: "admin" }, { action, target })).toBe(lack === undefined);
      if (lack !== undefined && says !== undefined)
        expect(describeGrantLack(lack, grant, { action, target })).toBe(says);
    });

    it("says that a pattern of names does not reach a whole namespace", () => {
      const grant = within({ rollouts: ["shop-*"] });
      const asked = { action: "abort", target: { ...target, kind: null, name: "" } };
      expect(findGrantLack(grant, asked)).toBe("rollouts");
      expect(describeGrantLack("rollouts", grant, asked)).toBe("only for rollouts shop-*, not for all of payments");
    });
  });
});
