// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { expect, it, vi } from "vitest";
import { SetAborts } from "#components/actions/set-aborts.tsx";
import answers from "#lib/contract/examples/answers.json" with { type: "json" };
import { setUpReactRoot } from "#test/react-root.tsx";

const { render } = setUpReactRoot();

const [rollout] = answers.listRollouts.items;
const because = 'v2 was aborted in shop/a (eu), and 1 other rollout of set "shop" still receives it.';
const item = { set: "shop", images: ["shop/app:v2"], version: "v2", because, rollouts: [rollout] };

async function renderFor(role: string, version?: string): Promise<void> {
  vi.stubGlobal("fetch", async (address: string) =>
    Response.json(address.includes("/sets/aborts") ? { items: [item] } : { ...answers.getMe, role }),
  );
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  await render(
    <QueryClientProvider client={client}>
      <SetAborts {...(version === undefined ? {} : { version })} />
    </QueryClientProvider>,
  );
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", false);
  await vi.waitFor(() => expect(client.isFetching()).toBe(0));
}

it.each<[string, string, string | undefined, string]>([
  ["to who may act", "operator", undefined, `${because}Abort 1…`],
  ["on the page of that version", "operator", "v2", `${because}Abort 1…`],
  ["not on the page of another one", "operator", "v3", ""],
  ["without a button to a viewer", "viewer", undefined, because],
])("proposes to abort the others %s", async (_name, role, version, text) => {
  await renderFor(role, version);
  await vi.waitFor(() => expect(document.querySelector("ul")?.textContent ?? "").toBe(text));
});
