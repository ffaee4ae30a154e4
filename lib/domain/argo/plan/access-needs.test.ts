import { expect, it } from "vitest";
import { formatAccess } from "#lib/domain/acting/plan.ts";
import { type AccessPlace, listAccessNeeds } from "./access-needs.ts";

const where = { namespace: "payments", name: "checkout" };
const deployment = { kind: "Deployment", name: "checkout-app" };

const cases: {
  name: string;
  planned: Parameters<typeof listAccessNeeds>[0];
  place?: Partial<AccessPlace>;
  needs: string[];
}[] = [
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
    planned: { action: "terminate", patches: [{ subresource: "" }] },
    place: { target: { resource: "analysisruns", name: "run" } },
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
    place: { workloadRef: deployment },
    needs: ["get rollouts", "list replicasets", "get deployments", "patch deployments"],
  },
  {
    name: "an image of a template that stands in a Deployment",
    planned: { action: "set-image" },
    place: { workloadRef: deployment },
    needs: ["get rollouts", "get deployments", "patch deployments"],
  },
];

it.each(cases)("$name", ({ planned, place, needs }) => {
  const listed = listAccessNeeds(planned, { ...where, ...place });
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
