import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { composeMessages, countSlots, type PendingEvent } from "./compose-messages.ts";
import type { NotifiableEvent } from "./notifiable-event.ts";
import { sampleEvent, targetOf } from "./testing/sample-event.ts";

const second = 1000;
/** A pending event `name/key`, such as `web/1`, that waits since so many seconds. */
function pending(at: string, change: Partial<NotifiableEvent> = {}, more: Partial<PendingEvent> = {}): PendingEvent {
  const [name = ""] = at.split("/");
  const event = sampleEvent(at, { target: targetOf(name), title: at, ...change });
  return { event, routes: ["all"], since: 0, isHeld: false, ...more };
}

function compose(events: readonly PendingEvent[], { nowSeconds = 15, slots = 20, windowSeconds = 15 } = {}) {
  return composeMessages({
    channel: "c",
    pending: events,
    now: nowSeconds * second,
    windowMs: windowSeconds * second,
    slots,
  });
}

type Made = [shape: string, ...titles: string[]];
const summarise = (messages: ReturnType<typeof compose>): Made[] =>
  messages.map(({ shape, events }) => [shape, ...events.map(({ title }) => title)]);

const critical = { severity: "critical" } as const;

describe("composeMessages", () => {
  it.each<{ name: string; events: PendingEvent[]; options?: Parameters<typeof compose>[1]; made: Made[] }>([
    { name: "nothing", events: [], made: [] },
    { name: "one, after the window", events: [pending("web/1")], made: [["single", "web/1"]] },
    { name: "one, within the window", events: [pending("web/1")], options: { nowSeconds: 14 }, made: [] },
    {
      name: "no window",
      events: [pending("web/1", {}, { since: 15 * second })],
      options: { windowSeconds: 0 },
      made: [["single", "web/1"]],
    },
    {
      name: "several of one rollout",
      events: [pending("web/1"), pending("api/1"), pending("web/2", {}, { since: 14 * second })],
      made: [
        ["group", "web/1", "web/2"],
        ["single", "api/1"],
      ],
    },
    {
      name: "the window begins with the first of a rollout, not of the channel",
      events: [pending("web/1"), pending("api/1", {}, { since: 10 * second })],
      made: [["single", "web/1"]],
    },
    { name: "one that is held", events: [pending("web/1", {}, { isHeld: true })], made: [] },
    {
      name: "one of the same rollout that is not held",
      events: [pending("web/1", {}, { isHeld: true }), pending("web/2", critical)],
      made: [["single", "web/2"]],
    },
    {
      name: "no slot: everything waits",
      events: [pending("web/1"), pending("api/1")],
      options: { slots: 0 },
      made: [],
    },
    {
      name: "as many as there are slots",
      events: [pending("a/1"), pending("b/1")],
      options: { slots: 2 },
      made: [
        ["single", "a/1"],
        ["single", "b/1"],
      ],
    },
    {
      name: "more than slots: the rest is a digest",
      events: [pending("a/1"), pending("b/1"), pending("c/1"), pending("b/2")],
      options: { slots: 2 },
      made: [
        ["single", "a/1"],
        ["digest", "b/1", "b/2", "c/1"],
      ],
    },
    {
      name: "more than slots: the most severe stay alone",
      events: [pending("a/1"), pending("b/1", { severity: "warning" }), pending("c/1", critical)],
      options: { slots: 2 },
      made: [
        ["single", "c/1"],
        ["digest", "b/1", "a/1"],
      ],
    },
    {
      name: "one slot: one digest of all",
      events: [pending("a/1"), pending("b/1")],
      options: { slots: 1 },
      made: [["digest", "a/1", "b/1"]],
    },
    {
      name: "things without a name are not the same thing",
      events: [
        pending("x/1", { target: { cluster: "prod", namespace: "", kind: null, name: "" } }),
        pending("x/2", { target: { cluster: "prod", namespace: "", kind: null, name: "" } }),
      ],
      made: [
        ["single", "x/1"],
        ["single", "x/2"],
      ],
    },
  ])("$name", ({ events, options, made }) => {
    expect(summarise(compose(events, options))).toEqual(made);
  });

  it("makes the same message of the same events, and another for another channel", () => {
    const events = [pending("web/1"), pending("web/2")];
    const ids = (channel: string) =>
      composeMessages({ channel, pending: events, now: 15_000, windowMs: 0, slots: 9 }).map(({ id }) => id);
    expect(ids("c")).toEqual(ids("c"));
    expect(ids("c")).not.toEqual(ids("d"));
  });

  it.each<[PendingEvent[], string]>([
    [[pending("web/1")], "shop/web: web/1"],
    [[pending("web/1"), pending("web/2", critical), pending("web/3")], "shop/web: web/2 and 2 more"],
    [[pending("web/1"), pending("api/1", critical)], "shop/api: api/1; 1 more elsewhere"],
  ])("titles name the most severe", (events, title) => {
    expect(compose(events, { slots: 1 }).map((message) => message.title)).toEqual([title]);
  });

  it("has the highest severity and all routes of its events", () => {
    const [message] = compose([
      pending("web/1", { severity: "warning" }, { routes: ["a", "b"] }),
      pending("web/2", {}, { routes: ["b", "c"] }),
    ]);
    expect(message).toMatchObject({ severity: "warning", routes: ["a", "b", "c"] });
  });

  it("splits what is too much for one message, and loses none of it", () => {
    const events = Array.from({ length: 450 }, (_, index) => pending(`web-${index}/1`));
    const rounds: number[] = [];
    let left: readonly PendingEvent[] = events;
    while (left.length > 0) {
      const sent = new Set(compose(left, { slots: 1 }).flatMap((message) => message.events.map(({ id }) => id)));
      rounds.push(sent.size);
      left = left.filter(({ event }) => !sent.has(event.id));
    }
    expect(rounds).toEqual([200, 200, 50]);
  });

  it("uses no more slots than there are, and no event twice", () => {
    const anEvent = fc.record({ name: fc.integer({ min: 0, max: 6 }), since: fc.integer({ min: 0, max: 30_000 }) });
    fc.assert(
      fc.property(fc.array(anEvent, { maxLength: 40 }), fc.integer({ min: 0, max: 8 }), (drawn, slots) => {
        const events = drawn.map(({ name, since }, index) => pending(`r${name}/${index}`, {}, { since }));
        const messages = compose(events, { nowSeconds: 20, slots });
        const ids = messages.flatMap((message) => message.events.map(({ id }) => id));
        expect(messages.length).toBeLessThanOrEqual(slots);
        expect(new Set(ids).size).toBe(ids.length);
        const dueNames = new Set(
          events.filter(({ since }) => since + 15_000 <= 20_000).map(({ event }) => event.target.name),
        );
        const due = slots === 0 ? [] : events.filter(({ event }) => dueNames.has(event.target.name));
        expect(ids.toSorted()).toEqual(due.map(({ event }) => event.id).toSorted());
      }),
    );
  });
});

it.each([
  { made: 0, unsent: 0, slots: 20 },
  { made: 5, unsent: 0, slots: 15 },
  { made: 0, unsent: 5, slots: 15 },
  { made: 5, unsent: 5, slots: 15 },
  { made: 20, unsent: 0, slots: 0 },
  { made: 0, unsent: 30, slots: 0 },
])("of 20 a minute, $made made and $unsent unsent leave $slots", ({ made, unsent, slots }) => {
  expect(countSlots({ perMinute: 20, madeLastMinute: made, unsent })).toBe(slots);
});
