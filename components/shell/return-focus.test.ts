// @vitest-environment jsdom
import { afterEach, beforeEach, expect, it } from "vitest";
import { watchDialogs } from "#components/shell/return-focus.ts";

let stop: () => void;
beforeEach(() => {
  document.body.innerHTML = `<main id="main" tabindex="-1">
    <button id="opener">Abort</button><button id="more">More</button>
    <div role="menu" aria-labelledby="more"><button id="item">Undo</button></div>
  </main>`;
  stop = watchDialogs();
});
afterEach(() => stop());

const focus = (id: string) => document.getElementById(id)?.focus();

function openDialog(): HTMLElement {
  const dialog = document.createElement("div");
  dialog.setAttribute("role", "dialog");
  dialog.innerHTML = '<input id="reason">';
  document.body.append(dialog);
  focus("reason");
  return dialog;
}

/** The observer is told of changes after the running code. */
const settle = () => new Promise((resolve) => setTimeout(resolve));

it.each([
  { name: "the button that opened it", from: "opener", to: "opener" },
  { name: "the button of the menu that had its entry", from: "item", to: "more" },
])("gives the focus back to $name", async ({ from, to }) => {
  focus(from);
  const dialog = openDialog();
  document.querySelector('[role="menu"]')?.remove();
  dialog.remove();
  await settle();
  expect(document.activeElement?.id).toBe(to);
});

it("goes to the page's content if the opener is gone", async () => {
  focus("opener");
  const dialog = openDialog();
  document.getElementById("opener")?.remove();
  dialog.remove();
  await settle();
  expect(document.activeElement?.id).toBe("main");
});

it("leaves the focus where it is put meanwhile", async () => {
  focus("opener");
  const dialog = openDialog();
  dialog.remove();
  focus("more");
  await settle();
  expect(document.activeElement?.id).toBe("more");
});

it("waits for the last of several dialogs", async () => {
  focus("opener");
  const first = openDialog();
  const second = openDialog();
  second.remove();
  await settle();
  expect(document.activeElement?.id).not.toBe("opener");
  first.remove();
  await settle();
  expect(document.activeElement?.id).toBe("opener");
});
