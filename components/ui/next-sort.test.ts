import { expect, it } from "vitest";
import { describeSort, nextSort } from "./next-sort.ts";

it.each([
  { column: { sort: "name" }, current: "-startedAt", next: "name" },
  { column: { sort: "name" }, current: "name", next: "-name" },
  { column: { sort: "name" }, current: "-name", next: "name" },
  { column: { sort: "startedAt", sortsDown: true }, current: "name", next: "-startedAt" },
  { column: { sort: "startedAt", sortsDown: true }, current: "-startedAt", next: "startedAt" },
])("a click on $column.sort in the order $current sorts by $next", ({ column, current, next }) => {
  expect(nextSort(column, current)).toBe(next);
});

it.each([
  { column: { sort: "name" }, current: "name", said: "ascending" },
  { column: { sort: "name" }, current: "-name", said: "descending" },
  { column: { sort: "name" }, current: "-rename", said: "none" },
  { column: {}, current: "name", said: undefined },
])("$column.sort in the order $current is $said", ({ column, current, said }) => {
  expect(describeSort(column, current)).toBe(said);
});
