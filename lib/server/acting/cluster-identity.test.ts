import { describe, expect, it } from "vitest";
import { makeClusterIdentity } from "./cluster-identity.ts";

const impersonation = {
  usernameClaim: "preferred_username",
  usernamePrefix: "",
  groupsClaim: "groups",
  groupsPrefix: "",
};
const identityOf = (claims: Record<string, unknown>, mapping: Partial<typeof impersonation> = {}) =>
  makeClusterIdentity({ actor: { claims }, cluster: { name: "a", impersonation: { ...impersonation, ...mapping } } });

describe("makeClusterIdentity", () => {
  it.each([
    {
      name: "maps claims with prefixes",
      claims: { email: "oncall@x", teams: ["dev", "ops, night"] },
      mapping: { usernameClaim: "email", usernamePrefix: "oidc:", groupsClaim: "teams", groupsPrefix: "oidc:" },
      identity: { username: "oidc:oncall@x", groups: ["oidc:dev", "oidc:ops, night"] },
    },
    { name: "takes no groups", claims: { preferred_username: "oncall" }, identity: { username: "oncall", groups: [] } },
    {
      name: "takes one group as text",
      claims: { preferred_username: "oncall", groups: "dev" },
      identity: { username: "oncall", groups: ["dev"] },
    },
  ])("$name", ({ claims, mapping, identity }) => {
    expect(identityOf(claims, mapping)).toEqual(identity);
  });

  it.each([
    { name: "no claim", claims: {} },
    { name: "an empty name", claims: { preferred_username: "" } },
    {
      name: "an empty name, although there is a prefix",
      claims: { preferred_username: " " },
      mapping: { usernamePrefix: "o:" },
    },
    { name: "a name that is no text", claims: { preferred_username: ["oncall"] } },
    { name: "a system user", claims: { preferred_username: "system:admin" } },
    { name: "a system user in capitals", claims: { preferred_username: "System:admin" } },
    {
      name: "a system user made by the prefix",
      claims: { preferred_username: ":admin" },
      mapping: { usernamePrefix: "system" },
    },
    { name: "a system group", claims: { preferred_username: "oncall", groups: ["dev", "system:masters"] } },
    { name: "a group that is no text", claims: { preferred_username: "oncall", groups: ["dev", 1] } },
    { name: "a name that fits no header", claims: { preferred_username: "oncall\nimpersonate-group: x" } },
    { name: "a name with an invisible character", claims: { preferred_username: "\u200bada" } },
    { name: "an empty group", claims: { preferred_username: "oncall", groups: [""] } },
  ])("refuses $name", ({ claims, mapping }) => {
    expect(() => identityOf(claims, mapping)).toThrow(expect.objectContaining({ code: "forbidden" }));
  });
});
