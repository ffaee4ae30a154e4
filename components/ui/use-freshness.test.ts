import { describe, expect, it } from "vitest";
import { summariseFreshness } from "#components/ui/use-freshness.ts";
import type { Source, SourceState } from "#lib/contract/system.ts";

const nowMs = Date.parse("2026-11-20T12:00:00Z");
const at = (secondsAgo: number) => new Date(nowMs - secondsAgo * 1_000).toISOString();
const source = (state: SourceState, secondsAgo: number): Source => ({
  cluster: "demo",
  kind: "Rollout",
  namespace: null,
  state,
  lastContact: at(secondsAgo),
  lastError: null,
  objects: 1,
  historyBeginsAt: null,
  id: `prod/${state}`,
  watchContact: null,
  readContact: null,
  staleAfterSeconds: 60,
  clockSkewSeconds: null,
  hold: null,
  configured: true,
});
const live = { state: "live" as const, sinceMs: nowMs - 60_000, heardMs: nowMs - 1_000 };
const lost = { state: "lost" as const, sinceMs: nowMs - 5_000, heardMs: nowMs - 9_000 };

describe("summariseFreshness", () => {
  it.each([
    {
      name: "nothing asked yet",
      sources: undefined,
      answeredAgo: 0,
      stream: live,
      words: "connecting",
      tone: "wait",
      ago: undefined,
    },
    {
      name: "never answered and lost",
      sources: undefined,
      answeredAgo: 0,
      stream: lost,
      words: "no answer",
      tone: "bad",
      ago: 5,
    },
    {
      name: "all live: the one that was heard of longest ago counts",
      sources: [source("live", 2), source("live", 9)],
      answeredAgo: 1,
      stream: live,
      words: "live",
      tone: "good",
      ago: 9,
    },
    {
      name: "the newer of both contacts counts",
      sources: [{ ...source("live", 30), watchContact: at(4), readContact: at(30) }],
      answeredAgo: 1,
      stream: live,
      words: "live",
      tone: "good",
      ago: 4,
    },
    {
      name: "held is its own word, since it is held",
      sources: [
        source("live", 2),
        { ...source("suspect", 1), hold: { reason: "empty" as const, count: 3, since: at(20), releasing: false } },
      ],
      answeredAgo: 1,
      stream: live,
      words: "held",
      tone: "bad",
      ago: 20,
    },
    {
      name: "a lost stream with fresh answers is still live",
      sources: [source("live", 2)],
      answeredAgo: 1,
      stream: lost,
      words: "live",
      tone: "good",
      ago: 2,
    },
    {
      name: "one stale source outweighs",
      sources: [source("live", 2), source("stale", 80)],
      answeredAgo: 1,
      stream: live,
      words: "stale",
      tone: "bad",
      ago: 80,
    },
    {
      name: "old answers are no answers",
      sources: [source("live", 2)],
      answeredAgo: 36,
      stream: live,
      words: "no answer",
      tone: "bad",
      ago: 36,
    },
    {
      name: "denied is its own word",
      sources: [source("denied", 40)],
      answeredAgo: 1,
      stream: live,
      words: "denied",
      tone: "bad",
      ago: 40,
    },
    {
      name: "absent is no trouble",
      sources: [source("live", 3), source("absent", 500)],
      answeredAgo: 1,
      stream: live,
      words: "live",
      tone: "good",
      ago: 3,
    },
    {
      name: "syncing waits",
      sources: [source("live", 3), source("syncing", 1)],
      answeredAgo: 1,
      stream: live,
      words: "syncing",
      tone: "wait",
      ago: undefined,
    },
    {
      name: "no sources",
      sources: [],
      answeredAgo: 1,
      stream: live,
      words: "no sources yet",
      tone: "wait",
      ago: undefined,
    },
  ])("$name", ({ sources, answeredAgo, stream, words, tone, ago }) => {
    const freshness = summariseFreshness({ sources, answeredMs: nowMs - answeredAgo * 1_000, stream, nowMs });
    expect(freshness).toMatchObject({ words, tone });
    expect(freshness.sinceMs).toBe(ago === undefined ? undefined : nowMs - ago * 1_000);
  });
});
