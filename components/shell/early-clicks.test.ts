// @vitest-environment jsdom
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { earlyClickScript, repeatEarlyClick } from "#components/shell/early-clicks.ts";

const heard: string[] = [];
const hear = ({ target }: Event) => {
  if (target instanceof HTMLElement) heard.push(target.id);
};
beforeEach(() => {
  vi.useFakeTimers();
  heard.length = 0;
  const script = document.createElement("script");
  script.textContent = earlyClickScript;
  document.documentElement.removeAttribute("data-ready");
  document.body.innerHTML = '<button id="first">a</button><button id="last"><span>b</span></button><a id="link">c</a>';
  document.body.append(script);
});
afterEach(() => {
  document.removeEventListener("click", hear);
  vi.useRealTimers();
});

it("repeats the last click on a button, once, and none that the page has heard", () => {
  document.getElementById("first")?.click();
  document.querySelector("span")?.click();
  document.getElementById("link")?.click();
  vi.runAllTimers();

  document.addEventListener("click", hear);
  repeatEarlyClick();
  vi.runAllTimers();
  expect(heard).toEqual(["last"]);
  document.getElementById("first")?.click();
  repeatEarlyClick();
  vi.runAllTimers();
  expect(heard).toEqual(["last", "first"]);
});

it("does not repeat a click that made React take over and handle it", () => {
  document.addEventListener("click", repeatEarlyClick, { once: true });
  document.addEventListener("click", hear);
  document.getElementById("first")?.click();
  vi.runAllTimers();
  expect(heard).toEqual(["first"]);
});
