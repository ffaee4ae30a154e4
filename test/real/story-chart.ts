import { describe, expect, it } from "vitest";
import type { Json } from "./real-cluster.ts";
import type { RealWorld } from "./real-world.ts";

type Right = {
  verb: string;
  group?: string;
  resource: string;
  subresource?: string;
  name?: string;
  namespace?: string;
};
type Case = { who: "web" | "recorder"; what: string; right: Right; allowed: boolean };

const argo = "argoproj.io";
const cases: Case[] = [
  {
    who: "recorder",
    what: "watches rollouts",
    right: { verb: "watch", group: argo, resource: "rollouts" },
    allowed: true,
  },
  {
    who: "recorder",
    what: "changes the status of a rollout",
    right: { verb: "patch", group: argo, resource: "rollouts", subresource: "status" },
    allowed: false,
  },
  { who: "recorder", what: "becomes somebody", right: { verb: "impersonate", resource: "users" }, allowed: false },
  { who: "recorder", what: "reads secrets", right: { verb: "get", resource: "secrets" }, allowed: false },
  {
    who: "web",
    what: "becomes a controller of Kubernetes",
    right: { verb: "impersonate", resource: "users", name: "system:kube-controller-manager" },
    allowed: false,
  },
  { who: "web", what: "becomes any user", right: { verb: "impersonate", resource: "users" }, allowed: false },
  {
    who: "web",
    what: "sends any extra",
    right: { verb: "impersonate", group: "authentication.k8s.io", resource: "userextras", subresource: "scopes" },
    allowed: false,
  },
  {
    who: "web",
    what: "sends the group of cluster admins",
    right: { verb: "impersonate", resource: "groups", name: "system:masters" },
    allowed: false,
  },
  { who: "web", what: "sends any group", right: { verb: "impersonate", resource: "groups" }, allowed: false },
  {
    who: "web",
    what: "becomes a service account",
    right: { verb: "impersonate", resource: "serviceaccounts" },
    allowed: false,
  },
  {
    who: "web",
    what: "changes a rollout as itself",
    right: { verb: "patch", group: argo, resource: "rollouts" },
    allowed: false,
  },
  {
    who: "web",
    what: "reads rollouts as itself",
    right: { verb: "get", group: argo, resource: "rollouts" },
    allowed: false,
  },
  { who: "web", what: "reads secrets", right: { verb: "get", resource: "secrets" }, allowed: false },
];

/** Describes the rights of an installed chart's service accounts, as the API server reviews them. */
export function describeChart(world: () => RealWorld): void {
  describe("the service accounts of the chart", () => {
    it.for(cases)("$who: $what is allowed: $allowed", async ({ who, right, allowed }, { skip }) => {
      const { cluster, namespace, chart } = world();
      if (chart === undefined) return skip("GATEHOUSE_REAL_HELM is not set");
      const { body } = await cluster.request("POST", "/apis/authorization.k8s.io/v1/subjectaccessreviews", {
        ...{ apiVersion: "authorization.k8s.io/v1", kind: "SubjectAccessReview" },
        spec: {
          user: `system:serviceaccount:${namespace}:gatehouse-${who}`,
          groups: ["system:serviceaccounts", `system:serviceaccounts:${namespace}`, "system:authenticated"],
          resourceAttributes: { namespace, ...right },
        },
      });
      expect((body.status as Json).allowed).toBe(allowed);
    });
  });
}
