import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClusterClient } from "#lib/server/clusters/kubernetes/create-cluster-client.ts";
import { ClusterConfig } from "#lib/server/platform/config/cluster-schema.ts";
import { bindRole } from "./chart-roles.ts";
import { connectCluster, type Json, type RealCluster } from "./real-cluster.ts";
import type { RealWorld } from "./real-world.ts";
import { pausesOf, poll, type Status, startStory } from "./rollout-story.ts";
import { actWhen } from "./story-actions.ts";

type Headers = Record<string, string | string[]>;

const group = "oidc:gatehouse:admins";
const personHeader = "impersonate-extra-gatehouse.dev%2Fperson";
const shared: Headers = { "impersonate-user": "gatehouse:person", [personHeader]: "oidc:admin" };
const asGroup: Headers = { ...shared, "impersonate-group": group };
const asUser: Headers = { "impersonate-user": "oidc:admin" };

const escapes: [string, Headers][] = [
  ["itself", {}],
  ["a controller of Kubernetes", { "impersonate-user": "system:kube-controller-manager" }],
  ["a controller of Kubernetes, with a group", { ...asGroup, "impersonate-user": "system:kube-controller-manager" }],
  ["the user of the API server", { "impersonate-user": "system:apiserver" }],
  ["another person", { "impersonate-user": "oidc:somebody" }],
  ["nobody", { "impersonate-user": "system:anonymous" }],
  ["a node", { "impersonate-user": "system:node:lab" }],
  ["a service account", { "impersonate-user": "system:serviceaccount:kube-system:generic-garbage-collector" }],
  ["cluster admins", { ...shared, "impersonate-group": "system:masters" }],
  ["cluster admins beside the group", { ...shared, "impersonate-group": [group, "system:masters"] }],
  ["all service accounts", { ...shared, "impersonate-group": "system:serviceaccounts:kube-system" }],
  ["another group", { ...shared, "impersonate-group": "oidc:admins" }],
  ["a person with a uid", { ...asGroup, "impersonate-uid": "1" }],
  ["a person with another extra", { ...asGroup, "impersonate-extra-scopes": "all" }],
  [
    "a pod",
    { ...asGroup, "impersonate-extra-authentication.kubernetes.io%2Fpod-name": "etcd", "impersonate-user": "a" },
  ],
  ["a person by the group", asGroup],
  ["a person by name", asUser],
];

/** Tries requests that the shipped roles must refuse, with the token of the web process. */
export function describeToken(world: () => RealWorld): void {
  describe("whoever holds the token of the web process", () => {
    let thief: RealCluster | undefined;
    beforeAll(() => {
      const { chart } = world();
      thief = chart === undefined ? undefined : connectCluster(chart.webKubeconfig);
    });
    afterAll(() => thief?.close());

    /** Returns the sender that the chart's rules allow. */
    const allowed = () => (world().target.impersonation === "users" ? asUser : asGroup);

    const secrets = "/api/v1/namespaces/kube-system/secrets";
    const review = (attributes: Json) => ({
      ...{ apiVersion: "authorization.k8s.io/v1", kind: "SelfSubjectAccessReview" },
      spec: { resourceAttributes: attributes },
    });
    const reviews = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";

    it.for(escapes)("reads no Secret and makes no token as %s", async ([, headers], { skip }) => {
      if (thief === undefined) return skip("GATEHOUSE_REAL_HELM is not set");
      expect((await thief.request("GET", secrets, undefined, headers)).status).toBe(403);
      const account = "/api/v1/namespaces/kube-system/serviceaccounts/default/token";
      const token = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: {} };
      expect((await thief.request("POST", account, token, headers)).status).toBe(403);
    });

    it("could as a controller of Kubernetes, which an admin may be: what stands above proves something", async () => {
      const headers = { "impersonate-user": "system:kube-controller-manager" };
      expect((await world().cluster.request("GET", secrets, undefined, headers)).status).toBe(200);
    });

    it("may ask what the person may do, and hears that it is to act", async ({ skip }) => {
      if (thief === undefined) return skip("GATEHOUSE_REAL_HELM is not set");
      const { namespace } = world();
      const act = { verb: "patch", group: "argoproj.io", resource: "rollouts", subresource: "status", namespace };
      const answer = await thief.request("POST", reviews, review(act), allowed());
      expect(answer).toMatchObject({ status: 201, body: { status: { allowed: true } } });
    });

    it("uses other rights of the group unless impersonation is constrained", async ({ skip }) => {
      const { cluster, namespace, target } = world();
      if (thief === undefined || target.impersonation === "users") return skip("groups have no rights in this run");
      const subject = { kind: "Group", name: group };
      const rules = [{ apiGroups: [""], resources: ["configmaps"], verbs: ["list"] }];
      await bindRole({ cluster, namespace, subject, name: "configmaps", rules });
      const path = `/api/v1/namespaces/${namespace}/configmaps`;
      const { status } = await thief.request("GET", path, undefined, asGroup);
      expect(status).toBe(target.impersonation === "constrained" ? 403 : 200);
    });
  });

  describe("the client of the web process", () => {
    it("sends a name beyond ASCII whole", async ({ skip }) => {
      const { chart, target } = world();
      // With constrained impersonation, no user needs a SelfSubjectReview.
      if (chart === undefined || target.impersonation !== "groups") return skip("asked by groups alone");
      const { server, caFile, webTokenFile: tokenFile } = chart;
      const client = createClusterClient(ClusterConfig.parse({ name: "real", server, caFile, tokenFile }));
      const username = "oidc:ren\u00e9 \u0440\u0435\u043b\u0438\u0437 \u7d44";
      const { json } = await client.request({
        method: "POST",
        path: "/apis/authentication.k8s.io/v1/selfsubjectreviews",
        body: { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" },
        as: { mode: "groups", username, groups: [group] },
      });
      await client.close();
      expect(json).toMatchObject({
        status: {
          userInfo: {
            ...{ username: "gatehouse:person", groups: [group, "system:authenticated"] },
            extra: { "gatehouse.dev/person": [username] },
          },
        },
      });
    });
  });

  describe("the API server's audit log", () => {
    it("names the person of an action", async ({ skip }) => {
      const { target, chart, namespace } = world();
      const { file } = target.audit;
      if (chart === undefined || file === undefined) return skip("helm or GATEHOUSE_REAL_AUDIT_FILE is not set");
      const strategy = { canary: { steps: [{ setWeight: 50 }, { pause: {} }] } };
      const story = await startStory(world(), { name: "named", strategy });
      await story.release(target.images[1]);
      const atGate = (status: Status) => pausesOf(status).includes("CanaryPauseStep");
      await story.until("at its gate", atGate);
      const { id } = await actWhen(world(), { story, action: "abort", at: atGate });
      await world().actionIn(id, ["effective"]);
      const isByUser = target.impersonation === "users";
      const [event] = await poll({
        what: "the audit log has the patch",
        read: async () =>
          readFileSync(file, "utf8")
            .split("\n")
            .filter((line) =>
              line.includes(`/namespaces/${namespace}/rollouts/${story.name}/status?fieldManager=gatehouse`),
            )
            .map((line) => JSON.parse(line) as Json),
        fits: (events) => events.length > 0,
        withinMs: 30_000,
      });
      expect(event).toMatchObject({
        user: { username: `system:serviceaccount:${namespace}:gatehouse-web` },
        impersonatedUser: isByUser
          ? { username: "oidc:admin" }
          : { username: "gatehouse:person", extra: { "gatehouse.dev/person": ["oidc:admin"] } },
      });
    });
  });
}
