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
  ["no groups", {}, "At c1 this is done as oncall, without groups, by impersonation: with your rights there."],
  [
    "one group",
    { groups: ["sre"] },
    "At c1 this is done as oncall (group sre), by impersonation: with your rights there.",
  ],
  [
    "many groups",
    { groups: ["a", "b", "c", "d", "e", "f"] },
    "At c1 this is done as oncall (groups a, b, c, d and 2 more), by impersonation: with your rights there.",
  ],
  [
    "Gatehouse's own account",
    { mode: "serviceAccount", username: "system:serviceaccount:gatehouse:gatehouse" },
    "At c1 this is done by Gatehouse's own account, system:serviceaccount:gatehouse:gatehouse, with its rights there, not with yours.",
  ],
  [
    "an account whose name is not known yet",
    { mode: "serviceAccount", username: null },
    "At c1 this is done by Gatehouse's own account, with its rights there, not with yours.",
  ],
])("%s", (_name, change, text) => {
  expect(describeActingAs({ ...identity, ...change })).toEqual({ text, isProblem: false });
});

it("says why one cannot act there", () => {
  const problem = "You cannot act at cluster c1: your sign-in gives no claim email to name you there.";
  expect(describeActingAs({ ...identity, username: null, problem })).toEqual({ text: problem, isProblem: true });
});
