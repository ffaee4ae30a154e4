// @vitest-environment jsdom
import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { keepDeparted, useDepartures } from "#components/inbox/use-departures.ts";
import type { SteadyItem } from "#components/ui/use-steady-items.ts";

let root: Root;
let place: HTMLElement;
let pinned: string | undefined;

beforeEach(() => {
  (globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true;
  vi.useFakeTimers();
  pinned = undefined;
  place = document.body.appendChild(document.createElement("div"));
  root = createRoot(place);
});
afterEach(() => {
  act(() => root.unmount());
  place.remove();
  vi.useRealTimers();
});

const findPinned = () => pinned;

function List({ rows }: { rows: SteadyItem<string>[] }) {
  const shown = useDepartures(rows, findPinned);
  return shown.map(({ key, isGone, isFolding }) => (
    <i key={key}>{`${key}${isFolding ? " folds" : isGone ? " dimmed" : ""}`}</i>
  ));
}

/** Draws rows by their keys; one in capitals is gone, and held by the list. */
const draw = (keys: string) =>
  act(() =>
    root.render(
      <List
        rows={[...keys].map((key) => ({ key: key.toLowerCase(), item: key, isGone: key !== key.toLowerCase() }))}
      />,
    ),
  );
const shown = () => [...place.querySelectorAll("i")].map((row) => row.textContent).join(", ");
const pass = (ms: number) => act(() => vi.advanceTimersByTime(ms));

it("greys a row in its place for 3 s, folds it up, and takes it away", () => {
  draw("abc");
  draw("ac");
  expect(shown()).toBe("a, b dimmed, c");
  pass(2_900);
  expect(shown()).toBe("a, b dimmed, c");
  pass(300);
  expect(shown()).toBe("a, b folds, c");
  pass(1_800);
  expect(shown()).toBe("a, c");
});

it("shows a row that comes back as it was", () => {
  draw("abc");
  draw("ac");
  pass(2_000);
  draw("abc");
  pass(5_000);
  expect(shown()).toBe("a, b, c");
});

it("folds nothing at or above the row that somebody works in, and what is below it", () => {
  draw("abcd");
  pinned = "b";
  draw("bc");
  pass(5_000);
  expect(shown()).toBe("a dimmed, b, c");
  pinned = undefined;
  pass(2_000);
  expect(shown()).toBe("b, c");
});

it("folds the row itself only when nobody is there any more", () => {
  draw("ab");
  pinned = "a";
  draw("b");
  pass(10_000);
  expect(shown()).toBe("a dimmed, b");
  pinned = "b";
  pass(10_000);
  expect(shown(), "b would move").toBe("a dimmed, b");
});

it("folds nothing while the row of another list below is pinned", () => {
  draw("ab");
  pinned = "elsewhere";
  draw("a");
  pass(10_000);
  expect(shown()).toBe("a, b dimmed");
});

it("takes away a row that the list still holds", () => {
  draw("abc");
  pinned = "a";
  draw("aBc");
  expect(shown()).toBe("a, b dimmed, c");
  pass(5_000);
  expect(shown()).toBe("a, c");
  draw("aBc");
  expect(shown()).toBe("a, c");
  draw("abc");
  expect(shown()).toBe("a, b, c");
});

describe("keepDeparted", () => {
  const keep = (previous: string, incoming: string, kept: string) =>
    keepDeparted([...previous], [...incoming], (key) => kept.includes(key)).join("");

  it.each([
    { name: "nothing left", previous: "abc", incoming: "abc", kept: "", order: "abc" },
    { name: "the first", previous: "abc", incoming: "bc", kept: "a", order: "abc" },
    { name: "one in the middle", previous: "abc", incoming: "ac", kept: "b", order: "abc" },
    { name: "the last", previous: "abc", incoming: "ab", kept: "c", order: "abc" },
    { name: "two neighbours", previous: "abcd", incoming: "ad", kept: "bc", order: "abcd" },
    { name: "all", previous: "abc", incoming: "", kept: "abc", order: "abc" },
    { name: "one whose time is over", previous: "abc", incoming: "ac", kept: "", order: "ac" },
    { name: "one while another comes", previous: "abc", incoming: "xac", kept: "b", order: "xabc" },
    { name: "one that follows what has moved", previous: "abc", incoming: "ca", kept: "b", order: "cab" },
    { name: "one after one whose time is over", previous: "abc", incoming: "a", kept: "c", order: "ac" },
  ])("$name: $order", ({ previous, incoming, kept, order }) => {
    expect(keep(previous, incoming, kept)).toBe(order);
  });
});
