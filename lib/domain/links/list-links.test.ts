import { describe, expect, it } from "vitest";
import { type ConfiguredLink, listConfiguredLinks, readAnnotationLinks } from "./list-links.ts";

describe("listConfiguredLinks", () => {
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
});

describe("readAnnotationLinks", () => {
  const one = (value: string, key = "gatehouse.dev/link.runbook") => readAnnotationLinks({ [key]: value });

  it("reads links by name, sorted, and nothing else", () => {
    expect(
      readAnnotationLinks({
        "gatehouse.dev/link.runbook": " https://wiki.example.com/r?a=1 ",
        "gatehouse.dev/link.Dashboard-2": "http://g.example",
        "gatehouse.dev/links.other": "https://a.example",
        "example.com/link.other": "https://a.example",
      }),
    ).toEqual([
      { name: "Dashboard-2", href: "http://g.example/" },
      { name: "runbook", href: "https://wiki.example.com/r?a=1" },
    ]);
  });

  it.each([
    "javascript:alert(1)",
    "JavaScript://example.com/%0aalert(1)",
    "data:text/html,x",
    "//evil.example",
    "https://user@evil.example",
    "https://bank.example\\@evil.example",
    "https://a.example/\u202egnp.exe",
    "https://a.example/ b",
    "https://a.example/\u0000",
    "https://",
    "",
    `https://a.example/${"x".repeat(2000)}`,
  ])("leaves out %j", (value) => {
    expect(one(value)).toEqual([]);
  });

  it.each(["", ".hidden", "a b", "<img>", "\u202ex", "x".repeat(64)])("leaves out the name %j", (name) => {
    expect(one("https://a.example", `gatehouse.dev/link.${name}`)).toEqual([]);
  });

  it("keeps ten of many", () => {
    const many = Object.fromEntries(
      Array.from({ length: 12 }, (_, at) => [`gatehouse.dev/link.l${10 + at}`, "https://a.example"]),
    );
    expect(readAnnotationLinks(many).map(({ name }) => name)).toEqual(
      Array.from({ length: 10 }, (_, at) => `l${10 + at}`),
    );
  });
});
