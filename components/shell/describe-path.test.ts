import { expect, it } from "vitest";
import { describePath, findShown } from "#components/shell/describe-path.ts";

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
  { path: "/sets/version/v2.31.0", crumbs: [{ label: "Rollouts", href: "/rollouts" }, { label: "Version v2.31.0" }] },
  { path: "/action-groups/7", crumbs: [{ label: "Rollouts", href: "/rollouts" }, { label: "Action 7" }] },
  { path: "/experiments/uid", crumbs: [{ label: "Experiments", href: "/experiments" }, { label: "Experiment" }] },
  { path: "/device", crumbs: [{ label: "Sign in from a terminal" }] },
  { path: "/elsewhere", crumbs: [] },
])("$path", ({ path, crumbs }) => {
  expect(describePath(path)).toEqual(crumbs);
});

it.each([
  { path: "/analysis-runs/a%2Fb", id: "a/b", named: "Run" },
  { path: "/releases/1", id: "1", named: "Release" },
  { path: "/experiments/uid", id: "uid", named: "Experiment" },
  { path: "/findings/1", id: "1", named: "Finding" },
  { path: "/analysis-runs", id: undefined, named: undefined },
  { path: "/audit/4", id: undefined, named: "Entry 4" },
])("names what $path shows once it is known", ({ path, id, named }) => {
  expect(findShown(path)?.id).toBe(id);
  expect(describePath(path)[1]?.label).toBe(named);
  const known = describePath(path, "payments/checkout, revision 12")[1]?.label;
  expect(known).toBe(id === undefined ? named : "payments/checkout, revision 12");
});
