import { describe, expect, it } from "vitest";
import { findRetentionObstacles, type JudgedSource } from "./plan-retention.ts";

const now = new Date("2026-11-20T12:00:00Z");
const hoursAgo = (hours: number) => new Date(now.getTime() - hours * 3_600_000);

type Input = Parameters<typeof findRetentionObstacles>[0];

function obstaclesOf({
  source,
  measurements = { due: 0, total: 0 },
  ...rest
}: Partial<Input> & { source?: Partial<JudgedSource>; measurements?: { due: number; total: number } }): string[] {
  const live: JudgedSource = {
    cluster: "prod",
    kind: "Rollout",
    namespace: "",
    state: "live",
    lastContact: now,
    firstSeen: hoursAgo(1000),
  };
  return findRetentionObstacles({
    configTrouble: undefined,
    sources: [{ ...live, ...source }],
    unknownSources: [],
    plan: { bounds: {}, due: [], wholeMonths: [], measurements },
    now,
    ...rest,
  }).map(({ text }) => text);
}

type Case = { name: string; input: Parameters<typeof obstaclesOf>[0]; says: RegExp | undefined };
const cases: Case[] = [
  { name: "a live source", input: {}, says: undefined },
  ...(["syncing", "stale", "suspect", "error"] as const).map((state) => ({
    name: `a source that is ${state}`,
    input: { source: { state } },
    says: new RegExp(`prod Rollout is ${state}`),
  })),
  { name: "a kind that the cluster does not have", input: { source: { state: "absent" } }, says: undefined },
  {
    name: "denied for less than a day",
    input: { source: { state: "denied", lastContact: hoursAgo(23) } },
    says: /denied/,
  },
  { name: "denied for longer", input: { source: { state: "denied", lastContact: hoursAgo(25) } }, says: undefined },
  {
    name: "denied from the start, an hour ago",
    input: { source: { state: "denied", lastContact: null, firstSeen: hoursAgo(1) } },
    says: /denied/,
  },
  {
    name: "denied at a time that nobody knows",
    input: { source: { state: "denied", lastContact: null, firstSeen: null } },
    says: /denied/,
  },
  { name: "a source that nobody recorded", input: { unknownSources: ["prod/pods"] }, says: /prod\/pods has never/ },
  { name: "a bad config", input: { configTrouble: "a.yaml:1:1: x" }, says: /the config: a\.yaml/ },
  { name: "half of the measurements", input: { measurements: { due: 5, total: 10 } }, says: undefined },
  { name: "more than half", input: { measurements: { due: 6, total: 10 } }, says: /6 of 10 measurements/ },
  { name: "all", input: { measurements: { due: 9, total: 9 } }, says: /9 of 9 measurements/ },
  { name: "nothing of nothing", input: { measurements: { due: 0, total: 0 } }, says: undefined },
];

describe("findRetentionObstacles", () => {
  it.each(cases)("$name", ({ input, says }) => {
    const texts = obstaclesOf(input);
    if (says === undefined) expect(texts).toEqual([]);
    else expect(texts).toEqual([expect.stringMatching(says)]);
  });
});
