// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { expect, it, vi } from "vitest";
import { RolloutHeader } from "#components/rollouts/rollout-header.tsx";
import answers from "#lib/contract/examples/answers.json" with { type: "json" };
import type { RolloutDetail } from "#lib/contract/rollout.ts";
import { setUpReactRoot } from "#test/react-root.tsx";

const { render } = setUpReactRoot();

async function show(change: Partial<RolloutDetail>) {
  vi.stubGlobal("fetch", () => new Promise(() => undefined));
  await render(
    <QueryClientProvider client={new QueryClient()}>
      <RolloutHeader rollout={{ ...(answers.getRollout as RolloutDetail), ...change }} />
    </QueryClientProvider>,
  );
  const links = [...document.querySelectorAll("a")].map((link) => [link.textContent, link.getAttribute("href")]);
  return { text: document.body.textContent ?? "", links: new Map(links as [string, string][]) };
}

it("names the team, with its on-call link, and the labels, each of which leads to its rollouts", async () => {
  const onCall = "https://oncall.example.com/payments";
  const { text, links } = await show({ team: "Payments", onCall, labels: { "example.com/tier": "a&b" } });
  expect(text).toMatch(/TeamPayments On call.*Labelsexample\.com\/tier=a&b/);
  expect([...links].find(([words]) => words.startsWith("On call"))?.[1]).toBe(onCall);
  expect(links.get("example.com/tier=a&b")).toBe("/rollouts?label=example.com%2Ftier%3Da%26b");
});

it("says nothing of a team or labels without them", async () => {
  const { text } = await show({ team: null, onCall: null, labels: {} });
  expect(text).not.toMatch(/Team|On call|Labels/);
});

it("says after an abort which version serves all traffic", async () => {
  const aborted = {
    ...{ aborted: true, message: "", abortPoint: { step: null, weight: 25 }, weight: { set: 0, actual: 0 } },
    ...{ revisionKey: "new", stableRevisionKey: "old", images: [] },
    replicaSets: ["new", "old"].map((podHash) => ({
      ...{ name: podHash, revision: 1, podHash, tags: [], replicas: 0, available: 0 },
      images: [`registry.example.com/app:${podHash}`],
      pods: { total: 0, ready: 0, restarts: 0 },
    })),
  };
  expect((await show(aborted)).text).toContain("Aborted with traffic set to 25 %. old serves all traffic.");
  expect((await show({ ...aborted, stableRevisionKey: null })).text).toContain("The new version now gets 0 %.");
});

it("says what keeps it at its pause", async () => {
  const reason = "Not at pause 1 yet: n/other in c.";
  const { allowedActions } = answers.getRollout as RolloutDetail;
  const held = allowedActions.map((each) => ({ ...each, allowed: false, reasonCode: "barrier" as const, reason }));
  expect((await show({ allowedActions: held })).text).toContain(reason);
  expect((await show({ allowedActions })).text).not.toContain(reason);
});
