import { expect, it } from "vitest";
import { describeActingAs, isNamed } from "#components/actions/action-preview.tsx";
import type { NamedClusterIdentity } from "#lib/contract/system.ts";

const identity: NamedClusterIdentity = {
  cluster: "c1",
  access: "act",
  mode: "groups",
  username: "oncall",
  groups: [],
  problem: null,
};

it.each<[string, Partial<NamedClusterIdentity>, string]>([
  ["one group", { groups: ["sre"] }, "Runs on c1 as oncall, with the rights of group sre."],
  [
    "many groups",
    { groups: ["a", "b", "c", "d", "e", "f"] },
    "Runs on c1 as oncall, with the rights of groups a, b, c, d and 2 more.",
  ],
  ["a user", { mode: "user" }, "Runs on c1 as user oncall, without groups."],
  ["a user with groups", { mode: "user", groups: ["a", "b"] }, "Runs on c1 as user oncall (groups a, b)."],
  [
    "Gatehouse's own account",
    { mode: "serviceAccount", username: "system:serviceaccount:gatehouse:gatehouse" },
    "Runs on c1 with Gatehouse's own account, system:serviceaccount:gatehouse:gatehouse; its rights apply, not yours.",
  ],
  [
    "an account whose name is still unknown",
    { mode: "serviceAccount", username: null },
    "Runs on c1 with Gatehouse's own account; its rights apply, not yours.",
  ],
])("%s", (_name, change, text) => {
  expect(describeActingAs({ ...identity, ...change })).toEqual({ text, isProblem: false });
});

it.each([
  { waives: "run a-1", effect: "Accepts the Inconclusive result of a-1: it continues.", named: true },
  { waives: "the Inconclusive result of run a-1", effect: "Overrides background run a-1: it continues.", named: true },
  { waives: "run a-1, 2 upcoming analyses", effect: "Skips all steps after a-1.", named: false },
  { waives: "run a-1", effect: undefined, named: false },
  { waives: "run a-1", effect: "Overrides run a-1-2.", named: false },
  { waives: "run a-1", effect: "Overrides run a-1.", named: true },
])("knows whether the effect names what is overridden: $waives", ({ waives, effect, named }) => {
  expect(isNamed(waives, effect)).toBe(named);
});

it("warns that without a sent group one has no rights", () => {
  expect(describeActingAs(identity)).toEqual({
    text: "Runs on c1 without your rights: that cluster grants rights to groups, and Gatehouse sends none of yours.",
    isProblem: true,
  });
});

it("says why one cannot act there", () => {
  const problem = "You cannot act on cluster c1: your sign-in gives no claim email to identify you there.";
  expect(describeActingAs({ ...identity, username: null, problem })).toEqual({ text: problem, isProblem: true });
});
