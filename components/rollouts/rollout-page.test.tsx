// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { NuqsTestingAdapter } from "nuqs/adapters/testing";
import { act } from "react";
import { expect, it, vi } from "vitest";
import { RolloutTabs } from "#components/rollouts/rollout-page.tsx";
import answers from "#lib/contract/examples/answers.json" with { type: "json" };
import type { RolloutDetail } from "#lib/contract/rollout.ts";
import { setUpReactRoot } from "#test/react-root.tsx";

const { render } = setUpReactRoot();

/** Renders the tabs. Returns the elements that were scrolled to, by their first child, and a growing page. */
async function open(address: string) {
  vi.stubGlobal("fetch", () => new Promise(() => undefined));
  const calls: unknown[] = [];
  Element.prototype.scrollIntoView = function scrollIntoView(options) {
    calls.push([this.firstElementChild?.getAttribute("role"), options]);
  };
  const observers = new Set<() => void>();
  vi.stubGlobal(
    "ResizeObserver",
    class {
      readonly call: () => void;
      constructor(call: () => void) {
        this.call = call;
      }
      observe(element: Element) {
        if (element === document.body) observers.add(this.call);
      }
      unobserve() {}
      disconnect() {
        observers.delete(this.call);
      }
    },
  );
  const client = new QueryClient();
  const go = (to: string) =>
    render(
      <NuqsTestingAdapter searchParams={to} hasMemory>
        <QueryClientProvider client={client}>
          <RolloutTabs rollout={answers.getRollout as RolloutDetail} />
        </QueryClientProvider>
      </NuqsTestingAdapter>,
    );
  await go(address);
  const grow = () => {
    for (const call of observers) call();
  };
  return { calls, grow, go };
}

const toTabs = ["tablist", { block: "start" }];

it.each([
  { address: "?tab=object", scrolled: [toTabs] },
  { address: "?tab=live", scrolled: [] },
  { address: "", scrolled: [] },
])("opens at the tabs if the address names one: $address", async ({ address, scrolled }) => {
  expect((await open(address)).calls).toEqual(scrolled);
});

it("stays at the tabs while the page above them grows, until the reader scrolls", async () => {
  const { calls, grow } = await open("?tab=object");
  grow();
  expect(calls).toEqual([toTabs, toTabs]);
  window.dispatchEvent(new Event("wheel"));
  grow();
  expect(calls).toHaveLength(2);
});

it("goes to the tabs by a link to another tab, but not by a click on a tab", async () => {
  const { calls, go } = await open("");
  const tab = [...document.querySelectorAll<HTMLElement>("[role=tab]")].find((one) => one.textContent === "Object");
  await act(async () => tab?.click());
  await vi.waitFor(() => expect(tab?.getAttribute("aria-selected")).toBe("true"));
  expect(calls).toEqual([]);
  await go("?tab=releases");
  expect(calls).toEqual([toTabs]);
});
