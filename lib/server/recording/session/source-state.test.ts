import { describe, expect, it } from "vitest";
import { defaultTiming, type NextStep, reduceSource, type SourceEvent, type SourceStatus } from "./source-state.ts";

const states = ["syncing", "live", "stale", "denied", "absent", "suspect", "error"] as const;
const answered = (status: number): SourceEvent => ({ type: "answered", status, text: "why" });

type Next = NextStep["do"] | "-";
/**
 * The expected state for each state, in the order of `states`; `=` if it stays. `next` is one step for all, or one
 * each.
 */
type Row = {
  event: SourceEvent;
  becomes: readonly (Column.SourceState | "=")[] | Column.SourceState | "=";
  next: readonly Next[] | Next;
};

const resumes: readonly Next[] = ["list", "watch", "watch", "list", "list", "watch", "list"];
const table: Record<string, Row> = {
  opened: { event: { type: "opened" }, becomes: "syncing", next: "list" },
  // A denied source may still be refused the watch: it is live once that is open.
  "a complete list": {
    event: { type: "listed" },
    becomes: ["live", "live", "live", "=", "live", "live", "live"],
    next: "watch",
  },
  "a list that is held": {
    event: { type: "held", reason: "x" },
    becomes: ["suspect", "suspect", "suspect", "=", "suspect", "suspect", "suspect"],
    next: "watch",
  },
  "a watch that is open": { event: { type: "watch-opened" }, becomes: "=", next: "-" },
  "a hold that is settled": {
    event: { type: "released" },
    becomes: ["=", "=", "=", "=", "=", "live", "="],
    next: "-",
  },
  contact: { event: { type: "contact" }, becomes: ["=", "=", "live", "=", "=", "=", "="], next: "-" },
  silence: { event: { type: "silent" }, becomes: ["=", "stale", "=", "=", "=", "=", "="], next: "-" },
  "a watch that ends in time": { event: { type: "watch-closed", livedMs: 25_000 }, becomes: "=", next: "watch" },
  "a watch that ends at once": { event: { type: "watch-closed", livedMs: 5 }, becomes: "=", next: "watch" },
  "an expired version": { event: { type: "expired" }, becomes: "syncing", next: "list" },
  "an object of another kind": { event: { type: "bad-object", message: "m" }, becomes: "syncing", next: "list" },
  "another cluster": { event: { type: "other-cluster", message: "m" }, becomes: "error", next: "list" },
  "no answer": { event: { type: "unreachable", message: "m" }, becomes: "=", next: resumes },
  "400": { event: answered(400), becomes: "error", next: "list" },
  "401": { event: answered(401), becomes: "denied", next: "list" },
  "403": { event: answered(403), becomes: "denied", next: "list" },
  "404": { event: answered(404), becomes: "absent", next: "list" },
  "409": { event: answered(409), becomes: "error", next: "list" },
  "410": { event: answered(410), becomes: "syncing", next: "list" },
  "429": { event: answered(429), becomes: "=", next: resumes },
  "500": { event: answered(500), becomes: "=", next: resumes },
  "503": { event: answered(503), becomes: "=", next: resumes },
};

const cases = Object.entries(table).flatMap(([name, row]) =>
  states.map((state, at) => {
    const wanted = typeof row.becomes === "string" ? row.becomes : (row.becomes[at] ?? "=");
    const next = typeof row.next === "string" ? row.next : (row.next[at] ?? "-");
    return { name, state, event: row.event, becomes: wanted === "=" ? state : wanted, next };
  }),
);

const now = 1_000_000;

function reduce(status: Partial<SourceStatus>, event: SourceEvent, random = 1) {
  return reduceSource({ state: "live", lastError: null, failures: 0, ...status }, event, { random, now });
}

describe("each state at each event", () => {
  it.each(cases)("$state, $name: $becomes, then $next", ({ state, event, becomes, next }) => {
    const result = reduce({ state }, event);
    expect(result.status.state).toBe(becomes);
    expect(result.next?.do ?? "-").toBe(next);
  });
});

