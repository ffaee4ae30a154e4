import { describe, expect, it } from "vitest";
import { listOffForCluster, type OversightScope } from "./scope.ts";

const scope = (change: Partial<OversightScope["scope"]>, off?: string[]): OversightScope => ({
  scope: { clusters: ["*"], namespaces: ["*"], rollouts: ["*"], ...change },
  limits: {},
  off,
});

const cases: { name: string; scopes: OversightScope[]; off: string[] }[] = [
  { name: "nothing", scopes: [], off: [] },
  { name: "every place", scopes: [scope({}, ["a"])], off: ["a"] },
  { name: "the cluster by a pattern", scopes: [scope({ clusters: ["prod-*"] }, ["a"])], off: ["a"] },
  { name: "another cluster", scopes: [scope({ clusters: ["dev"] }, ["a"])], off: [] },
  { name: "a namespace", scopes: [scope({ namespaces: ["shop"] }, ["a"])], off: [] },
  {
    name: "a namespace of the cluster",
    scopes: [scope({ clusters: ["prod-eu"], namespaces: ["s*"] }, ["a"])],
    off: [],
  },
  { name: "rollouts", scopes: [scope({ rollouts: ["load-*"] }, ["a"])], off: [] },
  {
    name: "a namespace first, then the cluster, then every place",
    scopes: [scope({ namespaces: ["shop"] }, ["a"]), scope({ clusters: ["prod-eu"] }, ["b"]), scope({}, ["c"])],
    off: ["b"],
  },
  {
    name: "only limits of the cluster first",
    scopes: [scope({ clusters: ["prod-eu"] }), scope({}, ["c"])],
    off: ["c"],
  },
];

describe("rules about sources and controllers are off if the config names", () => {
  it.each(cases)("$name: $off", ({ scopes, off }) => {
    expect(listOffForCluster(scopes, "prod-eu")).toEqual(off);
  });
});
