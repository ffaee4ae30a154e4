import { expect, it } from "vitest";
import { type ConfiguredLink, listConfiguredLinks } from "./list-links.ts";

const link = (change: Partial<ConfiguredLink>): ConfiguredLink => ({
  name: "Logs",
  url: "https://logs.example.com/{namespace}",
  clusters: ["*"],
  namespaces: ["*"],
  on: ["rollout"],
  ...change,
});
const facts = { cluster: "prod-eu", namespace: "shop", name: "cart", kind: "Rollout" };

it.each<{ name: string; change: Partial<ConfiguredLink>; kind?: string | null; isShown: boolean }>([
  { name: "everywhere", change: {}, isShown: true },
  { name: "of this cluster and namespace", change: { clusters: ["prod-*"], namespaces: ["shop"] }, isShown: true },
  { name: "of another cluster", change: { clusters: ["staging"] }, isShown: false },
  { name: "of another namespace", change: { namespaces: ["pay*"] }, isShown: false },
  { name: "of this kind", change: { kinds: ["Rollout"] }, isShown: true },
  { name: "of another kind", change: { kinds: ["Canary"] }, isShown: false },
  { name: "of one kind, for what has no rollout", change: { kinds: ["Rollout"] }, kind: null, isShown: false },
  { name: "of every kind, for what has no rollout", change: {}, kind: null, isShown: true },
  { name: "of other places", change: { on: ["run", "metric"] }, isShown: false },
  { name: "without all of its values", change: { url: "https://logs.example.com/{podHash}" }, isShown: false },
])("a link $name", ({ change, kind = "Rollout", isShown }) => {
  const shown = listConfiguredLinks([link(change)], { on: "rollout", facts: { ...facts, kind } });
  expect(shown).toEqual(isShown ? [{ name: "Logs", href: "https://logs.example.com/shop" }] : []);
});

it("links a run to the object that created it", () => {
  const links = [link({ url: "https://kargo.example.com/{namespace}/{creator}", kinds: ["Stage"], on: ["run"] })];
  const shownFor = (creatorKind: string) =>
    listConfiguredLinks(links, {
      on: "run",
      facts: { ...facts, name: null, kind: null, creatorKind, creator: "test" },
    });
  expect(shownFor("Stage")).toEqual([{ name: "Logs", href: "https://kargo.example.com/shop/test" }]);
  expect(shownFor("PipelineRollout")).toEqual([]);
});

it("keeps the order of the config", () => {
  const links = [link({ name: "Z" }), link({ name: "A" })];
  expect(listConfiguredLinks(links, { on: "rollout", facts }).map(({ name }) => name)).toEqual(["Z", "A"]);
});
