// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { AppRouterContext, type AppRouterInstance } from "next/dist/shared/lib/app-router-context.shared-runtime";
import { PathnameContext } from "next/dist/shared/lib/hooks-client-context.shared-runtime";
import { act } from "react";
import { expect, it, vi } from "vitest";
import { LinksPage } from "#components/admin/links-page.tsx";
import { watchDialogs } from "#components/shell/return-focus.ts";
import type { LinkTemplate, LinkTemplates } from "#lib/contract/link-template.ts";
import { setUpReactRoot } from "#test/react-root.tsx";

const { render } = setUpReactRoot();

const wiki: LinkTemplate = {
  ...{ name: "Wiki", url: "https://wiki.example.com/{name}", clusters: ["*"], namespaces: ["pay*"], on: ["rollout"] },
};

const wait = { timeout: 120_000 };

async function show(source: LinkTemplates["source"]) {
  const changedAt = "2026-11-28T10:00:00.000Z";
  const answer: { items: LinkTemplate[]; changedAt: string; refusal?: Response } = { items: [wiki], changedAt };
  const sent: unknown[] = [];
  vi.stubGlobal("fetch", async (_: string, { method, body }: { method?: string; body?: string }) => {
    if (method === "POST") {
      sent.push(JSON.parse(body ?? ""));
      if (answer.refusal !== undefined) return answer.refusal;
    }
    return Response.json({ items: answer.items, source, changedBy: "admin", changedAt: answer.changedAt });
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
  await act(() => vi.waitFor(() => expect(document.querySelector("table")).not.toBeNull(), wait));
  return { sent, changedAt, client, answer };
}

const click = (name: string) => act(async () => document.querySelector<HTMLElement>(`[aria-label='${name}']`)?.click());
const submit = () =>
  act(async () =>
    document
      .querySelector("[role=dialog] form")
      ?.dispatchEvent(new Event("submit", { bubbles: true, cancelable: true })),
  );
const names = () => [...document.querySelectorAll("main button, button")].map((button) => button.textContent);

it("removes a link once it is confirmed, by sending the others, with the time at which they were read", async () => {
  const { sent, changedAt } = await show("interface");
  expect(document.querySelector("tbody")?.textContent).toContain("rollout; namespaces pay*");
  expect(names()).toEqual(expect.arrayContaining(["Copy as YAML", "Add a link", "Edit", "Remove"]));
  await click("Remove Wiki");
  expect(document.querySelector("[role=dialog]")?.textContent).toContain("Remove Wiki?");
  expect(sent).toEqual([]);
  await submit();
  await act(() => vi.waitFor(() => expect(sent).toEqual([{ items: [], changedAt }]), wait));
  await act(() => vi.waitFor(() => expect(document.querySelector("[role=dialog]")).toBeNull(), wait));
  expect(document.activeElement?.textContent).toContain("Shown on rollouts, releases, runs and metrics.");
});

it("shows the links of the config file without buttons", async () => {
  await show("file");
  const heads = [...document.querySelectorAll("thead th")].map((head) => head.textContent);
  expect(heads).toEqual(["Name", "Address", "Shown on"]);
  expect(names()).toEqual(["Copy as YAML"]);
});

it("saves an edited link as it was typed", async () => {
  const { sent, changedAt } = await show("interface");
  await click("Edit Wiki");
  expect(document.querySelector("[role=dialog]")?.textContent).toContain("Edit Wiki");
  await submit();
  await act(() => vi.waitFor(() => expect(sent).toEqual([{ items: [wiki], changedAt }]), wait));
});

it("saves what was seen when the dialog was opened, so that another admin's change since then is a conflict", async () => {
  const { sent, changedAt, client, answer } = await show("interface");
  await click("Edit Wiki");
  const other = { ...wiki, name: "Of another admin" };
  Object.assign(answer, { items: [other, wiki], changedAt: "2026-11-28T11:00:00.000Z" });
  await act(() => client.invalidateQueries());
  const rows = () => document.querySelector("tbody")?.textContent;
  await act(() => vi.waitFor(() => expect(rows()).toContain("Of another admin"), wait));
  expect(document.querySelector("[role=dialog]")?.textContent).toContain("Edit Wiki");
  await submit();
  await act(() => vi.waitFor(() => expect(sent).toEqual([{ items: [wiki], changedAt }]), wait));
});

it("says in the dialog why a link was not removed", async () => {
  const { answer } = await show("interface");
  const detail = "The links were changed meanwhile.";
  answer.refusal = Response.json({ code: "conflict", title: "Conflict", detail, status: 409 }, { status: 409 });
  await click("Remove Wiki");
  await submit();
  const alert = () => document.querySelector("[role=alert]")?.textContent;
  await act(() => vi.waitFor(() => expect(alert()).toContain(`The link was not removed${detail}`), wait));
});

it("returns the focus to the button if the removal is cancelled", async () => {
  const stop = watchDialogs();
  await show("interface");
  const button = document.querySelector<HTMLElement>("[aria-label='Remove Wiki']");
  button?.focus();
  await click("Remove Wiki");
  await act(() => vi.waitFor(() => expect(document.activeElement?.closest("[role=dialog]")).not.toBeNull(), wait));
  await act(async () => [...document.querySelectorAll("button")].find((own) => own.textContent === "Cancel")?.click());
  await vi.waitFor(() => expect(document.activeElement).toBe(button));
  stop();
});

it("changes nothing if the config file sets the links", async () => {
  await show("file");
  expect(document.body.textContent).toContain("The config file sets links");
  expect(names()).toEqual(["Copy as YAML"]);
});
