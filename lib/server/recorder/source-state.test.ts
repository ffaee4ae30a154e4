import { describe, expect, it } from "vitest";
import type { SourceStateName } from "./source-row.ts";
import { type NextStep, reduceSource, type SourceEvent } from "./source-state.ts";

type Case = {
  name: string;
  state: SourceStateName;
  failures?: number;
  event: SourceEvent;
  becomes: SourceStateName;
  next?: NextStep | undefined;
  error?: string | null;
};

const answered = (status: number): SourceEvent => ({ type: "answered", status, text: "why" });

const cases: Case[] = [
  { name: "start", state: "error", event: { type: "opened" }, becomes: "syncing", next: { do: "list", afterMs: 0 } },
  {
    name: "complete list",
    state: "syncing",
    failures: 3,
    event: { type: "listed" },
    becomes: "live",
    next: { do: "watch", afterMs: 0 },
  },
  {
    name: "implausible list is held",
    state: "live",
    event: { type: "held", reason: "x" },
    becomes: "suspect",
    next: { do: "watch", afterMs: 0 },
    error: "x",
  },
  { name: "hold settled", state: "suspect", event: { type: "released" }, becomes: "live" },
  { name: "hold settled while listing again", state: "syncing", event: { type: "released" }, becomes: "syncing" },
  { name: "contact heals stale", state: "stale", event: { type: "contact" }, becomes: "live" },
  { name: "contact does not settle a hold", state: "suspect", event: { type: "contact" }, becomes: "suspect" },
  { name: "contact does not replace a list", state: "syncing", event: { type: "contact" }, becomes: "syncing" },
  { name: "contact does not lift a denial", state: "denied", event: { type: "contact" }, becomes: "denied" },
  { name: "silence makes live stale", state: "live", event: { type: "silent" }, becomes: "stale" },
  { name: "silence leaves suspect", state: "suspect", event: { type: "silent" }, becomes: "suspect" },
  { name: "silence leaves syncing", state: "syncing", event: { type: "silent" }, becomes: "syncing" },
  {
    name: "watch ends in time",
    state: "live",
    event: { type: "watch-closed", livedMs: 25_000 },
    becomes: "live",
    next: { do: "watch", afterMs: 0 },
  },
  {
    name: "watch ends at once",
    state: "live",
    event: { type: "watch-closed", livedMs: 5 },
    becomes: "live",
    next: { do: "watch", afterMs: 250 },
  },
  {
    name: "watch ends at once for the fourth time",
    state: "live",
    failures: 3,
    event: { type: "watch-closed", livedMs: 5 },
    becomes: "live",
    next: { do: "watch", afterMs: 2000 },
  },
  {
    name: "410: list again at once",
    state: "live",
    event: { type: "expired" },
    becomes: "syncing",
    next: { do: "list", afterMs: 0 },
  },
  {
    name: "410 again: with back-off",
    state: "syncing",
    failures: 1,
    event: { type: "expired" },
    becomes: "syncing",
    next: { do: "list", afterMs: 500 },
  },
  {
    name: "bad object",
    state: "live",
    event: { type: "bad-object", message: "m" },
    becomes: "syncing",
    next: { do: "list", afterMs: 500 },
    error: "m",
  },
  {
    name: "another cluster",
    state: "live",
    event: { type: "other-cluster", message: "m" },
    becomes: "error",
    next: { do: "list", afterMs: 60_000 },
    error: "m",
  },
  {
    name: "unreachable while live",
    state: "live",
    event: { type: "unreachable", message: "m" },
    becomes: "live",
    next: { do: "watch", afterMs: 250 },
    error: "m",
  },
  {
    name: "unreachable while stale",
    state: "stale",
    event: { type: "unreachable", message: "m" },
    becomes: "stale",
    next: { do: "watch", afterMs: 250 },
    error: "m",
  },
  {
    name: "unreachable before the first list",
    state: "syncing",
    event: { type: "unreachable", message: "m" },
    becomes: "syncing",
    next: { do: "list", afterMs: 250 },
    error: "m",
  },
  {
    name: "unreachable for long",
    state: "live",
    failures: 40,
    event: { type: "unreachable", message: "m" },
    becomes: "live",
    next: { do: "watch", afterMs: 10_000 },
    error: "m",
  },
  { name: "401", state: "live", event: answered(401), becomes: "denied", next: { do: "list", afterMs: 60_000 } },
  { name: "403", state: "live", event: answered(403), becomes: "denied", next: { do: "list", afterMs: 60_000 } },
  { name: "404", state: "live", event: answered(404), becomes: "absent", next: { do: "list", afterMs: 300_000 } },
  {
    name: "410 as a status",
    state: "live",
    event: answered(410),
    becomes: "syncing",
    next: { do: "list", afterMs: 250 },
  },
  { name: "429", state: "live", event: answered(429), becomes: "live", next: { do: "watch", afterMs: 250 } },
  { name: "500", state: "live", event: answered(500), becomes: "live", next: { do: "watch", afterMs: 250 } },
  {
    name: "503 before the first list",
    state: "syncing",
    event: answered(503),
    becomes: "syncing",
    next: { do: "list", afterMs: 250 },
  },
  {
    name: "503 after a denial",
    state: "denied",
    event: answered(503),
    becomes: "denied",
    next: { do: "list", afterMs: 250 },
  },
  { name: "400", state: "live", event: answered(400), becomes: "error", next: { do: "list", afterMs: 10_000 } },
];

describe("reduceSource", () => {
  it.each(cases)("$name", ({ state, failures = 0, event, becomes, next, error }) => {
    const result = reduceSource({ state, lastError: null, failures }, event, { random: 1 });
    expect(result.status.state).toBe(becomes);
    expect(result.next).toEqual(next);
    if (error !== undefined) expect(result.status.lastError).toBe(error);
  });

  it("spreads retries over half of the back-off", () => {
    const event: SourceEvent = { type: "unreachable", message: "m" };
    const status = { state: "live", lastError: null, failures: 0 } as const;
    expect(reduceSource(status, event, { random: 0 }).next?.afterMs).toBe(125);
    expect(reduceSource(status, event, { random: 1 }).next?.afterMs).toBe(250);
  });
});
