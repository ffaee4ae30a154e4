import { expect, it } from "vitest";
import { listImpersonated } from "#lib/server/acting/needed-rights.ts";
import { ClusterConfig, RoleBinding } from "#lib/server/config/config-schema.ts";

const roles = [
  RoleBinding.parse({ role: "operator", users: ["oncall"], subjects: ["s-1"], robots: ["deployer"] }),
  RoleBinding.parse({ role: "viewer", users: ["guest"], subjects: ["s-2"] }),
];

it.each([
  { claim: "preferred_username", bound: "preferred_username", users: ["oidc:oncall", "oidc:deployer"] },
  { claim: "sub", bound: "preferred_username", users: ["oidc:s-1"] },
  { claim: "sub", bound: "sub", users: ["oidc:oncall", "oidc:deployer", "oidc:s-1"] },
  { claim: "email", bound: "preferred_username", users: [] },
])("names at a cluster that maps $claim, where users are bound by $bound", ({ claim, bound, users }) => {
  const cluster = ClusterConfig.parse({
    name: "prod",
    server: "https://prod.example",
    impersonation: { usernameClaim: claim, usernamePrefix: "oidc:" },
  });
  const oidc = { issuer: "https://issuer.example", clientId: "g", usernameClaim: bound, groupsClaim: "groups" };
  const auth = { roles, oidc } as unknown as Parameters<typeof listImpersonated>[0]["auth"];
  expect(listImpersonated({ cluster, auth }).users).toEqual(users);
});
