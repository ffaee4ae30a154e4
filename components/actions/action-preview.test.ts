import { expect, it } from "vitest";
import { describeActingAs } from "#components/actions/action-preview.tsx";
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
  ["one group", { groups: ["sre"] }, "Runs on cluster c1 with the rights of group sre; its log names oncall."],
  [
    "many groups",
    { groups: ["a", "b", "c", "d", "e", "f"] },
    "Runs on cluster c1 with the rights of groups a, b, c, d and 2 more; its log names oncall.",
  ],
  ["a user", { mode: "user" }, "Runs on cluster c1 as user oncall, without groups."],
  ["a user with groups", { mode: "user", groups: ["a", "b"] }, "Runs on cluster c1 as user oncall (groups a, b)."],
  [
    "Gatehouse's own account",
    { mode: "serviceAccount", username: "system:serviceaccount:gatehouse:gatehouse" },
    "Runs on cluster c1 with Gatehouse's own account, system:serviceaccount:gatehouse:gatehouse; its rights apply, not yours.",
  ],
  [
    "an account whose name is still unknown",
    { mode: "serviceAccount", username: null },
    "Runs on cluster c1 with Gatehouse's own account; its rights apply, not yours.",
  ],
])("%s", (_name, change, text) => {
  expect(describeActingAs({ ...identity, ...change })).toEqual({ text, isProblem: false });
});

it("warns that without a sent group one has no rights", () => {
  expect(describeActingAs(identity)).toEqual({
    text: "Runs on cluster c1 without your rights: that cluster grants rights to groups, and Gatehouse sends none of yours.",
    isProblem: true,
  });
});

it("says why one cannot act there", () => {
  const problem = "You cannot act on cluster c1: your sign-in gives no claim email to identify you there.";
  expect(describeActingAs({ ...identity, username: null, problem })).toEqual({ text: problem, isProblem: true });
});
