import { expect, it } from "vitest";
import { groupByState, type Reason } from "#components/inbox/group-by-state.ts";
import type { InboxItem } from "#lib/contract/inbox.ts";
import type { Attention } from "#lib/contract/rollout.ts";

const row = (key: string, reason: Attention["reason"], snooze: unknown = null) => ({
  key,
  isGone: false,
  item: { rollout: { attention: { reason } }, answer: null, handling: { snooze } } as InboxItem,
});

it("keeps a row in its group while rows are held: its open dialog would close with it", () => {
  const places = new Map<string, Reason>();
  const group = (isHeld: boolean, rows: ReturnType<typeof row>[]) =>
    groupByState(rows, { isHeld, places }).map(({ reason, rows: own }) => `${reason}: ${own.map(({ key }) => key)}`);
  expect(group(false, [row("a", "inconclusive"), row("b", "pause")])).toEqual(["inconclusive: a", "pause: b"]);
  const changed = [row("a", "degraded"), row("b", "pause"), row("c", "degraded")];
  expect(group(true, changed)).toEqual(["inconclusive: a", "pause: b", "degraded: c"]);
  expect(group(false, changed)).toEqual(["degraded: a,c", "pause: b"]);
});

it("keeps snoozed rows last, whatever they wait for", () => {
  const groups = groupByState([row("a", "degraded", {}), row("b", "pause"), row("c", "inconclusive", {})]);
  expect(groups.map(({ reason, rows }) => [reason, rows.map(({ key }) => key)])).toEqual([
    ["pause", ["b"]],
    ["snoozed", ["a", "c"]],
  ]);
});

it("moves a row that wakes at once, and one that is snoozed only when rows may move", () => {
  const places = new Map<string, Reason>();
  const group = (isHeld: boolean, rows: ReturnType<typeof row>[]) =>
    groupByState(rows, { isHeld, places }).map(({ reason, rows: own }) => `${reason}: ${own.map(({ key }) => key)}`);
  expect(group(false, [row("a", "pause"), row("b", "degraded", {})])).toEqual(["pause: a", "snoozed: b"]);
  expect(group(true, [row("a", "pause", {}), row("b", "degraded")])).toEqual(["pause: a", "degraded: b"]);
  expect(group(false, [row("a", "pause", {}), row("b", "degraded")])).toEqual(["degraded: b", "snoozed: a"]);
});
