// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act } from "react";
import { beforeEach, expect, it, vi } from "vitest";
import { ScheduledLines, ScheduledNote } from "#components/actions/scheduled-lines.tsx";
import { queryKeys } from "#lib/client/query-keys.ts";
import type { RolloutSummary } from "#lib/contract/rollout.ts";
import type { ScheduledAction } from "#lib/contract/scheduled-action.ts";
import { setUpReactRoot } from "#test/react-root.tsx";

const rollout = { id: "c/n/Rollout/shop", cluster: "c", namespace: "n", kind: "Rollout", name: "shop" } as const;
const scheduled: ScheduledAction = {
  ...{ id: "s", rollout, action: "continue", params: {}, reason: null, dueAt: "2027-01-04T09:00:00.000Z" },
  ...{ state: "pending", message: "", requestedBy: "operator", requestedByUsername: "operator", own: true },
  ...{ withdrawable: true, requestedAt: "2027-01-03T09:00:00.000Z", endedAt: null, actionId: null },
};

let client: QueryClient;
let sent: string[];
beforeEach(() => {
  client = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: Number.POSITIVE_INFINITY } } });
  sent = [];
  vi.stubGlobal("fetch", async (address: string, init?: RequestInit) => {
    sent.push(`${init?.method} ${new URL(address, "http://x").pathname}`);
    return new Response(JSON.stringify({ items: [] }), { status: 200 });
  });
});

const { render } = setUpReactRoot();

async function show(...items: ScheduledAction[]): Promise<string> {
  const { cluster, namespace, name } = rollout;
  client.setQueryData(queryKeys.scheduledActionList({ cluster, namespace, name }), { items });
  client.setQueryData(queryKeys.scheduledActionList({}), { items });
  await render(
    <QueryClientProvider client={client}>
      <main>
        <ScheduledLines rollout={rollout as unknown as RolloutSummary} />
      </main>
      <aside>
        <ScheduledNote rolloutId={rollout.id} />
      </aside>
    </QueryClientProvider>,
  );
  return document.querySelector("main")?.textContent ?? "";
}

it("shows what is to come, and withdraws it", async () => {
  expect(await show(scheduled)).toMatch(/^Continue at .*\d\d:\d\d by operator\.Withdraw$/);
  expect(document.querySelector("aside")?.textContent).toMatch(/^Continue at .* by operator\.$/);
  await act(async () => document.querySelector("button")?.click());
  await expect.poll(() => sent).toContain("DELETE /api/v1/scheduled-actions/s");
});

it("shows why one was not done, on the rollout's page only", async () => {
  const message = "Not done: the rollout changed since it was requested.";
  expect(await show({ ...scheduled, state: "superseded", message, withdrawable: false })).toMatch(
    /by operator: Not done: the rollout changed since it was requested\.$/,
  );
  expect(document.querySelector("aside")?.textContent).toBe("");
});

it("names who asked by the sign-in name too, and shows nothing of other rollouts", async () => {
  const other = { ...scheduled, rollout: { ...rollout, id: "c/n/Rollout/other" } };
  expect(await show({ ...scheduled, requestedBy: "Jo", withdrawable: false }, other)).toMatch(/ by Jo \(operator\)\.$/);
});
