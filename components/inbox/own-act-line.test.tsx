// @vitest-environment jsdom
import { MantineProvider } from "@mantine/core";
import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { OwnActLine } from "#components/inbox/own-act-line.tsx";

let root: Root;

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse("2026-11-20T12:00:00Z") });
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener() {}, removeEventListener() {} }));
  root = createRoot(document.body.appendChild(document.createElement("div")));
});

afterEach(() => {
  act(() => root.unmount());
  document.body.replaceChildren();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

it("counts down once a second to the moment and not beyond it, and tells a screen reader only the moment", async () => {
  const ownAct = { text: "Promotes by itself", at: "2026-11-20T12:00:03Z" };
  await act(async () =>
    root.render(
      <MantineProvider env="test">
        <OwnActLine ownAct={ownAct} />
      </MantineProvider>,
    ),
  );
  const told = () => document.querySelector(".visually-hidden")?.textContent;
  const shown = () => document.querySelector("time [aria-hidden=true]")?.textContent;
  const [first, spoken] = [shown(), told()];
  expect(first).toBe("in 3 s");
  await act(async () => vi.advanceTimersByTime(2_000));
  expect(shown()).toBe("in 1 s");
  await act(async () => vi.advanceTimersByTime(60_000));
  expect(shown()).toBe("due now");
  expect(told()).toBe(spoken);
});