describe("when the next step comes", () => {
  const waits: { name: string; failures?: number; event: SourceEvent; afterMs: number; becomes: number }[] = [
    { name: "opened", failures: 9, event: { type: "opened" }, afterMs: 0, becomes: 0 },
    { name: "listed", failures: 9, event: { type: "listed" }, afterMs: 0, becomes: 0 },
    { name: "held", failures: 9, event: { type: "held", reason: "x" }, afterMs: 0, becomes: 0 },
    { name: "a long watch", failures: 3, event: { type: "watch-closed", livedMs: 1000 }, afterMs: 0, becomes: 0 },
    { name: "a short watch", event: { type: "watch-closed", livedMs: 999 }, afterMs: 250, becomes: 1 },
    { name: "a fourth one", failures: 3, event: { type: "watch-closed", livedMs: 5 }, afterMs: 2000, becomes: 4 },
    { name: "410 in a stream", event: { type: "expired" }, afterMs: 0, becomes: 1 },
    { name: "410 again", failures: 1, event: { type: "expired" }, afterMs: 500, becomes: 2 },
    { name: "410 to a list", event: answered(410), afterMs: 250, becomes: 1 },
    { name: "a bad object", event: { type: "bad-object", message: "m" }, afterMs: 500, becomes: 1 },
    { name: "a bad object again", failures: 3, event: { type: "bad-object", message: "m" }, afterMs: 2000, becomes: 4 },
    { name: "another cluster", event: { type: "other-cluster", message: "m" }, afterMs: 60_000, becomes: 1 },
    { name: "no answer", event: { type: "unreachable", message: "m" }, afterMs: 500, becomes: 1 },
    { name: "no answer again", failures: 1, event: { type: "unreachable", message: "m" }, afterMs: 500, becomes: 2 },
    { name: "503", failures: 2, event: answered(503), afterMs: 500, becomes: 3 },
    { name: "401", event: answered(401), afterMs: 60_000, becomes: 1 },
    { name: "403", event: answered(403), afterMs: 60_000, becomes: 1 },
    { name: "404", event: answered(404), afterMs: 300_000, becomes: 1 },
    { name: "400", event: answered(400), afterMs: 10_000, becomes: 1 },
  ];
  it.each(waits)("$name: after $afterMs ms", ({ failures = 0, event, afterMs, becomes }) => {
    const result = reduce({ failures }, event);
    expect(result.next?.afterMs).toBe(afterMs);
    expect(result.status.failures).toBe(becomes);
  });

  const ages: { troubledMs: number; random: number; afterMs: number }[] = [
    { troubledMs: 0, random: 0, afterMs: 100 },
    { troubledMs: 0, random: 1, afterMs: 500 },
    { troubledMs: 29_999, random: 0, afterMs: 100 },
    { troubledMs: 29_999, random: 1, afterMs: 500 },
    { troubledMs: 30_000, random: 0, afterMs: 1500 },
    { troubledMs: 30_000, random: 1, afterMs: 3000 },
    { troubledMs: 100_000, random: 1, afterMs: 10_000 },
    { troubledMs: 3_600_000, random: 0, afterMs: 5000 },
    { troubledMs: 3_600_000, random: 1, afterMs: 10_000 },
  ];
  it.each(ages)("after $troubledMs ms of trouble, at $random: $afterMs ms", ({ troubledMs, random, afterMs }) => {
    const status = { troubleSince: now - troubledMs, failures: 200 };
    for (const event of [answered(503), answered(429), { type: "unreachable", message: "m" } as const])
      expect(reduce(status, event, random).next?.afterMs).toBe(afterMs);
  });

  it.each([0, 0.5, 1])("asks never sooner than the rules of a refusal: %s", (random) => {
    expect(reduce({}, answered(403), random).next?.afterMs).toBe(defaultTiming.deniedRetryMs);
  });
});

describe("a server that has just come back", () => {
  const unreachable: SourceEvent = { type: "unreachable", message: "down" };

  it.each([401, 403, 404])("is asked again at the first pace when it answers %i", (status) => {
    const broken = reduce({}, unreachable).status;
    const soon = reduceSource(broken, answered(status), { random: 1, now: now + 29_999 });
    expect(soon).toMatchObject({ status: { state: "live" }, next: { do: "watch", afterMs: 500 } });
    expect(soon.status.lastError).toContain(String(status));
    const late = reduceSource(broken, answered(status), { random: 1, now: now + 30_000 });
    expect(late.status.state).toBe(status === 404 ? "absent" : "denied");
  });

  it.each([{ type: "listed" }, { type: "contact" }, { type: "held", reason: "x" }] as const)(
    "is believed at once after $type",
    (event) => {
      const broken = reduce({}, unreachable).status;
      const well = reduceSource(broken, event, { random: 1, now: now + 1000 }).status;
      expect(reduceSource(well, answered(403), { random: 1, now: now + 2000 }).status.state).toBe("denied");
    },
  );
});

