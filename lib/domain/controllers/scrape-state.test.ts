import { describe, expect, it } from "vitest";
import type { FoldedScrape } from "./fold-samples.ts";
import { advanceScrape, type ScrapeAttempt, type ScrapeState } from "./scrape-state.ts";

const atSecond = (second: number) => new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString();

function attempt(second: number, result: ScrapeAttempt["result"], probe?: ScrapeAttempt["probe"]): ScrapeAttempt {
  return { at: atSecond(second), via: "endpoint", everySeconds: 15, durationMs: 5, result, ...(probe && { probe }) };
}

function succeeded(startedSecond?: number): ScrapeAttempt["result"] {
  const folded: FoldedScrape = {
    values:
      startedSecond === undefined
        ? []
        : [{ series: "process-start", labels: "", value: Date.parse(atSecond(startedSecond)) / 1000 }],
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
      error: { code: "timeout", message: "no answer" },
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
    is: { probe: { state: "failing", message: null, since: atSecond(15) } },
  },
  {
    name: "a probe that is no longer configured",
    attempts: [attempt(0, succeeded(), { state: "failing", message: null }), attempt(15, succeeded())],
    is: { probe: null },
  },
];

describe("the state of scrapes after", () => {
  it.each(cases)("$name", ({ attempts, is }) => {
    expect(play(...attempts)).toMatchObject(is);
  });
});
