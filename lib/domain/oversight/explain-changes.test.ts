import { expect, it } from "vitest";
import { explainChanges, type SentAction } from "./explain-changes.ts";
import type { ChangeAction } from "./find-unasked-changes.ts";

const at = Date.parse("2026-11-20T12:00:00Z");
const sent = (action: string, change: Partial<SentAction> = {}): SentAction => ({
  id: "a-1",
  action,
  requestedAt: at - 500,
  unpauses: false,
  ...change,
});
const explain = (names: ChangeAction[], actions: SentAction[], explained: string[] = []) => {
  const changes = names.map((action) => ({ action, client: null }));
  const result = explainChanges({ changes, observedAt: at, actions, explained });
  return { unasked: result.unasked.map(({ action }) => action), explained: result.explained };
};

it.each<{ name: string; changes: ChangeAction[]; actions: SentAction[]; explained?: string[]; unasked: string[] }>([
  { name: "nobody asked", changes: ["abort"], actions: [], unasked: ["abort"] },
  { name: "it was asked for", changes: ["abort"], actions: [sent("abort")], unasked: [] },
  { name: "something else was asked for", changes: ["abort"], actions: [sent("continue")], unasked: ["abort"] },
  {
    name: "it was asked for before and explained that",
    changes: ["abort"],
    actions: [sent("abort")],
    explained: ["a-1 abort"],
    unasked: ["abort"],
  },
  {
    name: "it was asked for twice",
    changes: ["abort"],
    actions: [sent("abort"), sent("abort", { id: "a-2" })],
    explained: ["a-1 abort"],
    unasked: [],
  },
  {
    name: "going on lifted the person's pause too",
    changes: ["unpause", "continue"],
    actions: [sent("continue", { unpauses: true })],
    unasked: [],
  },
  {
    name: "going on did not lift it",
    changes: ["unpause", "continue"],
    actions: [sent("continue")],
    unasked: ["unpause"],
  },
  { name: "an image of ours was set back", changes: ["undo"], actions: [sent("set-image")], unasked: [] },
  {
    name: "long ago",
    changes: ["abort"],
    actions: [sent("abort", { requestedAt: at - 16 * 60_000 })],
    unasked: ["abort"],
  },
  {
    name: "afterwards",
    changes: ["abort"],
    actions: [sent("abort", { requestedAt: at + 61_000 })],
    unasked: ["abort"],
  },
  {
    name: "within what clocks may differ",
    changes: ["abort"],
    actions: [sent("abort", { requestedAt: at + 59_000 })],
    unasked: [],
  },
])("$name", ({ changes, actions, explained, unasked }) => {
  expect(explain(changes, actions, explained).unasked).toEqual(unasked);
});

it("remembers what explained", () => {
  expect(explain(["unpause", "continue"], [sent("continue", { unpauses: true })], ["a-0 abort"]).explained).toEqual([
    "a-0 abort",
    "a-1 unpause",
    "a-1 continue",
  ]);
});
