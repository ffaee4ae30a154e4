// @vitest-environment jsdom
import { act, useState } from "react";
import { expect, it } from "vitest";
import { FilterBar, FilterText } from "#components/ui/filter-bar.tsx";
import { setUpReactRoot } from "#test/react-root.tsx";

const { render } = setUpReactRoot();

function Example({ initial = "" }: { initial?: string }) {
  const [value, setValue] = useState(initial);
  const filter = <FilterText label="Namespace" value={value} onChange={(own) => setValue(own ?? "")} />;
  return (
    <FilterBar isFiltered={value !== ""} onClear={() => setValue("")} more={{ filters: filter, values: [value] }}>
      <FilterText label="Search" value="" onChange={() => undefined} />
    </FilterBar>
  );
}

const labels = () => [...document.querySelectorAll("input")].map((input) => input.getAttribute("aria-label"));
const findButton = (name: string) => [...document.querySelectorAll("button")].find((one) => one.textContent === name);

it("shows rarely used filters by one button", async () => {
  await render(<Example />);
  expect(labels()).toEqual(["Search"]);
  await act(async () => findButton("More filters")?.click());
  expect(labels()).toEqual(["Search", "Namespace"]);
  expect(findButton("Fewer filters")?.getAttribute("aria-expanded")).toBe("true");
});

it("shows a rarely used filter that is set, and keeps its place when it is cleared", async () => {
  await render(<Example initial="payments" />);
  expect(labels()).toEqual(["Search", "Namespace"]);
  await act(async () => findButton("Clear filters")?.click());
  expect(labels()).toEqual(["Search", "Namespace"]);
});
