// @vitest-environment jsdom
import { act } from "react";
import { beforeEach, expect, it } from "vitest";
import { useOpened } from "#components/charts/use-opened.ts";
import { setUpReactRoot } from "#test/react-root.tsx";

const { render } = setUpReactRoot();
beforeEach(() => window.history.replaceState(null, "", "/"));

const idOf = (name: string) => `metric-${encodeURIComponent(name)}`;

function Example() {
  const { isOpen, toggle } = useOpened(idOf);
  return ["latency", "error rate"].map((name) => (
    <div key={name}>
      <a href={`#${idOf(name)}`}>chip</a>
      <button type="button" aria-expanded={isOpen(name)} onClick={() => toggle(name)}>
        {name}
      </button>
    </div>
  ));
}

/** Clicks, and waits for the change of the address. */
const click = (selector: string) =>
  act(async () => {
    document.querySelector<HTMLElement>(selector)?.click();
    await new Promise((resolve) => setTimeout(resolve));
  });
const chip = "div:last-child > a";
const line = "div:last-child > button";
const opened = () =>
  [...document.querySelectorAll("button")]
    .filter((button) => button.getAttribute("aria-expanded") === "true")
    .map((button) => button.textContent);

it("opens the metric that the address names, and closes it by its line", async () => {
  window.history.replaceState(null, "", `/#${idOf("error rate")}`);
  await render(<Example />);
  expect(opened()).toEqual(["error rate"]);
  await click(line);
  expect(opened()).toEqual([]);
});

it("keeps a metric open that was opened before its chip is clicked", async () => {
  await render(<Example />);
  await click(line);
  expect(opened()).toEqual(["error rate"]);
  await click(chip);
  expect(opened()).toEqual(["error rate"]);
});

it("opens a metric by a second click on its chip", async () => {
  await render(<Example />);
  await click(chip);
  expect(opened()).toEqual(["error rate"]);
  await click(line);
  await click(chip);
  expect(opened()).toEqual(["error rate"]);
});

it("leaves a metric open whose chip was clicked before another", async () => {
  await render(<Example />);
  await click("a[href='#metric-latency']");
  await click(chip);
  expect(opened()).toEqual(["latency", "error rate"]);
});
