// @vitest-environment jsdom
import { expect, it } from "vitest";
import { earlyClickScript, repeatEarlyClick } from "#components/shell/early-clicks.ts";

it("repeats the last click on a button, once, and none that the page has heard", () => {
  const script = document.createElement("script");
  script.textContent = earlyClickScript;
  document.body.innerHTML = '<button id="first">a</button><button id="last"><span>b</span></button><a id="link">c</a>';
  document.body.append(script);
  document.getElementById("first")?.click();
  document.querySelector("span")?.click();
  document.getElementById("link")?.click();

  const heard: string[] = [];
  document.addEventListener("click", ({ target }) => {
    if (target instanceof HTMLElement) heard.push(target.id);
  });
  repeatEarlyClick();
  expect(heard).toEqual(["last"]);
  document.getElementById("first")?.click();
  repeatEarlyClick();
  expect(heard).toEqual(["last", "first"]);
});
