import { describe, expect, it } from "vitest";
import { describeRemovals, findRemovals, pinStartKeys } from "#lib/server/platform/config/assess-reload.ts";
import { Config } from "#lib/server/platform/config/config-schema.ts";

function configOf({ clusters = "abcd", groups = "wxyz", ...rest }: Record<string, unknown> = {}): Config {
  return Config.parse({
    publicUrl: "https://gatehouse.example.com",
    demo: { accountsFile: "a" },
    clusters: [...String(clusters)].map((name) => ({ name, inCluster: true })),
    auth: { roles: groups === "" ? [] : [{ role: "viewer", groups: [...String(groups)] }] },
    ...rest,
  });
}

type Case = { name: string; to: Record<string, unknown>; from?: Record<string, unknown>; held: boolean };
const cases: Case[] = [
  { name: "nothing changed", to: {}, held: false },
  { name: "a cluster more", to: { clusters: "abcde" }, held: false },
  { name: "half of the clusters", to: { clusters: "ab" }, held: false },
  { name: "more than half of the clusters", to: { clusters: "a" }, held: true },
  { name: "all clusters, replaced by as many others", to: { clusters: "efgh" }, held: true },
  { name: "the only cluster", from: { clusters: "a" }, to: { clusters: "b" }, held: true },
  { name: "one of two clusters", from: { clusters: "ab" }, to: { clusters: "a" }, held: false },
  { name: "half of the groups", to: { groups: "wx" }, held: false },
  { name: "more than half of the groups", to: { groups: "w" }, held: true },
  { name: "all role bindings", to: { groups: "" }, held: true },
  { name: "no role bindings before either", from: { groups: "" }, to: { groups: "" }, held: false },
  {
    name: "another role for the same groups",
    to: { auth: { roles: [{ role: "admin", groups: [..."wxyz"] }] } },
    held: false,
  },
];

describe("findRemovals", () => {
  it.each(cases)("$name: held $held", ({ from, to, held }) => {
    expect(findRemovals({ inForce: configOf(from), candidate: configOf(to) }).isImplausible).toBe(held);
  });

  it("names what would go", () => {
    const removals = findRemovals({ inForce: configOf(), candidate: configOf({ clusters: "a", groups: "wx" }) });
    expect(describeRemovals(removals)).toBe("clusters b, c, d and role bindings group y, group z");
  });
});

describe("pinStartKeys", () => {
  it("keeps what only a start can change, and takes the rest", () => {
    const candidate = configOf({ publicUrl: "https://b.example.com", recorder: { port: 1 }, clusters: "abc" });
    const { config, needsRestart } = pinStartKeys({ inForce: configOf(), candidate });
    expect(needsRestart).toEqual(["publicUrl", "recorder"]);
    expect(config).toMatchObject({ publicUrl: "https://gatehouse.example.com", recorder: { port: 7470 } });
    expect(config.clusters).toHaveLength(3);
  });
});
