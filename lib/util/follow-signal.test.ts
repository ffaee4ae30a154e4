import { expect, it } from "vitest";
import { followSignal } from "./follow-signal.ts";

it("aborts with the reason of the signal", () => {
  const [from, to] = [new AbortController(), new AbortController()];
  followSignal(from.signal, to);
  expect(to.signal.aborted).toBe(false);
  from.abort(new Error("stopped"));
  expect(to.signal.reason).toEqual(new Error("stopped"));
});

it("aborts at once if the signal has", () => {
  const to = new AbortController();
  followSignal(AbortSignal.abort("stopped"), to);
  expect(to.signal.reason).toBe("stopped");
});

it("does not abort after it was let go, nor without a signal", () => {
  const [from, to] = [new AbortController(), new AbortController()];
  followSignal(from.signal, to)();
  followSignal(undefined, to)();
  from.abort();
  expect(to.signal.aborted).toBe(false);
});
