import { describe, expect, it } from "vitest";
import { describeTrouble, splitLength } from "#components/shell/describe-trouble.ts";
import { formatDuration } from "#lib/client/format-duration.ts";
import type { Source } from "#lib/contract/system.ts";

describe("describeTrouble", () => {
  const nowMs = Date.parse("2026-11-20T12:00:00Z");
  const at = (secondsAgo: number) => new Date(nowMs - secondsAgo * 1000).toISOString();
  const source = (change: Partial<Source>): Source => ({
    id: "prod/Rollout",
    cluster: "prod",
    kind: "Rollout",
    namespace: null,
    state: "stale",
    lastContact: at(80),
    watchContact: at(80),
    readContact: at(80),
    staleAfterSeconds: 60,
    clockSkewSeconds: null,
    hold: null,
    lastError: null,
    objects: 12,
    historyBeginsAt: null,
    configured: true,
    ...change,
  });
  const hold = (reason: "empty" | "shrink") => ({ reason, count: 12, since: at(9), releasing: false });

  it.each<{ name: string; sources: Partial<Source>[]; says: (RegExp | string)[] }>([
    { name: "nothing", sources: [], says: [] },
    { name: "a source that is being read", sources: [{ state: "syncing" }], says: [] },
    { name: "stale", sources: [{}], says: [/^Cluster prod is stale for 1 min 20 s: actions that advance .* off/] },
    { name: "never reached", sources: [{ lastContact: null }], says: [/^Cluster prod is stale: /] },
    { name: "denied", sources: [{ state: "denied" }], says: [/denies access to its Rollouts: actions that advance/] },
    {
      name: "denied in one namespace",
      sources: [{ state: "denied", namespace: "shop" }],
      says: [/^Namespace shop of cluster prod denies/],
    },
    {
      name: "all are held",
      sources: [{ state: "suspect", hold: hold("empty") }],
      says: [/suddenly shows no Rollouts: 12 are held.*actions that advance a rollout there are off/],
    },
    {
      name: "some are held",
      sources: [{ state: "suspect", hold: hold("shrink"), lastContact: at(5) }],
      says: [/12 are held.*Actions that advance these are off; the others are not affected\.$/],
    },
    {
      name: "another cluster",
      sources: [{ state: "error", lastError: "another cluster answers under this name" }],
      says: [/all actions are disabled there\.$/],
    },
    {
      name: "some are held, and nothing was heard of the others either",
      sources: [{ state: "suspect", hold: hold("shrink") }],
      says: [/is stale for 1 min 20 s: actions that advance a rollout there are off/],
    },
    {
      name: "another cluster while some are held",
      sources: [{ state: "error", lastError: "another cluster answers under this name", hold: hold("shrink") }],
      says: [/all actions are disabled there\.$/],
    },
    { name: "error", sources: [{ state: "error" }], says: [/cannot be read/] },
    {
      name: "analysis runs alone",
      sources: [{ kind: "AnalysisRun", state: "denied" }],
      says: ["The AnalysisRuns of cluster prod are refused: their measurements may be out of date."],
    },
    { name: "events alone change nothing", sources: [{ kind: "Event", state: "denied" }], says: [] },
    {
      name: "all kinds of two clusters",
      sources: [{ cluster: "a" }, { cluster: "a", kind: "AnalysisRun" }, { cluster: "b" }],
      says: [/^Cluster a is stale/, /^Cluster b is stale/],
    },
  ])("$name", ({ sources, says }) => {
    const words = describeTrouble(sources.map(source), nowMs);
    expect(words).toHaveLength(says.length);
    for (const [index, expected] of says.entries()) expect(words[index]).toMatch(expected);
  });
});

describe("splitLength", () => {
  it.each([5_000, 125_000, 900_000, 7_500_000, 300_000_000, 2_000_000_000])("takes out %i ms as it is worded", (ms) => {
    const sentence = `Cluster demo is stale for ${formatDuration(ms)}: actions are off.`;
    expect(splitLength(sentence)).toEqual({
      before: "Cluster demo is stale",
      length: ` for ${formatDuration(ms)}`,
      after: ": actions are off.",
    });
  });

  it("leaves a sentence without one as it is", () => {
    const sentence = "Cluster demo cannot be read for now: actions are off.";
    expect(splitLength(sentence)).toEqual({ before: sentence, length: "", after: "" });
  });
});
