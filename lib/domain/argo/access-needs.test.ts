import { expect, it } from "vitest";
import { formatAccess, listAccessNeeds } from "./access-needs.ts";

const where = { namespace: "payments", name: "checkout" };
const deployment = { kind: "Deployment", name: "checkout-app" };

const cases: { name: string; planned: Parameters<typeof listAccessNeeds>[0]; workloadRef?: object; needs: string[] }[] =
  [
    { name: "an action without a plan", planned: { action: "retry" }, needs: ["get rollouts"] },
    {
      name: "a patch of the status",
      planned: { action: "continue", patches: [{ subresource: "status" }] },
      needs: ["get rollouts", "patch rollouts/status"],
    },
    {
      name: "both patches, each once",
      planned: { action: "continue", patches: [{ subresource: "status" }, { subresource: "" }, { subresource: "" }] },
      needs: ["get rollouts", "patch rollouts/status", "patch rollouts"],
    },
    {
      name: "the end of a run",
      planned: { action: "terminate", patches: [{ subresource: "" }], target: { resource: "analysisruns", name: "r" } },
      needs: ["get rollouts", "get analysisruns", "patch analysisruns"],
    },
    {
      name: "undo, whose plan is made later",
      planned: { action: "undo" },
      needs: ["get rollouts", "list replicasets", "patch rollouts"],
    },
    {
      name: "undo of a template that stands in a Deployment",
      planned: { action: "undo" },
      workloadRef: deployment,
      needs: ["get rollouts", "list replicasets", "get deployments", "patch deployments"],
    },
    {
      name: "an image of a template that stands in a Deployment",
      planned: { action: "set-image" },
      workloadRef: deployment,
      needs: ["get rollouts", "get deployments", "patch deployments"],
    },
  ];

it.each(cases)("$name", ({ planned, workloadRef, needs }) => {
  const listed = listAccessNeeds(planned, workloadRef === undefined ? where : { ...where, workloadRef });
  expect(listed.map(formatAccess)).toEqual(needs);
});

it("names the subresource as a field of its own, and the API group of each resource", () => {
  expect(listAccessNeeds({ action: "abort", patches: [{ subresource: "status" }] }, where)[1]).toEqual({
    verb: "patch",
    group: "argoproj.io",
    resource: "rollouts",
    subresource: "status",
    ...where,
  });
  const groups = listAccessNeeds({ action: "undo" }, { ...where, workloadRef: deployment }).map(({ group }) => group);
  expect(groups).toEqual(["argoproj.io", "apps", "apps", "apps"]);
});
