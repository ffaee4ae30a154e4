// @vitest-environment jsdom
import { expect, it } from "vitest";
import { Period } from "#components/releases/release-header.tsx";
import { setUpReactRoot } from "#test/react-root.tsx";

const { render } = setUpReactRoot();

const at = (day: number, ...time: [hour: number, minute: number, second: number]) =>
  new Date(2026, 10, day, ...time).toISOString();

it.each([
  { from: at(29, 1, 51, 28), to: at(29, 1, 51, 41), words: "29 Nov 2026, 01:51:28 to 01:51:41 (" },
  { from: at(28, 13, 10, 0), to: at(28, 14, 7, 30), words: "28 Nov 2026, 13:10 to 14:07 (" },
  { from: at(28, 13, 10, 0), to: at(29, 14, 7, 30), words: "28 Nov 2026, 13:10 to 29 Nov 2026, 14:07 (" },
  { from: at(28, 13, 10, 0), to: null, words: "28 Nov 2026, 13:10 (" },
])("shows $words", async ({ from, to, words }) => {
  await render(<Period from={from} to={to} />);
  expect(document.body.textContent).toContain(words);
});
