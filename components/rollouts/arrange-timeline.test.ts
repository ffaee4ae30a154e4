import { describe, expect, it } from "vitest";
import { arrangeTimeline, classifyEvent, findEnd, repeatsTime } from "#components/rollouts/arrange-timeline.ts";
import type { TimelineEvent } from "#lib/contract/timeline.ts";
import { timelineEvent, timelineRelease } from "#test/timeline-events.ts";

const first = timelineRelease({ id: "first", startedAt: "2026-11-20T08:00:00.000Z" });
const second = timelineRelease({ id: "second", startedAt: "2026-11-21T08:00:00.000Z" });
const event = (at: string, text: string, kind = "step", release: TimelineEvent["release"] = second) =>
  timelineEvent({ at: `2026-11-${at}Z`, text, kind, release });
const arrange = (...events: TimelineEvent[]) =>
  arrangeTimeline(events, (ms) => new Date(ms).toISOString().slice(0, 10)).map(({ release, days }) => [
    release?.id,
    ...days.map(({ day, events: own }) => `${day}: ${own.map(({ text }) => text).join(", ")}`),
  ]);

describe("arrangeTimeline, newest first", () => {
  it("has a group per release, and one for what came before", () => {
    expect(
      arrange(
        event("21T08:00:05.000", "step"),
        event("21T08:00:00.000", "begins"),
        event("20T09:00:00.000", "promoted", "phase", first),
        event("20T07:00:00.000", "seen", "phase", null),
      ),
    ).toEqual([
      ["second", "2026-11-21: step, begins"],
      ["first", "2026-11-20: promoted"],
      [undefined, "2026-11-20: seen"],
    ]);
  });

  it("names each day once", () => {
    expect(
      arrange(event("22T00:00:01.000", "late"), event("21T23:59:59.000", "b"), event("21T09:00:00.000", "a")),
    ).toEqual([["second", "2026-11-22: late", "2026-11-21: b, a"]]);
  });

  it("puts an act below what the controller did in the same second, whichever clock was ahead", () => {
    const aborted = event("21T08:10:01.200", "aborted", "abort");
    expect(arrange(event("21T08:10:01.900", "person", "action"), aborted)).toEqual([
      ["second", "2026-11-21: aborted, person"],
    ]);
    expect(arrange(aborted, event("21T08:10:01.200", "kubectl", "unasked"))).toEqual([
      ["second", "2026-11-21: aborted, kubectl"],
    ]);
  });

  it("leaves an act of another second where it is", () => {
    expect(arrange(event("21T08:10:02.000", "person", "action"), event("21T08:10:01.999", "paused", "pause"))).toEqual([
      ["second", "2026-11-21: person, paused"],
    ]);
  });

  it("keeps the server's order between events of one kind", () => {
    expect(
      arrange(
        event("21T08:10:01.500", "abort", "abort"),
        event("21T08:10:01.500", "run failed", "run"),
        event("21T08:10:01.100", "run begins", "run"),
      ),
    ).toEqual([["second", "2026-11-21: abort, run failed, run begins"]]);
  });

  it("does not split a release if the act that caused it was recorded under the one before", () => {
    expect(
      arrange(
        event("21T08:00:00.900", "step"),
        event("21T08:00:00.000", "begins", "revision"),
        event("21T08:00:00.000", "undo", "action", first),
      ),
    ).toEqual([
      ["second", "2026-11-21: step, begins"],
      ["first", "2026-11-21: undo"],
    ]);
  });
});

