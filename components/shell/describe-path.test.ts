import { expect, it } from "vitest";
import { describePath, runUidOf } from "#components/shell/describe-path.ts";

it.each([
  { path: "/inbox", crumbs: [{ label: "Inbox" }] },
  {
    path: "/rollouts/prod/pay%20ments/Rollout/checkout",
    crumbs: [
      { label: "Rollouts", href: "/rollouts" },
      { label: "prod", href: "/rollouts?cluster=prod" },
      { label: "pay ments", href: "/rollouts?cluster=prod&namespace=pay+ments" },
      { label: "checkout" },
    ],
  },
  {
    path: "/templates/prod/-/ClusterAnalysisTemplate/slo",
    crumbs: [
      { label: "Templates", href: "/templates" },
      { label: "prod", href: "/templates?cluster=prod" },
      { label: "slo" },
    ],
  },
  { path: "/experiments/uid", crumbs: [{ label: "Experiments", href: "/experiments" }, { label: "Experiment" }] },
  { path: "/elsewhere", crumbs: [] },
])("$path", ({ path, crumbs }) => {
  expect(describePath(path)).toEqual(crumbs);
});

it.each([
  { path: "/analysis-runs/a%2Fb", uid: "a/b", named: "Run" },
  { path: "/analysis-runs", uid: undefined, named: undefined },
  { path: "/experiments/uid", uid: undefined, named: "Experiment" },
])("names the run of $path once it is known", ({ path, uid, named }) => {
  expect(runUidOf(path)).toBe(uid);
  expect(describePath(path)[1]?.label).toBe(named);
  const known = describePath(path, "payments/checkout, revision 12")[1]?.label;
  expect(known).toBe(uid === undefined ? named : "payments/checkout, revision 12");
});