describe("a server that ends its watches and starts again", () => {
  const closed = reduce({}, { type: "watch-closed", livedMs: 25_000 }).status;
  const at = (status: SourceStatus, event: SourceEvent, afterMs: number) =>
    reduceSource(status, event, { random: 1, now: now + afterMs });

  it.each([401, 403, 404])("is asked again at the first pace when it answers %i", (status) => {
    const first = at(closed, answered(status), 10);
    expect(first).toMatchObject({ status: { state: "live" }, next: { do: "watch", afterMs: 500 } });
    expect(at(first.status, answered(status), 30_009).status.state).toBe("live");
    expect(at(first.status, answered(status), 30_010).status.state).toBe(status === 404 ? "absent" : "denied");
  });

  it("is believed at once when there was contact since", () => {
    const well = at(closed, { type: "contact" }, 10).status;
    expect(at(well, answered(403), 20).status.state).toBe("denied");
  });

  it("is believed at once when the watch ended long ago", () => {
    expect(at(closed, answered(403), 30_000).status.state).toBe("denied");
  });
});

describe("a source that may list and not watch", () => {
  const watchRefused: SourceEvent = { type: "answered", status: 403, text: "no", what: "watch rollouts" };
  const listRefused: SourceEvent = { ...watchRefused, what: "list rollouts" };
  const play = (events: readonly SourceEvent[]) => {
    const steps: ReturnType<typeof reduce>[] = [];
    for (const event of events) steps.push(reduce(steps.at(-1)?.status ?? { state: "syncing" }, event));
    return steps;
  };

  it("is denied without a break, names the missing verb, and is listed again soon", () => {
    const steps = play([{ type: "listed" }, ...[1, 2, 3].flatMap(() => [watchRefused, { type: "listed" } as const])]);
    expect(steps.map(({ status }) => status.state).slice(1)).toEqual(Array(6).fill("denied"));
    const texts = new Set(steps.slice(3).map(({ status }) => status.lastError));
    expect([...texts]).toEqual([expect.stringMatching(/403 \(watch rollouts\).*may list rollouts but not watch them/)]);
    const refused = steps.filter((_, index) => index % 2 === 1);
    expect(refused.map(({ next }) => next)).toEqual(Array(3).fill({ do: "list", afterMs: defaultTiming.listOnlyMs }));
  });

  const recoveries: { name: string; events: SourceEvent[]; becomes: Column.SourceState }[] = [
    { name: "a watch opens", events: [{ type: "watch-opened" }], becomes: "live" },
    { name: "a held list", events: [{ type: "held", reason: "x" }, { type: "watch-opened" }], becomes: "suspect" },
    {
      name: "a held list that is released",
      events: [{ type: "held", reason: "x" }, { type: "released" }, { type: "watch-opened" }],
      becomes: "live",
    },
    { name: "the list is refused too", events: [listRefused], becomes: "denied" },
    {
      name: "the list is refused too, a watch opens",
      events: [listRefused, { type: "watch-opened" }],
      becomes: "denied",
    },
  ];
  it.each(recoveries)("$name: $becomes", ({ events, becomes }) => {
    const { status } = play([watchRefused, { type: "listed" }, ...events]).at(-1) ?? {};
    expect(status?.state).toBe(becomes);
    expect(status?.onceWatched).toBeUndefined();
  });
});

describe("what a source says of itself", () => {
  it("names verb and resource of a refusal, and the server's words", () => {
    const { status } = reduce({}, { type: "answered", status: 403, text: "no", what: "list rollouts" });
    expect(status.lastError).toBe("the API server answered 403 (list rollouts): no");
  });

  it.each([{ type: "listed" }, { type: "opened" }] as const)("forgets its error once it is $type", (event) => {
    expect(reduce({ state: "error", lastError: "e", failures: 3, isForeign: true }, event).status).toEqual({
      state: event.type === "listed" ? "live" : "syncing",
      lastError: null,
      failures: 0,
    });
  });

  it("keeps saying that another cluster answered while nothing answers", () => {
    const foreign = reduce({}, { type: "other-cluster", message: "another cluster" }).status;
    const silent = reduceSource(foreign, { type: "unreachable", message: "down" }, { random: 1, now }).status;
    expect(silent.lastError).toBe("another cluster");
    expect(reduceSource(silent, answered(403), { random: 1, now: now + 30_000 }).status).toMatchObject({
      state: "denied",
    });
  });

  it("keeps its error and says nothing new where an event changes nothing", () => {
    const before: SourceStatus = { state: "denied", lastError: "e", failures: 2 };
    expect(reduceSource(before, { type: "contact" }, { random: 1, now })).toEqual({ status: before, next: undefined });
  });
});