describe("a timed pause, as one event", () => {
  const completed = event("21T08:00:13.000", "Step 2 of 6 completed: wait 10 s");
  const resumed = event("21T08:00:13.000", "Resumed", "resume");
  const pause = (at: string, step = "2 of 6") => event(at, `Pauses at step ${step}: wait 10 s`, "pause");
  const run = event("21T08:00:08.000", "Background analysis ended Successful", "run");
  const all = "Step 2 of 6 completed: wait 10 s, Resumed";
  it.each([
    { name: "as long as planned", others: [pause("21T08:00:03.000")], shown: "Step 2 of 6: waited 10 s" },
    {
      name: "by clocks of whole seconds",
      others: [pause("21T08:00:03.900")],
      shown: "Step 2 of 6: waited 10 s",
    },
    {
      name: "with an analysis in it",
      others: [run, pause("21T08:00:03.000")],
      shown: "Step 2 of 6: waited 10 s, Background analysis ended Successful",
    },
    {
      name: "whose end was observed late, or that lasted longer",
      others: [pause("21T07:58:00.000")],
      shown: `${all}, Pauses at step 2 of 6: wait 10 s`,
    },
    {
      name: "ended early, by a client that left no name",
      others: [pause("21T08:00:09.000")],
      shown: `${all}, Pauses at step 2 of 6: wait 10 s`,
    },
    {
      name: "ended by a person",
      others: [event("21T08:00:13.900", "operator continued it", "action"), pause("21T08:00:03.000")],
      shown: `${all}, operator continued it, Pauses at step 2 of 6: wait 10 s`,
    },
    {
      name: "of another step",
      others: [pause("21T08:00:03.000", "1 of 6")],
      shown: `${all}, Pauses at step 1 of 6: wait 10 s`,
    },
    { name: "whose beginning is not loaded", others: [], shown: all },
  ])("$name", ({ others, shown }) => {
    expect(arrange(completed, resumed, ...others)).toEqual([["second", `2026-11-21: ${shown}`]]);
  });

  it("keeps what a named client resumed", () => {
    const byKubectl = event("21T08:00:13.000", "Resumed (via kubectl)", "resume");
    expect(arrange(completed, byKubectl, pause("21T08:00:03.000"))).toEqual([
      ["second", `2026-11-21: ${all} (via kubectl), Pauses at step 2 of 6: wait 10 s`],
    ]);
  });
});

describe("findEnd", () => {
  const groupOf = (state: "promoted" | "aborted" | "superseded", ...events: TimelineEvent[]) => ({
    release: first === null ? null : { ...first, state },
    days: [{ day: "", events }],
  });
  const promoted = event("20T09:00:00.000", "Promoted: revision 1 is stable", "phase", first);
  const aborted = event("20T08:30:00.000", "Aborted on request.", "abort", first);
  it.each([
    { name: "promoted", group: groupOf("promoted", promoted, aborted), end: promoted.at },
    { name: "aborted", group: groupOf("aborted", aborted), end: aborted.at },
    { name: "not ended by either", group: groupOf("superseded", aborted), end: undefined },
    { name: "end not loaded", group: groupOf("promoted", aborted), end: undefined },
    { name: "before the first release", group: { release: null, days: [] }, end: undefined },
  ])("$name", ({ group, end }) => {
    expect(findEnd(group)).toBe(end);
  });
});

it("prints an offset once for events of one second", () => {
  const events = [event("21T08:00:05.900", "a"), event("21T08:00:05.100", "b"), event("21T08:00:04.900", "c")];
  expect(events.map((_, index) => repeatsTime(events, index))).toEqual([false, true, false]);
});

describe("classifyEvent", () => {
  it.each([
    { kind: "pause", phase: "Paused", text: "Waits for a person at step 2 of 3", state: "waiting" },
    { kind: "pause", phase: "Paused", text: "Pauses at step 2 of 6: wait 3 s", state: "timed" },
    {
      kind: "pause",
      phase: "Paused",
      text: "Stopped at step 4 of 6: an analysis run is Inconclusive",
      state: "inconclusive",
    },
    { kind: "pause", phase: "Paused", text: "Waiting to switch traffic", state: "waiting" },
    { kind: "pause", phase: "Paused", text: "Paused by a person (via kubectl)", state: "waiting" },
    { kind: "phase", phase: "Paused", text: "First seen: Paused: InconclusiveAnalysisRun", state: "inconclusive" },
    { kind: "phase", phase: "Paused", text: "Progressing to Paused", state: "timed" },
    { kind: "run", phase: "Paused", text: "Analysis of step 1 ended Inconclusive", state: "inconclusive" },
    { kind: "run", phase: "Progressing", text: "Analysis of step 1 started", state: undefined },
    { kind: "phase", phase: "Degraded", text: "Progressing to Degraded", state: "failed" },
    { kind: "phase", phase: "Progressing", text: "Promoted: revision 1 is stable", state: "successful" },
    { kind: "abort", phase: "Degraded", text: "Aborted", state: "failed" },
    { kind: "step", phase: "Progressing", text: "Step 1 of 6 completed", state: undefined },
  ])("$text", ({ state, ...event }) => {
    expect(classifyEvent(event)).toBe(state);
  });
});
