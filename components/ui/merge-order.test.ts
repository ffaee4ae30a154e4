import { expect, it } from "vitest";
import { mergeOrder } from "#components/ui/merge-order.ts";

it.each([
  { name: "nothing shown yet: takes all", shown: [], incoming: ["a", "b"], order: ["a", "b"], fresh: 0 },
  {
    name: "keeps rows where they are",
    shown: ["a", "b", "c"],
    incoming: ["c", "a", "b"],
    order: ["a", "b", "c"],
    fresh: 0,
  },
  {
    name: "holds back what came in before",
    shown: ["a", "b"],
    incoming: ["x", "a", "y", "b"],
    order: ["a", "b"],
    fresh: 2,
  },
  {
    name: "adds the next page at the end",
    shown: ["a", "b"],
    incoming: ["a", "b", "c"],
    order: ["a", "b", "c"],
    fresh: 0,
  },
  { name: "keeps rows that are gone", shown: ["a", "b"], incoming: ["b"], order: ["a", "b"], fresh: 0 },
  { name: "holds back a wholly different list", shown: ["a"], incoming: ["x", "y"], order: ["a"], fresh: 2 },
])("$name", ({ shown, incoming, order, fresh }) => {
  expect(mergeOrder(shown, incoming)).toEqual({ order, fresh });
});
