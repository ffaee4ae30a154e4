// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { expect, it, vi } from "vitest";
import { nameFinding } from "#components/findings/finding-page.tsx";
import { FindingRollout, FindingTraffic } from "#components/findings/finding-rollout.tsx";
import { queryKeys } from "#lib/client/query-keys.ts";
import { setUpReactRoot } from "#test/react-root.tsx";

const { render } = setUpReactRoot();
const target = { id: "c/n/Rollout/web", cluster: "c", namespace: "n", kind: "Rollout" as const, name: "web" };
const undo = {
  ...{ action: "undo", label: "Roll back to v1", allowed: true, protective: true, reason: null, reasonCode: null },
  needs: { freeze: null, breakGlass: false, secondPerson: null },
};

async function show(change: object = {}, state: "open" | "closed" = "open"): Promise<string> {
  vi.stubGlobal("fetch", () => new Promise(() => undefined));
  const client = new QueryClient();
  client.setQueryData(queryKeys.me(), { role: "operator", issuer: "" });
  client.setQueryData(queryKeys.rollout(target), {
    ...{ ...target, presence: "live", revisionKey: "v2", weight: { actual: 100, set: 100 }, allowedActions: [undo] },
    ...{ attention: { reason: "finding" }, source: { fresh: true }, ...change },
  });
  await render(
    <QueryClientProvider client={client}>
      <FindingTraffic finding={{ target, revisionKey: "v2", state }} />
      <FindingRollout finding={{ target, revisionKey: "v2", state }} />
    </QueryClientProvider>,
  );
  return document.body.textContent ?? "";
}

it("says how much traffic the version gets, and offers the actions of the inbox", async () => {
  expect(await show()).toMatch(/This version gets 100 % of the traffic\..*Roll back to v1/);
  expect(document.querySelector("button")?.getAttribute("data-variant")).toBe("filled");
});

it.each([
  { name: "a finding about another version", change: { revisionKey: "v3" }, traffic: false },
  { name: "a rollout that needs no decision", change: { attention: null }, traffic: true },
  { name: "traffic that is unknown", change: { attention: null, weight: null }, traffic: false },
  { name: "a deleted rollout", change: { presence: "deleted" }, traffic: false },
])("offers nothing for $name", async ({ change, traffic }) => {
  const text = await show(change);
  expect(text).not.toContain("Roll back");
  expect(text.includes("of the traffic")).toBe(traffic);
});

it("offers nothing once the finding is closed", async () => {
  expect(await show({}, "closed")).not.toContain("Roll back");
});

const release = { images: ["registry.internal/web:v2"], revision: 2, runKey: "k", attempt: 1 };

it.each([
  { name: "its version", finding: { about: "rollout" as const, release }, title: "n/web v2: Off" },
  {
    name: "its revision",
    finding: { about: "rollout" as const, release: { ...release, images: [] } },
    title: "n/web revision 2: Off",
  },
  { name: "no recorded release", finding: { about: "rollout" as const, release: null }, title: "n/web: Off" },
  { name: "a cluster", finding: { about: "cluster" as const, release: null }, title: "Off" },
])("names the rollout in the title of a finding: $name", ({ finding, title }) => {
  expect(nameFinding({ target, title: "Off", ...finding })).toBe(title);
});
