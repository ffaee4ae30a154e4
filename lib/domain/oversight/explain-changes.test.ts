import { expect, it } from "vitest";
import type { ChangeAction } from "#lib/domain/oversight/provider-reports.ts";
import { explainChanges, type SentAction } from "./explain-changes.ts";

const at = Date.parse("2026-11-20T12:00:00Z");
const sent = (action: string, change: Partial<SentAction> = {}): SentAction => ({
  id: "a-1",
  action,
  requestedAt: at - 500,
  unpauses: false,
  effectiveAt: null,
  isOpen: true,
  ...change,
});
const minute = 60_000;
const explain = (names: ChangeAction[], actions: SentAction[], explained: string[] = [], previousAt = at - 1_000) => {
  const changes = names.map((action) => ({ action, client: null }));
  const result = explainChanges({ changes, observedAt: at, previousAt, actions, explained });
  return { unasked: result.unasked.map(({ action }) => action), explained: result.explained };
};

it.each<{
  name: string;
  changes: ChangeAction[];
  actions: SentAction[];
  explained?: string[];
  previousAt?: number;
  unasked: string[];
}>([
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
    name: "long ago, and it was seen since",
    changes: ["abort"],
    actions: [sent("abort", { requestedAt: at - 16 * minute })],
    unasked: ["abort"],
  },
  {
    name: "long ago, while nobody watched",
    changes: ["abort"],
    actions: [sent("abort", { requestedAt: at - 50 * minute })],
    previousAt: at - 60 * minute,
    unasked: [],
  },
  {
    name: "long ago, no effect yet: it is still watched",
    changes: ["abort"],
    actions: [sent("abort", { requestedAt: at - 300 * minute, isOpen: false, isWatched: true })],
    unasked: [],
  },
  {
    name: "long ago, and it had no effect",
    changes: ["abort"],
    actions: [sent("abort", { requestedAt: at - 50 * minute, isOpen: false })],
    previousAt: at - 60 * minute,
    unasked: ["abort"],
  },
  {
    name: "its effect was seen long ago, and nothing has changed since",
    changes: ["undo"],
    actions: [sent("set-image", { requestedAt: at - 60 * minute, effectiveAt: at - 59 * minute, isOpen: false })],
    previousAt: at - 58 * minute,
    unasked: ["undo"],
  },
  {
    name: "its effect is seen while nobody had watched",
    changes: ["abort"],
    actions: [sent("abort", { requestedAt: at - 60 * minute, effectiveAt: at + 500, isOpen: false })],
    previousAt: at - 90 * minute,
    unasked: [],
  },
  {
    name: "its effect was read in the cluster while the watch hung",
    changes: ["abort"],
    actions: [sent("abort", { requestedAt: at - 10 * minute, effectiveAt: at - 9 * minute, isOpen: false })],
    previousAt: at - 11 * minute,
    unasked: [],
  },
  {
    name: "full promotion was seen as such",
    changes: ["continue"],
    actions: [sent("promote-full")],
    explained: ["a-1 promote-full"],
    unasked: ["continue"],
  },
  {
    name: "full promotion came and went between two looks",
    changes: ["continue"],
    actions: [sent("promote-full")],
    unasked: [],
  },
  {
    name: "an experiment's step was skipped, which looks like accepting it",
    changes: ["accept-step"],
    actions: [sent("skip-step")],
    unasked: [],
  },
  {
    name: "all steps were skipped when one was left",
    changes: ["skip-step"],
    actions: [sent("skip-all")],
    unasked: [],
  },
  {
    name: "one action takes it further once",
    changes: ["continue", "skip-step"],
    actions: [sent("continue")],
    unasked: ["skip-step"],
  },
  {
    name: "the action of that name is taken first, and another is left for what comes next",
    changes: ["skip-step", "continue"],
    actions: [sent("continue"), sent("skip-step", { id: "a-2" })],
    unasked: [],
  },
  {
    name: "an abort is not explained by going on",
    changes: ["abort", "pause"],
    actions: [sent("continue"), sent("retry", { id: "a-2" })],
    unasked: ["abort", "pause"],
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
])("$name", ({ changes, actions, explained, previousAt, unasked }) => {
  expect(explain(changes, actions, explained, previousAt).unasked).toEqual(unasked);
});

it("remembers what explained", () => {
  expect(explain(["unpause", "continue"], [sent("continue", { unpauses: true })], ["a-0 abort"]).explained).toEqual([
    "a-0 abort",
    "a-1 unpause",
    "a-1 going-on",
  ]);
});
