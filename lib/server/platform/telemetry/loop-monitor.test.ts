import { expect, it } from "vitest";
import { createLoopMonitor } from "./loop-monitor.ts";

it("finds loops that have not turned for three periods, and forgets those that ended", () => {
  let now = 0;
  const monitor = createLoopMonitor({ now: () => now, onTurn: () => {} });
  monitor.turn("watch", 100);
  monitor.turn("read", 1000);
  now = 300;
  expect(monitor.findStuck()).toEqual([]);
  now = 301;
  expect(monitor.findStuck()).toEqual(["watch"]);
  monitor.turn("watch", 100);
  expect(monitor.findStuck()).toEqual([]);
  now = 4000;
  monitor.forget("watch");
  expect(monitor.findStuck()).toEqual(["read"]);
});
