// @vitest-environment jsdom
import { act } from "react";
import { beforeEach, expect, it, vi } from "vitest";
import { useLightPrint } from "#components/shell/use-light-print.ts";
import { setUpReactRoot } from "#test/react-root.tsx";

const { render } = setUpReactRoot();

function Page() {
  useLightPrint();
  return null;
}

const scheme = () => document.documentElement.getAttribute("data-mantine-color-scheme");
const paper = Object.assign(new EventTarget(), { matches: false });
const setMedium = (matches: boolean) => {
  paper.matches = matches;
  paper.dispatchEvent(new Event("change"));
};
const send = (name: string) => window.dispatchEvent(new Event(name));

beforeEach(async () => {
  vi.stubGlobal("matchMedia", (query: string) => (query === "print" ? paper : new EventTarget()));
  await render(<Page />);
  document.documentElement.setAttribute("data-mantine-color-scheme", "dark");
});

it.each([
  {
    name: "the browser prints, and changes the medium as well",
    begin: [() => send("beforeprint"), () => setMedium(true)],
    end: [() => setMedium(false), () => send("afterprint")],
  },
  { name: "only the medium changes, for a preview", begin: [() => setMedium(true)], end: [() => setMedium(false)] },
])("is light while $name, and dark again after it", async ({ begin, end }) => {
  for (const step of begin) await act(async () => step());
  expect(scheme()).toBe("light");
  for (const step of end) await act(async () => step());
  expect(scheme()).toBe("dark");
});
