import { expect, it } from "vitest";
import type { PendingEvent } from "./compose-messages.ts";
import { type Grouping, groupIncidents, type Incident, incidentWindowMs } from "./group-incidents.ts";
import { sampleMatter, targetOf } from "./testing/sample-event.ts";

/** A pending event `name/version/cause`, that waits since so many seconds. */
function pending(at: string, more: Partial<PendingEvent> = {}): PendingEvent {
  const [name = "", version = "", cause = "pause"] = at.split("/");
  const event = sampleMatter(name, { target: targetOf(name) }, { cause, version: version === "" ? null : version });
  return { event, routes: ["all"], since: 0, isHeld: false, ...more };
}

const now = 1_000_000;

function group(events: readonly PendingEvent[], more: Partial<Grouping> = {}) {
  return groupIncidents({
    ...{ channel: "pager", pending: events, open: [], incidentOf: new Map(), openedLately: 0, now, windowMs: 15_000 },
    ...more,
  });
}

const namesOf = (changes: ReturnType<typeof group>) =>
  changes.map(({ pending: taken }) => taken.map(({ event }) => event.target.name).join(" "));

const openOf = (key: unknown[], ageMs = 0): Incident => ({
  id: `open-${key.join("-")}`,
  groupKey: JSON.stringify(key),
  openedAt: now - ageMs,
  size: 1,
});

it.each<{ name: string; events: PendingEvent[]; more?: Partial<Grouping>; made: string[] }>([
  { name: "nothing", events: [], made: [] },
  { name: "one version with one cause", events: [pending("a/v2"), pending("b/v2")], made: ["a b"] },
  { name: "another version", events: [pending("a/v2"), pending("b/v3")], made: ["a", "b"] },
  { name: "another cause", events: [pending("a/v2"), pending("b/v2/inconclusive")], made: ["a", "b"] },
  { name: "no version: each alone", events: [pending("a"), pending("b")], made: ["a", "b"] },
  { name: "one that is held", events: [pending("a/v2", { isHeld: true })], made: [] },
  { name: "one within the first window", events: [pending("a/v2", { since: now - 14_999 })], made: [] },
  {
    name: "one that came later with one that is due",
    events: [pending("a/v2"), pending("b/v2", { since: now })],
    made: ["a b"],
  },
  { name: "as many as may be opened", events: [pending("a/v2")], more: { openedLately: 20 }, made: [] },
])("opens incidents of $name", ({ events, more, made }) => {
  const changes = group(events, more);
  expect(namesOf(changes)).toEqual(made);
  expect(changes.every(({ isNew }) => isNew)).toBe(true);
});

it.each<{ name: string; open: Incident; joins: boolean }>([
  { name: "of its version and cause", open: openOf(["pause", "v2"]), joins: true },
  { name: "of its cause alone", open: openOf(["pause"]), joins: true },
  { name: "within the window", open: openOf(["pause", "v2"], incidentWindowMs - 1), joins: true },
  { name: "after the window", open: openOf(["pause", "v2"], incidentWindowMs), joins: false },
  { name: "of another cause", open: openOf(["gate", "v2"]), joins: false },
])("joins an open incident $name: $joins", ({ open, joins }) => {
  const [change] = group([pending("a/v2")], { open: [open] });
  expect(change?.isNew).toBe(!joins);
  expect(change?.incident.id === open.id).toBe(joins);
});

it("keeps a change of a matter in its incident, however old that is", () => {
  const event = pending("a/v2");
  const open = openOf(["pause", "v2"], 3_600_000);
  const [change] = group([event], { open: [open], incidentOf: new Map([[event.event.matter?.id ?? "", open.id]]) });
  expect(change).toMatchObject({ isNew: false, incident: { id: open.id } });
});

it("opens eleven for 200 versions: ten, and one for all others of the cause", () => {
  const events = Array.from({ length: 200 }, (_, index) => pending(`r${index}/v${index}`));
  const changes = group(events);
  expect(changes).toHaveLength(11);
  expect(namesOf(changes).join(" ").split(" ")).toHaveLength(200);
});

it("has at most 200 in one, and opens at most twenty: the rest waits", () => {
  const changes = group(Array.from({ length: 4500 }, (_, index) => pending(`r${index}/v2`)));
  expect(changes.map(({ pending: taken }) => taken.length)).toEqual(Array(20).fill(200));
  const full = { ...openOf(["pause", "v2"]), size: 199 };
  const [joined, opened] = group([pending("a/v2"), pending("b/v2")], { open: [full] });
  expect([joined, opened].map((change) => [change?.isNew, change?.pending.length])).toEqual([
    [false, 1],
    [true, 1],
  ]);
});

it("has the same id for the same beginning, and another one on another channel", () => {
  const idOf = (channel: string) => group([pending("a/v2")], { channel })[0]?.incident.id;
  expect(idOf("pager")).toBe(idOf("pager"));
  expect(idOf("pager")).not.toBe(idOf("other"));
});
