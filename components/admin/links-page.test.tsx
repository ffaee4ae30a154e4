// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { AppRouterContext, type AppRouterInstance } from "next/dist/shared/lib/app-router-context.shared-runtime";
import { PathnameContext } from "next/dist/shared/lib/hooks-client-context.shared-runtime";
import { act } from "react";
import { expect, it, vi } from "vitest";
import { LinksPage } from "#components/admin/links-page.tsx";
import type { LinkTemplate, LinkTemplates } from "#lib/contract/link-template.ts";
import { setUpReactRoot } from "#test/react-root.tsx";

const { render } = setUpReactRoot();

const wiki: LinkTemplate = {
  ...{ name: "Wiki", url: "https://wiki.example.com/{name}", clusters: ["*"], namespaces: ["pay*"], on: ["rollout"] },
};

async function show(source: LinkTemplates["source"]) {
  const changedAt = "2026-11-28T10:00:00.000Z";
  const sent: unknown[] = [];
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  );
  vi.stubGlobal("fetch", async (_: string, { method, body }: { method?: string; body?: string }) => {
    if (method === "POST") sent.push(JSON.parse(body ?? ""));
    return Response.json({ items: [wiki], source, changedBy: "admin", changedAt });
  });
  const client = new QueryClient();
  await render(
    <AppRouterContext value={{} as AppRouterInstance}>
      <PathnameContext value="/admin/links">
        <QueryClientProvider client={client}>
          <LinksPage />
        </QueryClientProvider>
      </PathnameContext>
    </AppRouterContext>,
  );
  await act(() => vi.waitFor(() => expect(document.querySelector("table")).not.toBeNull()));
  return { sent, changedAt };
}

const names = () => [...document.querySelectorAll("main button, button")].map((button) => button.textContent);

it("removes a link by sending the others, with the time at which they were read", async () => {
  const { sent, changedAt } = await show("interface");
  expect(document.querySelector("tbody")?.textContent).toContain("rollout; namespaces pay*");
  expect(names()).toEqual(expect.arrayContaining(["Copy as YAML", "Add a link", "Edit", "Remove"]));
  await act(async () => document.querySelector<HTMLElement>("[aria-label='Remove Wiki']")?.click());
  await act(() => vi.waitFor(() => expect(sent).toEqual([{ items: [], changedAt }])));
});

it("saves an edited link as it was typed", async () => {
  const { sent, changedAt } = await show("interface");
  await act(async () => document.querySelector<HTMLElement>("[aria-label='Edit Wiki']")?.click());
  expect(document.querySelector("[role=dialog]")?.textContent).toContain("Edit Wiki");
  await act(async () =>
    document
      .querySelector("[role=dialog] form")
      ?.dispatchEvent(new Event("submit", { bubbles: true, cancelable: true })),
  );
  await act(() => vi.waitFor(() => expect(sent).toEqual([{ items: [wiki], changedAt }])));
});

it("changes nothing if the config file sets the links", async () => {
  await show("file");
  expect(document.body.textContent).toContain("The config file sets links");
  expect(names()).toEqual(["Copy as YAML"]);
});
