import { expect, it } from "vitest";
import { stringify } from "yaml";
import { clusterFields, writeCluster } from "#components/sources/write-cluster.ts";
import { parseConfig } from "#lib/server/platform/config/parse-config.ts";
import { nestItems } from "#test/nest-items.ts";
import { completeConfig } from "../../scripts/doc-examples.ts";

const initial = Object.fromEntries(clusterFields.map(({ key, value }) => [key, value])) as Parameters<
  typeof writeCluster
>[0];

it.each([
  { name: "a server at first", typed: {} },
  { name: "a kubeconfig", typed: { way: "kubeconfig", place: "/k", access: "act" } },
  { name: "the own cluster", typed: { way: "in-cluster", namespaces: "payments" } },
])("writes a part of the config that is accepted: $name", ({ typed }) => {
  const text = completeConfig(stringify(nestItems(writeCluster({ ...initial, ...typed }))));
  expect(() => parseConfig({ file: "gatehouse.yaml", text })).not.toThrow();
});

it("writes what was typed", () => {
  const typed = { name: "eu", way: "kubeconfig", place: "/k", access: "act", namespaces: "payments" };
  expect(nestItems(writeCluster({ ...initial, ...typed }))).toEqual({
    clusters: [{ name: "eu", kubeconfig: "/k", access: "act", namespaces: ["payments"] }],
  });
});
