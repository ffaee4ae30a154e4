// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act } from "react";
import { expect, it, vi } from "vitest";
import { Timeline } from "#components/rollouts/timeline.tsx";
import type { TimelineEvent } from "#lib/contract/timeline.ts";
import { setUpReactRoot } from "#test/react-root.tsx";
import { timelineEvent, timelineRelease } from "#test/timeline-events.ts";

const { render } = setUpReactRoot();

type State = ReturnType<typeof timelineRelease>["state"];

function eventsOf(revision: number, state: State, ...texts: [string, ...string[]]): TimelineEvent[] {
  const day = `2026-11-${10 + revision}T`;
  const images = [`app:v${revision}`];
  const startedAt = `${day}08:00:00.000Z`;
  const release = timelineRelease({ id: `release-${revision}`, revision, state, images, startedAt });
  return texts.map((text, index) =>
    timelineEvent({
      at: `${day}09:11:0${texts.length - index}.000Z`,
      kind: text.startsWith("Promoted") ? "phase" : "step",
      ...{ text, release },
    }),
  );
}

const events = [
  ...eventsOf(3, "progressing", "Step 1 of 2 completed", "Revision 3 begins"),
  ...eventsOf(2, "promoted", "Promoted: revision 2 is stable", "Revision 2 begins"),
  ...eventsOf(1, "promoted", "Promoted: revision 1 is stable"),
];

async function open(nextCursor: string | null, client = new QueryClient()) {
  const fetchPage = vi
    .fn(async () => Response.json({ items: [], nextCursor: null }))
    .mockImplementationOnce(async () => Response.json({ items: events, nextCursor }));
  vi.stubGlobal("fetch", fetchPage);
  await render(
    <QueryClientProvider client={client}>
      <Timeline rollout={{ cluster: "demo", namespace: "ns", kind: "Rollout", name: "shop" }} />
    </QueryClientProvider>,
  );
  await act(async () => new Promise((resolve) => setTimeout(resolve, 20)));
  return fetchPage;
}

const headings = () => [...document.querySelectorAll("h3")].map((title) => title.parentElement?.textContent);
const rows = () => [...document.querySelectorAll("li")].map((row) => row.lastElementChild?.textContent?.trim());
const button = (name: string) =>
  [...document.querySelectorAll("button")].find(
    (each) => each.textContent === name || each.getAttribute("aria-label") === name,
  );

it("folds the older releases to a line with their outcome and length, and opens them on demand", async () => {
  await open(null);
  expect(headings()).toEqual([
    "v3 · revision 3Progressing",
    "v2 · revision 2Promoted · 1 h 11 min",
    "v1 · revision 1Promoted · 1 h 11 min",
  ]);
  expect(rows()).toEqual(["Step 1 of 2 completed", "Revision 3 begins"]);
  const older = button("Events of v2 · revision 2");
  expect(older?.getAttribute("aria-expanded")).toBe("false");
  await act(async () => older?.click());
  expect(rows()).toEqual([
    "Step 1 of 2 completed",
    "Revision 3 begins",
    "Promoted: revision 2 is stable",
    "Revision 2 begins",
  ]);
  await act(async () => older?.click());
  expect(rows()).toHaveLength(2);
});

it("loads earlier events on demand only, as long as the last one is folded", async () => {
  const fetchPage = await open("next");
  expect(fetchPage).toHaveBeenCalledTimes(1);
  await act(async () => button("Load earlier events")?.click());
  expect(fetchPage).toHaveBeenCalledTimes(2);
});

it("does not fold the release being read when another begins", async () => {
  const client = new QueryClient();
  const fetchPage = await open(null, client);
  const items = [...eventsOf(4, "progressing", "Revision 4 begins"), ...events];
  fetchPage.mockImplementation(async () => Response.json({ items, nextCursor: null }));
  await act(async () => client.invalidateQueries());
  await act(async () => new Promise((resolve) => setTimeout(resolve, 20)));
  expect(rows()).toEqual(["Revision 4 begins", "Step 1 of 2 completed", "Revision 3 begins"]);
});

it("prints the events of all releases", async () => {
  await open(null);
  await act(async () => window.dispatchEvent(new Event("beforeprint")));
  expect(rows()).toHaveLength(5);
  await act(async () => window.dispatchEvent(new Event("afterprint")));
  expect(rows()).toHaveLength(2);
});
