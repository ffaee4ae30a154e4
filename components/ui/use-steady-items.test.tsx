// @vitest-environment jsdom
import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, it } from "vitest";
import { useSteadyItems } from "./use-steady-items.ts";

let root: Root;
let place: HTMLElement;
beforeEach(() => {
  (globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true;
  place = document.body.appendChild(document.createElement("div"));
  root = createRoot(place);
});
afterEach(() => {
  act(() => root.unmount());
  place.remove();
});

function List({ items, listKey = "" }: { items: string[]; listKey?: string }) {
  const { rows, fresh, holdProps } = useSteadyItems(items, (item) => item, listKey);
  return (
    <div {...holdProps}>
      <table>
        <thead>
          <tr>
            <th>
              <button type="button">sort</button>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key }) => (
            <tr key={key}>
              <td>
                <button type="button">{key}</button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <output>{fresh}</output>
    </div>
  );
}

const draw = (items: string[], listKey?: string) =>
  act(() => root.render(<List items={items} {...(listKey === undefined ? {} : { listKey })} />));
const shown = () => [...place.querySelectorAll("td")].map((cell) => cell.textContent);
const focus = (text: string) =>
  act(() => [...place.querySelectorAll("button")].find((button) => button.textContent === text)?.focus());

it("keeps rows in their places while somebody works in one, and counts what is new", () => {
  draw(["b", "c"]);
  focus("b");
  draw(["a", "b", "c"]);
  expect(shown()).toEqual(["b", "c"]);
  expect(place.querySelector("output")?.textContent).toBe("1");
});

it("moves rows while somebody is only at the header", () => {
  draw(["b", "c"]);
  focus("sort");
  draw(["a", "b", "c"]);
  expect(shown()).toEqual(["a", "b", "c"]);
});

it("shows another list at once, and holds that", () => {
  draw(["a", "b"], "one");
  focus("a");
  draw(["b", "a"], "two");
  expect(shown()).toEqual(["b", "a"]);
  draw(["c", "b", "a"], "two");
  expect(shown()).toEqual(["b", "a"]);
});
