// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { NuqsTestingAdapter } from "nuqs/adapters/testing";
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
  await render(
    <NuqsTestingAdapter searchParams={address}>
      <QueryClientProvider client={new QueryClient()}>
        <RolloutTabs rollout={answers.getRollout as RolloutDetail} />
      </QueryClientProvider>
    </NuqsTestingAdapter>,
  );
  const grow = () => {
    for (const call of observers) call();
  };
  return { calls, grow };
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
