import { describe, expect, it } from "vitest";
import { historyServices } from "#demo/history/six-weeks.ts";
import { everyScenario } from "#sandbox/scenarios/all-scenarios.ts";
import { allFlaggerScenarios } from "#sandbox/scenarios/flagger/all-flagger-scenarios.ts";
import { findNextStep, playedRollouts, storySteps } from "./story.ts";

type Found = Parameters<typeof findNextStep>[0][number];

const waiting = { attention: { reason: "pause", since: "2026-11-20T10:00:00Z", severity: "info" } } as const;
const rollouts = (change: (place: number) => Partial<Found>): Found[] =>
  storySteps.map((step, index) => ({ ...step, phase: "Healthy", attention: null, ...change(index + 1) }));

describe("the scenarios of a demo that begins with its history", () => {
  const scenarios = [...everyScenario, ...allFlaggerScenarios];
  const played = playedRollouts.map((path) => ({
    path,
    scenario: scenarios.find(({ namespace, name }) => path === `${namespace}/${name}`),
  }));

  it.each(played)("$path exists, and releases at most once", ({ path, scenario }) => {
    expect(scenario?.script).toHaveLength(path === "edge/assets-sa" ? 0 : 1);
    expect(scenario).not.toHaveProperty("releaseEverySeconds");
  });

  it("has three to five decisions", () => {
    expect(storySteps.length).toBeGreaterThanOrEqual(3);
    expect(storySteps.length).toBeLessThanOrEqual(5);
  });

  it("leaves the other rollouts of the history at rest", () => {
    const others = historyServices.filter(({ namespace, name }) => !playedRollouts.includes(`${namespace}/${name}`));
    expect(others.map(({ name }) => name)).toEqual(["cart", "recommendations", "indexer", "gateway", "identity"]);
  });
});

describe("findNextStep", () => {
  it("names the first step that waits, with its place", () => {
    expect(findNextStep(rollouts(() => waiting))).toEqual({ is: "waiting", step: storySteps[0], place: 1 });
    const state = findNextStep(rollouts((place) => (place < 3 ? {} : waiting)));
    expect(state).toEqual({ is: "waiting", step: storySteps[2], place: 3 });
  });

  it("says what is under way while nothing waits", () => {
    const state = findNextStep(rollouts((place) => (place === 2 ? { phase: "Progressing" } : {})));
    expect(state).toEqual({ is: "under-way", step: storySteps[1] });
    expect(findNextStep([])).toEqual({ is: "under-way", step: storySteps[0] });
  });

  it("is over once every step is promoted or aborted", () => {
    const degraded = { reason: "degraded", since: "2026-11-20T10:00:00Z", severity: "warning" } as const;
    const aborted: Partial<Found> = { phase: "Degraded", attention: degraded };
    expect(findNextStep(rollouts((place) => (place === 2 ? aborted : {})))).toEqual({ is: "over" });
  });
});
