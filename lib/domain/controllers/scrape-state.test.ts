import { describe, expect, it } from "vitest";
import type { FoldedScrape } from "./fold-samples.ts";
import { advanceScrape, type ScrapeAttempt, type ScrapeState } from "./scrape-state.ts";

const atSecond = (second: number) => new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString();

function attempt(second: number, result: ScrapeAttempt["result"], probe?: ScrapeAttempt["probe"]): ScrapeAttempt {
  return { at: atSecond(second), via: "endpoint", everySeconds: 15, durationMs: 5, result, ...(probe && { probe }) };
}

/** Of one process, or of several. */
function succeeded(...startedSeconds: number[]): ScrapeAttempt["result"] {
  const folded: FoldedScrape = {
    values: startedSeconds.map((second, index) => ({
      ...{ series: "process-start", labels: index === 0 ? "" : `{"target":"${index}"}` },
      value: Date.parse(atSecond(second)) / 1000,
    })),
    presence: { presubmits: "present" },
    version: "v1",
  };
  return { ok: true, folded };
}
const failed: ScrapeAttempt["result"] = { ok: false, code: "timeout", message: "no answer" };

function play(...attempts: ScrapeAttempt[]): ScrapeState | undefined {
  return attempts.reduce<ScrapeState | undefined>(advanceScrape, undefined);
}

const cases: { name: string; attempts: ScrapeAttempt[]; is: Partial<ScrapeState> }[] = [
  {
    name: "a first success",
    attempts: [attempt(0, succeeded())],
    is: { upSince: atSecond(0), failingSince: null, consecutiveFailures: 0, lastOkAt: atSecond(0), startedAt: null },
  },
  {
    name: "successes",
    attempts: [attempt(0, succeeded()), attempt(15, succeeded())],
    is: { upSince: atSecond(0), lastOkAt: atSecond(15) },
  },
  {
    name: "a first failure",
    attempts: [attempt(0, failed)],
    is: {
      upSince: null,
      failingSince: atSecond(0),
      consecutiveFailures: 1,
      lastOkAt: null,
      version: null,
      presence: {},
    },
  },
  {
    name: "failures after a success",
    attempts: [attempt(0, succeeded(-9)), attempt(15, failed), attempt(30, failed)],
    is: {
      ...{ upSince: null, failingSince: atSecond(15), consecutiveFailures: 2, lastOkAt: atSecond(0), version: "v1" },
      ...{ startedAt: atSecond(-9), presence: { presubmits: "present" } },
      error: { code: "timeout", message: "no answer", since: atSecond(15) },
    },
  },
  {
    name: "a recovery",
    attempts: [attempt(0, succeeded()), attempt(15, failed), attempt(30, succeeded())],
    is: { upSince: atSecond(30), failingSince: null, consecutiveFailures: 0, error: null },
  },
  {
    name: "a restart",
    attempts: [attempt(0, succeeded(-500)), attempt(15, succeeded(10))],
    is: { startedAt: atSecond(10), restarts: 1 },
  },
  {
    name: "a new pod beside an old one, which then goes",
    attempts: [attempt(0, succeeded(-500)), attempt(15, succeeded(-500, 10)), attempt(30, succeeded(10))],
    is: { startedAt: atSecond(10), restarts: 1 },
  },
  {
    name: "the same start, rounded",
    attempts: [attempt(0, succeeded(-500)), attempt(15, succeeded(-499.5))],
    is: { restarts: 0 },
  },
  {
    name: "another replica with an earlier start",
    attempts: [attempt(0, succeeded(-500)), attempt(15, succeeded(-900))],
    is: { restarts: 0 },
  },
  {
    name: "a probe that fails for a while",
    attempts: [0, 15, 30].map((second) =>
      attempt(second, succeeded(), { state: second === 0 ? "ok" : "failing", message: null }),
    ),
    is: {
      probe: {
        ...{ state: "failing", message: null, since: atSecond(15) },
        failure: { since: atSecond(15), lastAt: atSecond(30), message: null, quiet: null },
      },
    },
  },
  {
    name: "a probe that is no longer configured",
    attempts: [attempt(0, succeeded(), { state: "failing", message: null }), attempt(15, succeeded())],
    is: { probe: null },
  },
];

/** An attempt each 15 s: ok, failing or absent. */
function playProbe(states: string, everySeconds = 15): ScrapeState["probe"] {
  const words = { o: "ok", f: "failing", a: "absent" } as const;
  const attempts = [...states].map((letter, index) => ({
    ...attempt(index * everySeconds, succeeded(), { state: words[letter as "o" | "f" | "a"], message: letter }),
    everySeconds,
  }));
  return play(...attempts)?.probe ?? null;
}

const probes: { name: string; states: string; everySeconds?: number; since: number | undefined }[] = [
  { name: "that is well", states: "ooo", since: undefined },
  { name: "that nothing answers", states: "oaaa", since: undefined },
  { name: "that fails", states: "oof", since: 30 },
  { name: "in a crash loop", states: "offaaooffaooof", since: 15 },
  { name: "that is well for less than a minute", states: "ffoooo", since: 0 },
  { name: "that is well for a minute", states: "ffooooo", since: undefined },
  { name: "that is well again and again", states: "ffoooaoooaooo", since: 0 },
  { name: "that is well once, if it is asked rarely", states: "ffo", everySeconds: 300, since: 0 },
  { name: "that is well twice, if it is asked rarely", states: "ffoo", everySeconds: 300, since: undefined },
  { name: "of a process that waits to be started again", states: "ffaa", everySeconds: 300, since: 0 },
  { name: "of a process that does not come back", states: "ffaaa", everySeconds: 300, since: undefined },
  { name: "that fails again after its failure ended", states: "fooooof", since: 90 },
];

describe("the failure of a probe", () => {
  it.each(probes)("$name", ({ states, everySeconds, since }) => {
    expect(playProbe(states, everySeconds)?.failure?.since).toBe(since === undefined ? undefined : atSecond(since));
  });
});

it("an error is as old as its kind, whatever failed before", () => {
  const other = { ...failed, code: "unreachable" } as const;
  const state = play(attempt(0, other), attempt(15, failed), attempt(30, failed));
  expect([state?.failingSince, state?.error?.since]).toEqual([atSecond(0), atSecond(15)]);
});

describe("the state of scrapes after", () => {
  it.each(cases)("$name", ({ attempts, is }) => {
    expect(play(...attempts)).toMatchObject(is);
  });
});
