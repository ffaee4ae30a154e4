// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act } from "react";
import { expect, it, vi } from "vitest";
import { ReplaySection } from "#components/admin/policy-replay.tsx";
import type { AdminPolicy } from "#lib/contract/admin.ts";
import type { PolicyReplay } from "#lib/contract/policy-replay.ts";
import { setUpReactRoot } from "#test/react-root.tsx";

const { render } = setUpReactRoot();

const policyOf = (path: string, more: Partial<AdminPolicy>) =>
  ({ path, name: null, mode: "enforce", ...more }) as AdminPolicy;
const policies = [
  policyOf("policies.freezes[0]", { name: "weekend" }),
  policyOf("policies.reasons[0]", { mode: "observe" }),
];
const at = "2026-11-21T10:00:00.000Z";
const answer: PolicyReplay = {
  ...{ since: at, until: at, complete: true, actions: 212 },
  rules: [
    {
      ...{ rule: "weekend", kind: "freeze", waitMinutes: { median: 22, of: 1 } },
      byAction: [{ action: "continue", would: "refuse", count: 1, of: 40 }],
      entries: [{ seq: 17, at, sentence: "Oncall continued payments/checkout", would: "refuse" }],
    },
  ],
  check: { refusals: 2, reproduced: 1, others: [9], unknown: 0, knownSince: at },
};

async function show(shown: AdminPolicy[], response: () => Response) {
  const sent: unknown[] = [];
  vi.stubGlobal("fetch", async (_: string, { body }: { body?: string }) => {
    sent.push(JSON.parse(body ?? ""));
    return response();
  });
  await render(
    <QueryClientProvider client={new QueryClient()}>
      <ReplaySection policies={shown} />
    </QueryClientProvider>,
  );
  return sent;
}

const text = () => document.body.textContent ?? "";
const submit = () =>
  act(async () =>
    document.querySelector("form")?.dispatchEvent(new Event("submit", { bubbles: true, cancelable: true })),
  );

async function choose(index: number, value: string): Promise<void> {
  const field = document.querySelectorAll("select")[index] as HTMLSelectElement;
  await act(async () => {
    field.value = value;
    field.dispatchEvent(new Event("change", { bubbles: true }));
  });
}

it("replays a rule of the config, an observed one first, and shows what it would have decided", async () => {
  const sent = await show(policies, () => Response.json(answer));
  expect([...document.querySelectorAll("option")].map(({ textContent }) => textContent)).toEqual([
    ...["weekend", "policies.reasons[0] (observed)", "A new rule…", "30 days", "90 days"],
  ]);
  await submit();
  await choose(0, "policies.freezes[0]");
  await choose(1, "90");
  await submit();
  expect(sent).toEqual([
    { rule: "policies.reasons[0]", days: 30 },
    { rule: "policies.freezes[0]", days: 90 },
  ]);
  await act(() => vi.waitFor(() => expect(text()).toContain("Would have refused 1 of 212 actions")));
  expect(text()).toContain("They would have waited 22 min (median).");
  const links = [...document.querySelectorAll("a")].map((link) => [link.textContent, link.getAttribute("href")]);
  expect(links).toEqual([
    ["Oncall continued payments/checkout", "/audit/17"],
    ["entry 9", "/audit/9"],
  ]);
});

it("replays a new rule, and says why one cannot be used", async () => {
  const problem = { code: "invalid_request", title: "x", status: 400, detail: "The rule cannot be used: line 3." };
  const headers = { "content-type": "application/problem+json" };
  const sent = await show([], () => Response.json(problem, { status: 400, headers }));
  await submit();
  expect(sent).toEqual([{ yaml: expect.stringContaining("name: weekend"), days: 30 }]);
  await act(() => vi.waitFor(() => expect(text()).toContain("The rule cannot be used: line 3.")));
});
