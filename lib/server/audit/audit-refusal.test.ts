import { expect, it } from "vitest";
import { admitRefusal } from "#lib/server/audit/audit-refusal.ts";

function start() {
  let time = 0;
  const runtime = { now: () => new Date(time) };
  return {
    pass: (seconds: number) => {
      time += seconds * 1000;
    },
    /** How many of `count` refusals are written. */
    refuse: (count: number, actor: string, placeOf: (index: number) => string = () => "a/b/Rollout/c") =>
      Array.from({ length: count }, (_, index) => admitRefusal({ runtime, actor, place: placeOf(index) })).filter(
        ({ admitted }) => admitted,
      ).length,
    next: (actor: string, place: string) => admitRefusal({ runtime, actor, place }),
  };
}

const apart = (index: number) => `place ${index}`;

it("writes ten a minute of one actor at one place", () => {
  const { refuse, pass } = start();
  expect(refuse(25, "guest")).toBe(10);
  expect(refuse(5, "guest", () => "another place")).toBe(5);
  expect(refuse(5, "viewer")).toBe(5);
  pass(60);
  expect(refuse(25, "guest")).toBe(10);
});

it("writes sixty a minute of one actor, wherever", () => {
  const { refuse } = start();
  expect(refuse(100, "guest", apart)).toBe(60);
  expect(refuse(1, "viewer", apart)).toBe(1);
});

it("writes six hundred a minute of all", () => {
  const { refuse } = start();
  for (let actor = 0; actor < 10; actor += 1) expect(refuse(60, `guest ${actor}`, apart)).toBe(60);
  expect(refuse(1, "viewer")).toBe(0);
});

it("tells with the next one how many were not written, once", () => {
  const { refuse, next, pass } = start();
  refuse(13, "guest");
  expect(next("viewer", "a/b/Rollout/c")).toEqual({ admitted: true, suppressed: 0 });
  expect(next("guest", "another place")).toEqual({ admitted: true, suppressed: 3 });
  expect(next("guest", "another place")).toEqual({ admitted: true, suppressed: 0 });
  refuse(2, "guest");
  pass(61);
  expect(next("guest", "a/b/Rollout/c")).toEqual({ admitted: true, suppressed: 2 });
});

it("counts by the whole name, however long it is", () => {
  const { refuse } = start();
  const long = "x".repeat(5000);
  expect(refuse(25, "guest", () => `${long}1`)).toBe(10);
  expect(refuse(5, "guest", () => `${long}2`)).toBe(5);
});
