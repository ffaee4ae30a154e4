import { expect, it } from "vitest";
import { findUnfinished, orderGroups, type Part, splitRows } from "#components/inbox/arrange-rows.ts";
import type { InboxItem } from "#lib/contract/inbox.ts";

const row = (key: string, snooze: unknown = null, reason = "pause", severity = "info") => ({
  key,
  isGone: false,
  isFolding: false,
  item: { handling: { snooze }, rollout: { attention: { reason, severity } } } as InboxItem,
});

function split(isHeld: boolean, rows: ReturnType<typeof row>[], places = new Map<string, Part>()): string {
  const { decide, fix, look, snoozed } = splitRows(rows, { isHeld, places });
  return [[...decide, ...fix, ...look], snoozed].map((part) => part.map(({ key }) => key).join("")).join(" | ");
}

it("keeps the order of what waits, and of what is snoozed", () => {
  expect(split(false, [row("a", {}), row("b"), row("c", {}), row("d")])).toBe("bd | ac");
});

it("separates decisions, repairs and findings", () => {
  const rows = [row("a", null, "finding"), row("b", null, "degraded"), row("c", null, "gate"), row("d", null, "pause")];
  const { decide, fix, look } = splitRows(rows);
  expect([decide, fix, look].map((part) => part.map(({ key }) => key))).toEqual([["c", "d"], ["b"], ["a"]]);
});

it("puts a critical finding with the repairs", () => {
  const { fix, look } = splitRows([row("a", null, "finding", "critical"), row("b", null, "finding", "warning")]);
  expect([fix, look].map((part) => part.map(({ key }) => key))).toEqual([["a"], ["b"]]);
});

const serving = (traffic: number | null, severity = "critical") => {
  const repair = row("fix", null, "finding", severity);
  repair.item.rollout.weight = { set: traffic, actual: traffic };
  return repair;
};

it.each([
  { name: "of live traffic", repair: serving(40), order: "fix decide look" },
  { name: "without traffic", repair: serving(0), order: "decide fix look" },
  { name: "whose traffic is unknown", repair: serving(null), order: "decide fix look" },
  { name: "that is a warning", repair: serving(40, "warning"), order: "decide fix look" },
])("puts a repair $name in this order: $order", ({ repair, order }) => {
  expect(orderGroups(splitRows([row("a"), repair])).join(" ")).toBe(order);
});

it("counts on in the groups that further pages may have rows of", () => {
  expect(findUnfinished(splitRows([serving(40), row("a")]))).toEqual(["decide", "fix"]);
  expect(findUnfinished(splitRows([row("a"), row("b", null, "degraded")]))).toEqual(["fix"]);
  expect(findUnfinished(splitRows([row("a"), row("b", {})]))).toEqual([]);
});

it("keeps a row in its group while rows are held", () => {
  const places = new Map<string, Part>();
  splitRows([row("a")], { isHeld: false, places });
  expect(splitRows([row("a", null, "degraded")], { isHeld: true, places }).decide).toHaveLength(1);
  expect(splitRows([row("a", null, "degraded")], { isHeld: false, places }).fix).toHaveLength(1);
});

it("keeps a row in its place while rows are held: its open dialog would close with it", () => {
  const places = new Map<string, Part>();
  split(false, [row("a"), row("b")], places);
  expect(split(true, [row("a", {}), row("b")], places)).toBe("ab | ");
  expect(split(false, [row("a", {}), row("b")], places)).toBe("b | a");
});

it("moves a row that wakes at once: nobody sees it where it is", () => {
  const places = new Map<string, Part>();
  split(false, [row("a", {}), row("b")], places);
  expect(split(true, [row("a"), row("b")], places)).toBe("ab | ");
});

it("takes a new row as it comes while rows are held", () => {
  expect(split(true, [row("a", {}), row("b")])).toBe("b | a");
});
