import { describe, expect, it } from "vitest";
import { describeGrantLack, findGrantLack, type GrantLack } from "./explain-grant.ts";
import { everywhere, type Grant, mayAct, type Target } from "./rights.ts";

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
    if (lack !== undefined && says !== undefined) expect(describeGrantLack(lack, grant, { action, target })).toBe(says);
  });

  it("says that a pattern of names does not reach a whole namespace", () => {
    const grant = within({ rollouts: ["shop-*"] });
    const asked = { action: "abort", target: { ...target, kind: null, name: "" } };
    expect(findGrantLack(grant, asked)).toBe("rollouts");
    expect(describeGrantLack("rollouts", grant, asked)).toBe("only for rollouts shop-*, not for all of payments");
  });
});
