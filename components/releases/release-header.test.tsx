// @vitest-environment jsdom
import { expect, it, onTestFinished } from "vitest";
import { Period } from "#components/releases/release-header.tsx";
import { timeFormChoice } from "#lib/client/time-display.ts";
import { setUpReactRoot } from "#test/react-root.tsx";

const { render } = setUpReactRoot();

const at = (day: number, ...time: [hour: number, minute: number, second: number]) =>
  new Date(2026, 10, day, ...time).toISOString();

it.each([
  { from: at(29, 1, 51, 28), to: at(29, 1, 51, 41), words: "29 Nov 2026, 01:51:28 to 01:51:41" },
  { from: at(28, 13, 10, 0), to: at(28, 14, 7, 30), words: "28 Nov 2026, 13:10 to 14:07" },
  { from: at(28, 13, 10, 0), to: at(29, 14, 7, 30), words: "28 Nov 2026, 13:10 to 29 Nov 2026, 14:07" },
  { from: at(28, 13, 10, 0), to: null, words: "28 Nov 2026, 13:10" },
])("shows $words", async ({ from, to, words }) => {
  await render(
    <p>
      <Period from={from} to={to} />
    </p>,
  );
  expect(document.querySelector("p")?.textContent).toMatch(new RegExp(`^${words} (?:UTC|GMT[-+:0-9]*|[A-Z]{3,5}) \\(`));
  // Paper shows neither the age nor the time again.
  expect(document.querySelector("time")?.closest(".screen-only")).not.toBeNull();
});

it("shows no age if times are shown by the clock", async () => {
  timeFormChoice.set("clock");
  onTestFinished(() => timeFormChoice.set("ago"));
  await render(
    <p>
      <Period from={at(28, 13, 10, 0)} to={at(28, 14, 7, 30)} />
    </p>,
  );
  expect(document.querySelector("p")?.textContent).not.toContain("(");
});
