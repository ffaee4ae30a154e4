// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { AppRouterContext, type AppRouterInstance } from "next/dist/shared/lib/app-router-context.shared-runtime";
import { act } from "react";
import { expect, it, vi } from "vitest";
import { ManyDialog } from "#components/actions/many-dialog.tsx";
import type { RolloutSummary } from "#lib/contract/rollout.ts";
import { setUpReactRoot } from "#test/react-root.tsx";

const { render } = setUpReactRoot();
const rollout = { id: "c/n/Rollout/a", cluster: "c", namespace: "n", kind: "Rollout", name: "a", viewDigest: "old" };
const needs = { reason: false, freeze: null, secondPerson: null };

it("shows the same plan until asked, and then forgets that changed rollouts were included", async () => {
  const plan = { action: "continue", allowed: true, protective: false, effect: "It goes on.", needs };
  const item = { rollout, viewDigest: "new", sentence: null, evidence: null, allowed: [], plan };
  const post = vi.fn(async () => Response.json({ items: [item] }));
  vi.stubGlobal("fetch", post);
  const client = new QueryClient();
  await render(
    <AppRouterContext value={{} as AppRouterInstance}>
      <QueryClientProvider client={client}>
        <ManyDialog action="continue" rollouts={[rollout as RolloutSummary]} of="v2" onClose={() => undefined} />
      </QueryClientProvider>
    </AppRouterContext>,
  );
  const settle = () => act(() => new Promise((resolve) => setTimeout(resolve, 20)));
  const box = () => document.querySelector<HTMLInputElement>('[type="checkbox"]');
  while (box() === null) await settle();
  await act(async () => box()?.click());
  expect(box()?.checked).toBe(true);
  await act(() => client.invalidateQueries());
  expect(post).toHaveBeenCalledTimes(1);
  const again = [...document.querySelectorAll("button")].find(({ textContent }) => textContent === "Look again");
  await act(async () => again?.click());
  await settle();
  await expect.poll(() => post.mock.calls.length).toBe(2);
  expect(box()?.checked).toBe(false);
});
