import { expect, it } from "vitest";
import { pickLabels } from "./pick-labels.ts";

const long = "x".repeat(254);

it.each<{ name: string; metadata: unknown; names?: string[]; picked: Record<string, string> }>([
  { name: "a label", metadata: { labels: { team: "shop", other: "x" } }, picked: { team: "shop" } },
  { name: "an annotation", metadata: { annotations: { team: "shop" } }, picked: { team: "shop" } },
  {
    name: "a label before an annotation",
    metadata: { labels: { team: "shop" }, annotations: { team: "payments" } },
    picked: { team: "shop" },
  },
  { name: "an empty label", metadata: { labels: { team: "" }, annotations: { team: "x" } }, picked: { team: "" } },
  { name: "neither", metadata: {}, picked: {} },
  { name: "null maps", metadata: { labels: null, annotations: null }, picked: {} },
  { name: "a value that is no text", metadata: { labels: { team: 1 } }, picked: {} },
  { name: "a long annotation", metadata: { annotations: { team: long } }, picked: {} },
  { name: "the longest one", metadata: { annotations: { team: long.slice(1) } }, picked: { team: long.slice(1) } },
  { name: "an inherited name", metadata: { labels: {} }, names: ["constructor"], picked: {} },
  { name: "no names", metadata: { labels: { team: "shop" } }, names: [], picked: {} },
])("picks $name", ({ metadata, names = ["team"], picked }) => {
  expect(pickLabels({ metadata }, names)).toEqual(picked);
});

it("picks nothing of what is no object", () => {
  expect(pickLabels(null, ["team"])).toEqual({});
});
