// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { PathnameContext } from "next/dist/shared/lib/hooks-client-context.shared-runtime";
import { act } from "react";
import { afterEach, expect, it } from "vitest";
import { storySteps } from "#demo/page/story.ts";
import { StoryHint } from "#demo/page/story-hint.tsx";
import { queryKeys } from "#lib/client/query-keys.ts";
import { setUpReactRoot } from "#test/react-root.tsx";

const { render } = setUpReactRoot();

afterEach(() => localStorage.clear());

/** Renders the hint with this many steps decided, and the others waiting. */
async function renderHint(decided: number, path = "/inbox"): Promise<void> {
  const waiting = { attention: { reason: "pause", severity: "info" } };
  const items = storySteps.map((step, index) => ({
    ...{ ...step, phase: "Healthy", attention: null },
    ...(index < decided ? {} : waiting),
  }));
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
  client.setQueryData(queryKeys.rolloutList({}), { pages: [{ items, nextCursor: null }], pageParams: [null] });
  await render(
    <QueryClientProvider key={decided} client={client}>
      <PathnameContext value={path}>
        <StoryHint />
      </PathnameContext>
    </QueryClientProvider>,
  );
}

const line = () => document.querySelector("section");
const link = () => line()?.querySelector("a")?.getAttribute("href");

it("leads to the next decision, and from the last one to the audit log", async () => {
  await renderHint(0);
  expect(line()?.textContent).toBe(
    "Demo, 1 of 5: in storefront/catalog, latency rises while half of the traffic is on the new version.",
  );
  expect(link()).toBe("/rollouts/demo/storefront/Rollout/catalog");
  await renderHint(1);
  expect(line()?.textContent).toMatch(/^Demo, 2 of 5: in shopfront\/basket, Flagger waits/);
  expect(link()).toBe("/rollouts/demo/shopfront/Canary/basket");
  await renderHint(3);
  expect(line()?.textContent).toMatch(/^Demo, 4 of 5: in edge\/assets-eu, /);
  await renderHint(4);
  expect(line()?.textContent).toMatch(/^Demo, 5 of 5: in accounts\/login, /);
  await renderHint(5);
  expect(line()?.textContent).toContain("Demo: all 5 are decided.");
  expect(link()).toBe("/audit");
});

it("does not lead to the page that is open", async () => {
  await renderHint(0, "/rollouts/demo/storefront/Rollout/catalog");
  expect(line()?.textContent).toMatch(/^Demo, 1 of 5: latency rises .* Decide here\.$/);
  expect(link()).toBeUndefined();
});

it.each(["/rollouts", "/rollouts/demo/shopfront/Canary/basket"])(
  "is not on %s, which it does not name",
  async (path) => {
    await renderHint(0, path);
    expect(line()).toBeNull();
  },
);

it("stays closed in a browser in which it was closed", async () => {
  await renderHint(0);
  await act(async () => line()?.querySelector("button")?.click());
  expect(line()).toBeNull();
  await renderHint(1);
  expect(line()).toBeNull();
});

it("shows no button to close it before it says anything", async () => {
  await render(
    <QueryClientProvider client={new QueryClient()}>
      <PathnameContext value="/inbox">
        <StoryHint />
      </PathnameContext>
    </QueryClientProvider>,
  );
  expect(document.querySelector("section button")).toBeNull();
});
