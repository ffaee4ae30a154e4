// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act } from "react";
import { expect, it } from "vitest";
import { InboxRow } from "#components/inbox/inbox-row.tsx";
import { queryKeys } from "#lib/client/query-keys.ts";
import type { InboxItem } from "#lib/contract/inbox.ts";
import { setUpReactRoot } from "#test/react-root.tsx";

const item = {
  rollout: {
    id: "c/n/Rollout/shop",
    ...{ cluster: "c", namespace: "n", kind: "Rollout", name: "shop", phase: "Paused", message: "", images: [] },
    ...{ weight: { actual: 20, set: 20 }, waitingSince: "2026-11-24T16:00:00.000Z" },
    attention: { reason: "pause", since: "2026-11-24T16:00:00.000Z", severity: "warning" },
  },
  ...{ answer: null, mayAcknowledge: true, sentence: "It waits.", finding: null, ownAct: null },
  ...{ follows: "Then 100 %.", actions: [], evidence: [], measuringAgain: null, links: [] },
  handling: { claim: null, mayClaim: true, snooze: null, maySnooze: null },
} as unknown as InboxItem;

const { render } = setUpReactRoot();

async function show(isSuggested = false, shown = item): Promise<void> {
  const client = new QueryClient();
  client.setQueryData(queryKeys.me(), { role: "operator", issuer: "" });
  await render(
    <QueryClientProvider client={client}>
      <ul>
        <InboxRow item={shown} isGone={false} isSuggested={isSuggested} />
      </ul>
      <button type="button">elsewhere</button>
    </QueryClientProvider>,
  );
}

const arrow = () => document.querySelector<HTMLElement>('[aria-label="Details of n/shop"]') ?? document.body;
const isOpen = () => {
  const details = document.getElementById(arrow().getAttribute("aria-controls") ?? "");
  expect(arrow().getAttribute("aria-expanded")).toBe(String(!details?.hidden));
  return details?.hidden === false;
};
const focus = (element: HTMLElement | null) => act(async () => element?.focus());

it("opens and closes by its arrow, and stays open without the focus", async () => {
  await show();
  expect(isOpen()).toBe(false);
  await act(async () => arrow().click());
  expect(isOpen()).toBe(true);
  await focus(document.querySelector("ul ~ button"));
  expect(isOpen()).toBe(true);
  await act(async () => arrow().click());
  expect(isOpen()).toBe(false);
});

it("is open while the keyboard is in it", async () => {
  await show();
  // jsdom treats every focus as keyboard focus.
  await focus(document.querySelector("[data-row-link]"));
  expect(isOpen()).toBe(true);
  await focus(arrow());
  expect(isOpen()).toBe(true);
  await focus(document.querySelector("ul ~ button"));
  expect(isOpen()).toBe(false);
});

it("shows when a rollout failed as a point in time, not as a wait", async () => {
  const attention = { reason: "degraded", since: "2026-11-24T16:00:00.000Z", severity: "critical" } as const;
  await show(false, { ...item, rollout: { ...item.rollout, phase: "Degraded", waitingSince: null, attention } });
  const cell = document.querySelector("time")?.parentElement;
  expect(cell?.textContent).toBe(document.querySelector("time")?.textContent);
});

it("is open at first if it is the one to answer", async () => {
  await show(true);
  expect(isOpen()).toBe(true);
  expect(document.body.textContent).toContain("Then 100 %.");
});

it.each([
  { badge: "Verdict mismatch", word: "Verdict mismatch" },
  { badge: null, word: "Critical finding" },
])("names a critical finding by its rule, and never cuts its sentence: $word", async ({ badge, word }) => {
  const attention = { reason: "finding" as const, since: "2026-11-24T16:00:00.000Z", severity: "critical" as const };
  const rollout = { ...item.rollout, phase: "Healthy" as const, attention };
  await show(false, { ...item, rollout, finding: { id: "1", rule: "r", badge, title: "Marked Successful" } });
  expect(document.body.textContent).toContain(word);
  expect(document.querySelector("[data-whole]")?.textContent).toBe("It waits.");
});

it("says why it cannot go on, besides why it waits, while its set holds it back", async () => {
  const reason = "Not at pause 1 yet: n/other in c.";
  const actions = [{ action: "continue", allowed: false, reasonCode: "barrier", reason, needs: {} }];
  await show(false, { ...item, actions: actions as unknown as InboxItem["actions"] });
  expect(document.body.textContent).toContain("It waits.");
  expect(document.body.textContent).toContain(reason);
  expect(document.body.textContent).toContain("waiting for a person");
});

it.each([
  { reason: "finding", says: "c · v2" },
  { reason: "degraded", says: "c · stable v2" },
] as const)("names the version that serves if no other one is rolled out: $reason", async ({ reason, says }) => {
  const attention = { reason, since: "2026-11-24T16:00:00.000Z", severity: "critical" as const };
  const images = [{ tags: ["stable" as const], image: "registry.example.com/shop:v2" }];
  await show(false, { ...item, rollout: { ...item.rollout, images, attention } });
  expect(document.body.textContent).toContain(says);
});

it("names the version that was aborted beside the one that serves, and whose traffic it shows", async () => {
  const attention = { reason: "degraded" as const, since: "2026-11-24T16:00:00.000Z", severity: "critical" as const };
  const images = [{ tags: ["stable" as const], image: "shop:v2" }];
  const abortPoint = { step: 2, weight: 25, images: ["shop:v3"] };
  const weight = { actual: 0, set: 0 };
  await show(false, { ...item, rollout: { ...item.rollout, kind: "Rollout", images, attention, abortPoint, weight } });
  expect(document.body.textContent).toContain("c · v3, back on v2");
  expect(document.body.textContent).toContain("0\u2009%on v3");
});
