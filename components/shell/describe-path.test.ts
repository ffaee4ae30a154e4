import { expect, it } from "vitest";
import { describePath } from "#components/shell/describe-path.ts";

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
