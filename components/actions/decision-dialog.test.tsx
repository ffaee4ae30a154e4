// @vitest-environment jsdom
import { notifyManager, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act } from "react";
import { beforeEach, expect, it, vi } from "vitest";
import { DecisionDialog } from "#components/actions/decision-dialog.tsx";
import { sampleApproval } from "#components/actions/testing/sample-approval.ts";
import { followedActions } from "#lib/client/followed-actions.ts";
import type { Approval } from "#lib/contract/approval.ts";
import type { AllowedAction, RolloutDetail } from "#lib/contract/rollout.ts";
import { setUpReactRoot } from "#test/react-root.tsx";

const proposal: Approval = { ...sampleApproval, action: "abort", agent: { name: "bot" }, rule: "", rules: [] };
const offer = (change: Partial<AllowedAction["needs"]>): AllowedAction => ({
  ...{ action: "abort", label: "Abort", protective: true, allowed: true, effect: "All traffic goes back." },
  needs: { reason: false, secondPerson: null, freeze: null, breakGlass: false, ...change },
});

// Cached query results render at once, not in a later turn of the event loop.
notifyManager.setScheduler((draw) => draw());

const { render } = setUpReactRoot();
let sent: unknown[];

async function open(needs: Partial<AllowedAction["needs"]>): Promise<void> {
  const rollout = {
    ...{ ...proposal.rollout, viewDigest: "d", presence: "live", phase: "Paused", attention: null, step: 1 },
    ...{ stepCount: 4, steps: [], pauseConditions: [], currentRuns: [], currentExperiment: null, replicaSets: [] },
    ...{ images: [], weight: null, evidence: [], message: "", source: { state: "live", fresh: true } },
    allowedActions: [offer(needs)],
  } as unknown as RolloutDetail;
  vi.stubGlobal("fetch", async (address: string, init?: RequestInit) => {
    const { pathname } = new URL(address, "http://x");
    if (init?.method !== "POST") return Response.json(rollout);
    sent.push(JSON.parse(String(init.body)));
    return Response.json(pathname.endsWith("/decision") ? { ...proposal, state: "used", actionId: "a1" } : {});
  });
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  await render(
    <QueryClientProvider client={client}>
      <DecisionDialog approval={proposal} decision="approve" onClose={() => undefined} />
    </QueryClientProvider>,
  );
  await act(async () => expect.poll(() => client.isFetching()).toBe(0));
}

const dialog = (): HTMLElement => document.querySelector<HTMLElement>('[role="dialog"]') ?? document.body;
const accept = () =>
  act(async () => {
    [...dialog().querySelectorAll("button")].find(({ textContent }) => textContent === "Accept the proposal")?.click();
  });

beforeEach(() => {
  sent = [];
});

it("follows the action that an accepted proposal becomes", async () => {
  await open({});
  await accept();
  await expect.poll(() => followedActions.snapshot()).toMatchObject([{ id: "a1", action: "abort", name: "checkout" }]);
  expect(sent).toEqual([{ decision: "approve", viewDigest: "d" }]);
});

it("asks for a reason of the person where a rule does", async () => {
  await open({ reason: true });
  expect(dialog().textContent).toContain("a rule asks for a reason: write one of your own");
  await accept();
  expect(dialog().textContent).toContain("Enter a reason.");
  expect(sent).toEqual([]);
});
