// @vitest-environment jsdom
import { notifyManager, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act } from "react";
import { expect, it, vi } from "vitest";
import { DecisionDialog } from "#components/actions/decision-dialog.tsx";
import { sampleApproval } from "#components/actions/testing/sample-approval.ts";
import { setUpReactRoot } from "#test/react-root.tsx";

const needs = { reason: false, secondPerson: null, freeze: null, breakGlass: false };
const proposal = {
  ...sampleApproval,
  ...{ action: "undo" as const, params: { toRevision: 1 }, agent: { name: "bot" }, rule: "", rules: [] },
};
const rollout = {
  ...{ ...proposal.rollout, viewDigest: "d", presence: "live", phase: "Paused", attention: null, step: 1 },
  ...{ stepCount: 4, steps: [], pauseConditions: [], currentRuns: [], currentExperiment: null, replicaSets: [] },
  ...{
    images: [],
    weight: null,
    evidence: [],
    message: "",
    source: { state: "live", fresh: true },
    allowedActions: [],
  },
};

// Cached query results render at once, not in a later turn of the event loop.
notifyManager.setScheduler((draw) => draw());

const { render } = setUpReactRoot();

const button = () =>
  [...document.querySelectorAll("button")].find(({ textContent }) => textContent === "Accept the proposal");

const freeze = { name: "weekend", until: "2026-11-23T07:00:00.000Z", because: "Frozen for the weekend." };
it.each([
  { name: "allowed", plan: { allowed: true, needs }, says: "Goes back.", isDisabled: false },
  { name: "refused", plan: { allowed: false, reason: "No such revision.", needs }, says: "No such revision." },
  { name: "frozen", plan: { allowed: true, needs: { ...needs, freeze } }, says: "Frozen for the weekend." },
  { name: "unknown", plan: undefined, says: "No preview available" },
])("a proposal waits for its plan, which is $name", async ({ plan, says, isDisabled = true }) => {
  const planned = Promise.withResolvers<Response>();
  vi.stubGlobal("fetch", async (_: string, init?: RequestInit) =>
    init?.method === "POST" ? planned.promise : Response.json(rollout),
  );
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  await render(
    <QueryClientProvider client={client}>
      <DecisionDialog approval={proposal} decision="approve" onClose={() => undefined} />
    </QueryClientProvider>,
  );
  await act(async () => expect.poll(() => document.body.textContent).toContain("Paused"));
  expect(button()?.disabled).toBe(true);
  const answer = { action: "undo", label: "Undo", protective: true, effect: "Goes back.", ...plan };
  planned.resolve(Response.json(plan === undefined ? {} : answer, { status: plan === undefined ? 503 : 200 }));
  await act(async () => expect.poll(() => client.isFetching()).toBe(0));
  expect(document.body.textContent).toContain(says);
  expect(button()?.disabled).toBe(isDisabled);
});
