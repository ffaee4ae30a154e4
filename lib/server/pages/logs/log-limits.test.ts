import { expect, it } from "vitest";
import { countLogSlots, takeLogSlots } from "./log-limits.ts";

const limits = { podsPerPerson: 3, pods: 5 };
const take = (runtime: object, person: string, wanted: number) => takeLogSlots(runtime, { person, wanted, limits });

it("limits what one person and what all may open, and counts what is given back once", () => {
  const runtime = {};
  const giveBack = take(runtime, "a", 3);
  expect(() => take(runtime, "a", 1)).toThrow("You already follow the logs of 3 pods; 3 are the limit.");
  take(runtime, "b", 2);
  expect(() => take(runtime, "c", 1)).toThrow("5 logs are open on this server; 5 are the limit.");
  expect(countLogSlots(runtime)).toBe(5);
  giveBack();
  giveBack();
  expect(countLogSlots(runtime)).toBe(2);
  take(runtime, "a", 3);
});

it("takes nothing if it refuses, and counts each process by itself", () => {
  const runtime = {};
  expect(() => take(runtime, "a", 4)).toThrow();
  expect(countLogSlots(runtime)).toBe(0);
  expect(countLogSlots({})).toBe(0);
});
