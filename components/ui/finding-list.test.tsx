// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { AppRouterContext, type AppRouterInstance } from "next/dist/shared/lib/app-router-context.shared-runtime";
import { act } from "react";
import { expect, it, vi } from "vitest";
import { FindingList } from "#components/ui/finding-list.tsx";
import answers from "#lib/contract/examples/answers.json" with { type: "json" };
import { setUpReactRoot } from "#test/react-root.tsx";

const { render } = setUpReactRoot();
const [example] = answers.listFindings.items;

it.each([
  { name: "all findings", keeps: undefined, titles: ["flapping", "mismatch"] },
  { name: "those that it keeps", keeps: ({ rule }: { rule: string }) => rule === "flapping", titles: ["flapping"] },
  { name: "nothing if it keeps none", keeps: () => false, titles: [] },
])("lists $name", async ({ keeps, titles }) => {
  const items = ["flapping", "mismatch"].map((rule) => ({ ...example, id: rule, rule, title: rule }));
  vi.stubGlobal("fetch", async () => Response.json({ items, nextCursor: null }));
  const client = new QueryClient();
  await render(
    <AppRouterContext value={{} as AppRouterInstance}>
      <QueryClientProvider client={client}>
        <FindingList label="Findings" filters={{ run: "u" }} {...(keeps === undefined ? {} : { keeps })} />
      </QueryClientProvider>
    </AppRouterContext>,
  );
  const states = () =>
    client
      .getQueryCache()
      .getAll()
      .map(({ state }) => state.status);
  await act(() => expect.poll(states).toEqual(["success"]));
  await expect.poll(() => [...document.querySelectorAll("li a")].map((link) => link.textContent)).toEqual(titles);
  expect(document.querySelectorAll("section")).toHaveLength(titles.length === 0 ? 0 : 1);
});
