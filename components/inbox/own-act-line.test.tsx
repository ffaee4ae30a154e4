// @vitest-environment jsdom
import { act } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { OwnActLine } from "#components/inbox/own-act-line.tsx";
import { setUpReactRoot } from "#test/react-root.tsx";

const { render } = setUpReactRoot();

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse("2026-11-20T12:00:00Z") });
});
afterEach(() => {
  vi.useRealTimers();
});

it("counts down once a second to the moment and not beyond it, and tells a screen reader only the moment", async () => {
  const ownAct = { text: "Promotes by itself", at: "2026-11-20T12:00:03Z" };
  await render(<OwnActLine ownAct={ownAct} />);
  const announced = () => document.querySelector(".visually-hidden")?.textContent;
  const shown = () => document.querySelector("time [aria-hidden=true]")?.textContent;
  const [first, spoken] = [shown(), announced()];
  expect(first).toBe("in 3 s");
  await act(async () => vi.advanceTimersByTime(2_000));
  expect(shown()).toBe("in 1 s");
  await act(async () => vi.advanceTimersByTime(60_000));
  expect(shown()).toBe("due now");
  expect(announced()).toBe(spoken);
});
