// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act } from "react";
import { expect, it, vi } from "vitest";
import { countWaiting, MineButton } from "#components/inbox/mine-button.tsx";
import { queryKeys } from "#lib/client/query-keys.ts";
import answers from "#lib/contract/examples/answers.json" with { type: "json" };
import type { InboxItem } from "#lib/contract/inbox.ts";
import type { Me } from "#lib/contract/system.ts";
import { setUpReactRoot } from "#test/react-root.tsx";

const { render } = setUpReactRoot();

function item(team: string | null, snooze: object | null = null): InboxItem {
  return { rollout: { team }, handling: { snooze } } as unknown as InboxItem;
}
const rows = [item("Shop"), item("Payments"), item(null), item("Shop", { until: null }), item("Shop")];

type Shown = { teams: Me["teams"]; items?: InboxItem[] | undefined; hasMore?: boolean; isOn?: boolean };

async function show({ teams, items, hasMore = false, isOn = false }: Shown) {
  vi.stubGlobal("fetch", () => new Promise(() => undefined));
  const client = new QueryClient();
  client.setQueryData(queryKeys.me(), { ...answers.getMe, teams });
  const onChange = vi.fn();
  await render(
    <QueryClientProvider client={client}>
      <MineButton items={items} hasMore={hasMore} isOn={isOn} onChange={onChange} />
    </QueryClientProvider>,
  );
  return { button: document.querySelector("button"), onChange };
}

const shop = { name: "Shop", isMine: true };
const payments = { name: "Payments", isMine: false };

it.each([
  { name: "of one's teams", teams: [shop, payments], items: rows, text: "Mine 2" },
  { name: "of several", teams: [shop, { ...payments, isMine: true }], items: rows, text: "Mine 3" },
  { name: "none", teams: [shop], items: [], text: "Mine 0" },
  { name: "at least", teams: [shop], items: rows, hasMore: true, text: "Mine 2+" },
  { name: "not known yet", teams: [shop], items: undefined, text: "Mine" },
  { name: "without a team: no button", teams: [payments], items: rows, text: undefined },
  { name: "without a team, but in the address", teams: [payments], items: [], isOn: true, text: "Mine 0" },
])("counts the rows that wait: $name", async ({ name: _, text, ...shown }) => {
  expect((await show(shown)).button?.textContent).toBe(text);
});

it.each([
  { isOn: false, chosen: "true" },
  { isOn: true, chosen: null },
])("chooses $chosen if it is on: $isOn", async ({ isOn, chosen }) => {
  const { button, onChange } = await show({ teams: [shop], items: rows, isOn });
  expect(button?.getAttribute("aria-pressed")).toBe(String(isOn));
  await act(async () => button?.click());
  expect(onChange).toHaveBeenCalledExactlyOnceWith(chosen);
});

it("counts nothing for no team", () => {
  expect(countWaiting(rows, [])).toBe(0);
});
