import { expect, it } from "vitest";
import { describeActingAs } from "#components/actions/describe-acting-as.ts";
import type { NamedClusterIdentity } from "#lib/contract/system.ts";

const identity: NamedClusterIdentity = {
  cluster: "c1",
  access: "act",
  mode: "impersonation",
  username: "oncall",
  groups: [],
  problem: null,
};

it.each<[string, Partial<NamedClusterIdentity>, string]>([
  ["no groups", {}, "Runs on cluster c1 as oncall, without groups, via impersonation."],
  ["one group", { groups: ["sre"] }, "Runs on cluster c1 as oncall (group sre), via impersonation."],
  [
    "many groups",
    { groups: ["a", "b", "c", "d", "e", "f"] },
    "Runs on cluster c1 as oncall (groups a, b, c, d and 2 more), via impersonation.",
  ],
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

it("says why one cannot act there", () => {
  const problem = "You cannot act on cluster c1: your sign-in gives no claim email to identify you there.";
  expect(describeActingAs({ ...identity, username: null, problem })).toEqual({ text: problem, isProblem: true });
});
