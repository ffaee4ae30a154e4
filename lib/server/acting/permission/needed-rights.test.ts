import { describe, expect, it } from "vitest";
import { listSendingRights, listSentGroups } from "#lib/server/acting/permission/needed-rights.ts";
import { ClusterConfig } from "#lib/server/platform/config/cluster-schema.ts";
import { RoleBinding } from "#lib/server/platform/config/policy-schema.ts";

const roles = [
  RoleBinding.parse({ role: "operator", groups: ["dev", "team-a"] }),
  RoleBinding.parse({ role: "viewer", groups: ["guests", "team-b"] }),
];
const clusterOf = (impersonation: object) =>
  ClusterConfig.parse({ name: "prod", server: "https://prod.example", impersonation });

describe("the groups that are sent", () => {
  it.each([
    { sent: ["dev", "on-call"], claim: "groups", groups: ["oidc:dev", "oidc:on-call"], patterns: [] },
    { sent: ["*"], claim: "groups", groups: ["oidc:dev", "oidc:team-a"], patterns: ["*"] },
    { sent: ["on-call", "team-?"], claim: "groups", groups: ["oidc:on-call", "oidc:team-a"], patterns: ["team-?"] },
    { sent: ["on-call", "*"], claim: "teams", groups: ["oidc:on-call"], patterns: ["*"] },
    { sent: [], claim: "groups", groups: [], patterns: [] },
  ])("of $sent, mapped from $claim", ({ sent, claim, groups, patterns }) => {
    const cluster = clusterOf({ groups: sent, groupsClaim: claim, groupsPrefix: "oidc:" });
    const oidc = { issuer: "https://issuer.example", clientId: "g", groupsClaim: "groups" };
    const auth = { roles, oidc } as unknown as Parameters<typeof listSentGroups>[0]["auth"];
    expect(listSentGroups({ cluster, auth })).toEqual({ groups, patterns });
  });
});

describe("the rights to send requests for people", () => {
  const users = { group: "", resource: "users", verbs: ["impersonate"] };
  const extra = { resource: "userextras", subresource: "gatehouse.dev/person", verbs: ["impersonate"] };
  it.each([
    {
      impersonation: {},
      rights: [
        { ...users, names: ["gatehouse:person"] },
        { ...extra, group: "authentication.k8s.io" },
      ],
    },
    { impersonation: { users: ["ada"], usernamePrefix: "oidc:" }, rights: [{ ...users, names: ["oidc:ada"] }] },
    { impersonation: { allowAnyUser: true }, rights: [users] },
  ])("with $impersonation", ({ impersonation, rights }) => {
    expect(listSendingRights(clusterOf(impersonation))).toEqual(rights);
  });
});
