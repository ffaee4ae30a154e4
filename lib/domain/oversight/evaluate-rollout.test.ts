import { describe, expect, it } from "vitest";
import { evaluateRollout, outlived } from "./evaluate-rollout.ts";
import type { FactRelease, RolloutFacts } from "./rollout-facts.ts";
import { aborted, at, factsOf, release, seen } from "./testing/facts.ts";

const act = { action: "abort", client: "kubectl", at: at(15), auditSeq: "9" } as const;

/** Releases that began so many seconds after the start. */
const releasesAt = (...seconds: number[]): FactRelease[] =>
  seconds.map((second, index) => ({ ...release, runKey: `new-${index}`, startedAt: at(second) }));

/** Returns "rule" of what is open, and "rule over: why" of what is over. */
function evaluate(facts: Partial<RolloutFacts>, off: readonly string[] = []): string[] {
  return evaluateRollout(factsOf(facts), off).found.map(({ rule, found: { over } }) =>
    over === undefined ? rule : `${rule} over: ${over.why}`,
  );
}

describe("what the rules find", () => {
  it.each<{ name: string; facts: Partial<RolloutFacts>; off?: string[]; found: string[] }>([
    { name: "an act in the newest release", facts: { acts: [act] }, found: ["out-of-band-act"] },
    { name: "with the rule turned off", facts: { acts: [act] }, off: ["out-of-band-act"], found: [] },
    {
      name: "an act in the third release from the end",
      facts: { acts: [act], releases: releasesAt(10, 20, 30) },
      found: ["out-of-band-act"],
    },
    {
      name: "an act in the release before",
      facts: { acts: [act], releases: releasesAt(0, 16, 20, 30) },
      found: [`out-of-band-act over: ${outlived}`],
    },
    {
      name: "an act, and the rollout was deleted",
      facts: { acts: [act], observations: [seen(0), seen(20, { isDeleted: true })] },
      found: ["out-of-band-act over: The rollout was deleted."],
    },
  ])("$name", ({ facts, off, found }) => expect(evaluate(facts, off)).toEqual(found));
});

describe("when time alone may change the result", () => {
  const secondsOf = (facts: Partial<RolloutFacts>): number | undefined => {
    const { lookAt } = evaluateRollout(factsOf({ now: at(30), ...facts }), []);
    return lookAt === undefined ? undefined : (lookAt - Date.parse(at(0))) / 1000;
  };

  it.each<{ name: string; facts: Partial<RolloutFacts>; seconds: number | undefined }>([
    { name: "never, if nothing is going on", facts: {}, seconds: undefined },
    {
      name: "a pause, after the shortest limit of a wait",
      facts: { wait: { reason: "pause", since: at(10), severity: "info" } },
      seconds: 10 + 30 * 60,
    },
    {
      name: "an abort, after its limit",
      facts: { observations: [seen(0), seen(20, aborted)], weight: 0 },
      seconds: 80,
    },
    {
      name: "an abort whose route was read before its limit, when it is read again",
      facts: { now: at(85), observations: [seen(0), seen(20, aborted)], weightFrom: "route", weightAt: at(70) },
      seconds: 100,
    },
  ])("$name", ({ facts, seconds }) => expect(secondsOf(facts)).toBe(seconds));
});
