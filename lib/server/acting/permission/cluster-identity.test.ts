import { describe, expect, it } from "vitest";
import { ClusterConfig } from "#lib/server/platform/config/cluster-schema.ts";
import { describeClusterIdentity, makeClusterIdentity } from "./cluster-identity.ts";

type Mapping = Partial<ClusterConfig["impersonation"]>;
const shipped = ClusterConfig.parse({ name: "a", server: "https://a.example" });
// Not parsed: values that the config refuses must be refused here too.
const clusterOf = (mapping: Mapping = {}, actAs: ClusterConfig["actAs"] = "impersonation"): ClusterConfig => ({
  ...shipped,
  actAs,
  impersonation: { ...shipped.impersonation, ...mapping },
});
const identityOf = (claims: Record<string, unknown>, mapping: Mapping = {}) =>
  makeClusterIdentity({ actor: { type: "user", claims }, cluster: clusterOf(mapping) });

describe("makeClusterIdentity", () => {
  it.each([
    {
      name: "maps claims with prefixes",
      claims: { email: "oncall@x", teams: ["dev", "ops, night"] },
      mapping: { usernameClaim: "email", usernamePrefix: "oidc:", groupsClaim: "teams", groupsPrefix: "oidc:" },
      identity: { username: "oidc:oncall@x", groups: ["oidc:dev", "oidc:ops, night"] },
    },
    {
      name: "sends only the groups that the cluster is to know",
      claims: { preferred_username: "oncall", groups: ["team-a", "everybody", "team-b"] },
      mapping: { groups: ["team-*"], groupsPrefix: "oidc:" },
      identity: { username: "oncall", groups: ["oidc:team-a", "oidc:team-b"] },
    },
    {
      name: "reads nested claims as a sign-in and a token keep them, under their pointer",
      claims: { preferred_username: "oncall", "/resource_access/gatehouse/roles": ["dev"], resource_access: "forged" },
      mapping: { groupsClaim: "/resource_access/gatehouse/roles" },
      identity: { username: "oncall", groups: ["dev"] },
    },
    { name: "takes no groups", claims: { preferred_username: "oncall" }, identity: { username: "oncall", groups: [] } },
    {
      name: "takes a comma for a part of the name",
      claims: { preferred_username: "on,call", groups: "dev,ops" },
      identity: { username: "on,call", groups: ["dev,ops"] },
    },
    {
      name: "takes names beyond ASCII",
      claims: { preferred_username: "ren\u00e9", groups: ["\u0440\u0435\u043b\u0438\u0437"] },
      identity: { username: "ren\u00e9", groups: ["\u0440\u0435\u043b\u0438\u0437"] },
    },
    {
      name: "takes names that merely speak of the system",
      claims: { preferred_username: "system", groups: ["ops:system:masters", "systems:x"] },
      identity: { username: "system", groups: ["ops:system:masters", "systems:x"] },
    },
    {
      name: "takes one group as text",
      claims: { preferred_username: "oncall", groups: "dev" },
      identity: { username: "oncall", groups: ["dev"] },
    },
  ])("$name", ({ claims, mapping, identity }) => {
    expect(identityOf(claims, mapping)).toEqual({ mode: "groups", ...identity });
  });

  it("refuses a person who is named like a robot, whatever the mapping and the mode", () => {
    const actor = { type: "user" as const, claims: { preferred_username: "deployer" }, hasNameOfRobot: true };
    for (const cluster of [
      clusterOf({ usernamePrefix: "oidc:" }),
      clusterOf({ usernamePrefix: "oidc:", users: ["deployer"] }),
      clusterOf({ usernamePrefix: "oidc:" }, "serviceAccount"),
    ])
      expect(() => makeClusterIdentity({ actor, cluster })).toThrow("your name is that of a robot");
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
    ...["system:masters", "System:Masters", "\u00a0system:masters", "system:"].map((group) => ({
      name: `the group ${JSON.stringify(group)}`,
      claims: { preferred_username: "oncall", groups: [group] },
    })),
    ...[
      ["sys", "tem:masters"],
      ["system:", "masters"],
      ["s", "ystem:masters"],
      ["system", ":masters"],
    ].map(([groupsPrefix, group]) => ({
      name: `the group that prefix ${groupsPrefix} makes of ${group}`,
      claims: { preferred_username: "oncall", groups: ["dev", group] },
      mapping: { groupsPrefix: String(groupsPrefix) },
    })),
    { name: "groups that are an object", claims: { preferred_username: "oncall", groups: { dev: true } } },
    { name: "groups in a list in a list", claims: { preferred_username: "oncall", groups: [["dev"]] } },
    { name: "groups that are a number", claims: { preferred_username: "oncall", groups: 7 } },
    { name: "groups that are empty text", claims: { preferred_username: "oncall", groups: "" } },
    { name: "a name that is null", claims: { preferred_username: null } },
    { name: "a name that is a number", claims: { preferred_username: 0 } },
    { name: "a name with a space before it", claims: { preferred_username: " oncall" } },
    { name: "a name with a tab behind it", claims: { preferred_username: "oncall\t" } },
    { name: "a group with a space behind it", claims: { preferred_username: "oncall", groups: ["dev "] } },
    { name: "a group with a line break", claims: { preferred_username: "oncall", groups: ["a\r\nb"] } },
    { name: "a name that turns the writing round", claims: { preferred_username: "call\u202eno" } },
    { name: "a name with half a character", claims: { preferred_username: "oncall\ud83d" } },
    { name: "a claim that only the prototype has", claims: {}, mapping: { usernameClaim: "toString" } },
    { name: "an empty group", claims: { preferred_username: "oncall", groups: [""] } },
  ])("refuses $name", ({ claims, mapping }) => {
    expect(() => identityOf(claims, mapping)).toThrow(expect.objectContaining({ code: "forbidden" }));
  });

  it("sends as a user of their own whom the config names, and refuses the others", () => {
    const of = (preferred_username: string, mapping: Mapping) =>
      describeClusterIdentity({
        actor: { type: "user", claims: { preferred_username, groups: ["dev"] } },
        cluster: clusterOf({ usernamePrefix: "oidc:", ...mapping }),
      });
    const named = { users: ["oncall", "oidc:ada"] };
    expect(of("oncall", named)).toEqual({ mode: "user", username: "oidc:oncall", groups: ["dev"] });
    expect(of("bob", { allowAnyUser: true })).toEqual({ mode: "user", username: "oidc:bob", groups: ["dev"] });
    for (const name of ["bob", "ada", "oidc:oncall", "Oncall"])
      expect(of(name, named)).toEqual({
        mode: "user",
        problem:
          "You cannot act on cluster a: its config names the users who may act there (impersonation.users), and not you.",
      });
  });

  it("asks for the same names where the service account acts: a change of mode lets nobody in", () => {
    const cluster = clusterOf({}, "serviceAccount");
    const of = (claims: Record<string, unknown>) =>
      describeClusterIdentity({ actor: { type: "user", claims }, cluster });
    expect(of({ preferred_username: "oncall" })).toEqual({ mode: "serviceAccount", username: "oncall", groups: [] });
    expect(of({})).toEqual({
      mode: "serviceAccount",
      problem: "You cannot act on cluster a: your sign-in gives no claim preferred_username to identify you there.",
    });
    expect(of({ preferred_username: "oncall", groups: ["system:masters"] })).toHaveProperty("problem");
  });

  it("tells a token that it has its owner's name and groups alone", () => {
    const claims = { sub: "1", preferred_username: "oncall", groups: [] };
    const cluster = clusterOf({ usernameClaim: "email" });
    expect(describeClusterIdentity({ actor: { type: "token", claims }, cluster })).toMatchObject({
      problem:
        "You cannot act on cluster a: a token keeps only its owner's name and groups, no claim email to identify you there.",
    });
  });
});
