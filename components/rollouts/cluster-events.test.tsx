// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { NuqsTestingAdapter } from "nuqs/adapters/testing";
import { act } from "react";
import { expect, it, vi } from "vitest";
import { ClusterEvents } from "#components/rollouts/cluster-events.tsx";
import type { RolloutEvent } from "#lib/contract/cluster-objects.ts";
import { setUpReactRoot } from "#test/react-root.tsx";

const { render } = setUpReactRoot();

function eventOf(uid: string, hoursAgo: number): RolloutEvent {
  const at = new Date(Date.now() - hoursAgo * 3_600_000).toISOString();
  const involved = { kind: "Rollout", name: "shop", uid: "r" };
  return {
    uid,
    involved,
    type: "Warning",
    reason: uid,
    message: "m",
    count: 1,
    reporter: null,
    firstAt: at,
    lastAt: at,
  };
}

async function open({ events, nextCursor = null }: { events: RolloutEvent[]; nextCursor?: string | null }) {
  vi.stubGlobal("fetch", async () => Response.json({ items: events, nextCursor }));
  await render(
    <QueryClientProvider client={new QueryClient()}>
      <NuqsTestingAdapter searchParams="">
        <ClusterEvents rollout={{ cluster: "demo", namespace: "ns", kind: "Rollout", name: "shop" }} />
      </NuqsTestingAdapter>
    </QueryClientProvider>,
  );
  await act(async () => new Promise((resolve) => setTimeout(resolve, 20)));
}

const rows = () => [...document.querySelectorAll("li")].map((row) => row.querySelector("strong")?.textContent?.trim());
const button = () => [...document.querySelectorAll("button")].find(({ textContent }) => textContent?.includes("older"));

it("folds warnings that are older than a day", async () => {
  await open({ events: [eventOf("New", 1), eventOf("Old", 25), eventOf("Older", 700)] });
  expect(rows()).toEqual(["New"]);
  expect(button()?.textContent).toBe("Show 2 older warnings");
  await act(async () => button()?.click());
  expect(rows()).toEqual(["New", "Old", "Older"]);
  expect([...document.querySelectorAll("li")].map((row) => row.dataset.warning)).toEqual([
    "true",
    undefined,
    undefined,
  ]);
});

it.each([
  { nextCursor: null, label: "Show 1 older warning" },
  { nextCursor: "next", label: "Show 1 or more older warnings" },
])("says that the last day had none: $label", async ({ nextCursor, label }) => {
  await open({ events: [eventOf("Old", 25)], nextCursor });
  expect(document.body.textContent).toContain("No warnings in the last 24 h");
  expect(rows()).toEqual([]);
  expect(button()?.textContent).toBe(label);
});
