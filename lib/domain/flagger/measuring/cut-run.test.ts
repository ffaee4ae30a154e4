import { describe, expect, it } from "vitest";
import { cutRun, type RunPlace } from "./cut-run.ts";
import { advance, halt, rolledBack, started, tellMessages, timeAt } from "./testing/run-messages.ts";

const restarted = "New revision detected! Restarting analysis for a.b";
const done = "Promotion completed! Scaling down a.b";
const ms = (seconds: number) => Date.parse(timeAt(seconds));

type Case = {
  name: string;
  /** Ten seconds apart. */
  texts: string[];
  place: Partial<{ since: number; seenAt: number; endSeenAt: number; isRestart: boolean }>;
  cut: string[];
  begunAt?: number;
  endedAt?: number;
};

const cases: Case[] = [
  {
    name: "from its beginning to its end",
    texts: [done, started, advance(20), rolledBack, "other"],
    place: { since: 10, seenAt: 11, endSeenAt: 31 },
    cut: [started, advance(20), rolledBack],
    begunAt: 10,
    endedAt: 30,
  },
  {
    name: "of the second of two runs",
    texts: [started, advance(20), rolledBack, started, advance(20)],
    place: { since: 30, seenAt: 31 },
    cut: [started, advance(20)],
    begunAt: 30,
  },
  {
    name: "of the first of two runs",
    texts: [started, advance(20), rolledBack, started, advance(20)],
    place: { since: 0, seenAt: 1, endSeenAt: 21 },
    cut: [started, advance(20), rolledBack],
    begunAt: 0,
    endedAt: 20,
  },
  {
    name: "until it begins again",
    texts: [started, advance(20), restarted, advance(20)],
    place: { since: 0, seenAt: 1, endSeenAt: 21 },
    cut: [started, advance(20)],
    begunAt: 0,
  },
  {
    name: "since it began again",
    texts: [started, advance(20), restarted, advance(20), advance(40)],
    place: { since: 0, seenAt: 21, isRestart: true },
    cut: [restarted, advance(20), advance(40)],
    begunAt: 20,
  },
  {
    name: "that was first seen long after it began",
    texts: [started, advance(20), advance(40), advance(60)],
    place: { since: 0, seenAt: 5000 },
    cut: [started, advance(20), advance(40), advance(60)],
    begunAt: 0,
  },
  {
    name: "whose beginning was lost",
    texts: [done, "other", advance(20), advance(40)],
    place: { since: 15, seenAt: 15 },
    cut: [advance(20), advance(40)],
  },
  {
    name: "whose end was lost",
    texts: [started, advance(20), halt("x"), "much later"],
    place: { since: 0, seenAt: 0, endSeenAt: -45 },
    cut: [started, advance(20)],
    begunAt: 0,
  },
  {
    name: "whose beginning was lost, and another began",
    texts: [started, advance(20)],
    place: { since: -500, seenAt: -500 },
    cut: [],
  },
  { name: "without any messages", texts: [], place: { since: 0, seenAt: 0 }, cut: [] },
];

const placeOf = ({ since, seenAt = 0, endSeenAt, isRestart = false }: Case["place"]): RunPlace => ({
  since: since === undefined ? undefined : ms(since),
  seenAt: ms(seenAt),
  isRestart,
  endSeenAt: endSeenAt === undefined ? undefined : ms(endSeenAt),
});

describe("cutRun", () => {
  it.each(cases)("cuts the messages of a run $name", ({ texts, place, cut, begunAt, endedAt }) => {
    const found = cutRun(tellMessages(texts), placeOf(place));
    expect(found.messages.map(({ message }) => message.text)).toEqual(cut);
    expect(found.begunAt).toBe(begunAt === undefined ? undefined : timeAt(begunAt));
    expect(found.endedAt).toBe(endedAt === undefined ? undefined : timeAt(endedAt));
  });

  it("keeps what came just before an end that only an event told", () => {
    const reported = tellMessages([
      [0, started],
      [20, rolledBack],
      [20.2, "Rolling back a.b failed checks threshold reached 3"],
      [21, "other"],
    ]);
    const found = cutRun(reported, placeOf({ since: 0, seenAt: 1, endSeenAt: 21 }));
    expect(found.messages).toHaveLength(3);
    expect(found.endedAt).toBe(timeAt(20));
  });
});
