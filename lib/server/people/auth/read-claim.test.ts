import { describe, expect, it } from "vitest";
import { readGroups, resolvePointers } from "./read-claim.ts";

const roles = "/resource_access/gatehouse/roles";

describe("groups", () => {
  it.each<[string, Record<string, unknown>, string[]]>([
    ["groups", { groups: ["a", "b"] }, ["a", "b"]],
    ["groups", { groups: "a" }, ["a"]],
    ["groups", { groups: ["a", 1, "", null, { b: 1 }] }, ["a"]],
    ["groups", { groups: { a: 1 } }, []],
    ["groups", {}, []],
    ["https://example.com/groups", { "https://example.com/groups": ["a"] }, ["a"]],
    [roles, { resource_access: { gatehouse: { roles: ["a"] } } }, ["a"]],
    [roles, { resource_access: { other: { roles: ["a"] } } }, []],
    [roles, { [roles]: ["a"] }, []],
    ["/https:~1~1example.com~1groups", { "https://example.com/groups": ["a"] }, ["a"]],
  ])("of %s in %j are %j", (place, claims, groups) => {
    expect(readGroups(claims, place)).toEqual({ groups });
  });

  it.each<[string, string, Record<string, unknown>]>([
    ["groups", "_claim_names", { _claim_names: { groups: "src1" }, _claim_sources: { src1: { endpoint: "x" } } }],
    ["groups", "hasgroups", { hasgroups: true }],
    ["groups", "hasgroups", { hasgroups: "true" }],
    [roles, "_claim_names", { _claim_names: { resource_access: "src1" } }],
  ])("%s that the provider left out, by %s, are a problem", (place, sign, claims) => {
    expect(readGroups(claims, place)).toEqual({
      groups: [],
      problem: expect.stringContaining(`left out the claim ${place} (${sign})`),
    });
  });

  it.each<[string, Record<string, unknown>, string[]]>([
    ["roles", { roles: ["a"], _claim_names: { groups: "src1" }, hasgroups: true }, ["a"]],
    ["roles", { _claim_names: { groups: "src1" } }, []],
    ["groups", { groups: ["a"], _claim_names: { groups: "src1" } }, ["a"]],
    ["groups", { hasgroups: false }, []],
  ])("of %s in %j are not left out", (place, claims, groups) => {
    expect(readGroups(claims, place)).toEqual({ groups });
  });

  it.each([
    { name: "many", groups: Array.from({ length: 2001 }, (_, index) => `g${index}`) },
    { name: "long", groups: ["x".repeat(200_001)] },
  ])("that are too $name are a problem", ({ groups }) => {
    expect(readGroups({ groups }, "groups")).toEqual({ groups: [], problem: expect.stringContaining("send fewer") });
  });
});

describe("the claims of a session", () => {
  it("have nested claims under the pointer that names them, and nothing else there", () => {
    const claims = {
      sub: "s",
      "/forged": ["admins"],
      [roles]: ["admins"],
      resource_access: { gatehouse: { roles: ["a"] } },
    };
    expect(resolvePointers(claims, ["groups", roles, "/missing"])).toEqual({
      sub: "s",
      resource_access: claims.resource_access,
      [roles]: ["a"],
    });
  });
});
