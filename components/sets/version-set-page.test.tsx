// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { AppRouterContext, type AppRouterInstance } from "next/dist/shared/lib/app-router-context.shared-runtime";
import { NuqsTestingAdapter } from "nuqs/adapters/testing";
import { expect, it, vi } from "vitest";
import { VersionSetPage } from "#components/sets/version-set-page.tsx";
import answers from "#lib/contract/examples/answers.json" with { type: "json" };
import { setUpReactRoot } from "#test/react-root.tsx";

const { render } = setUpReactRoot();

const problem = { code: "not_found", status: 404, title: "Not Found", detail: "No rollout runs it.", requestId: "1" };

async function renderPage(images: readonly string[]) {
  const releases = images.map((image, index) => ({ ...answers.getRelease, id: String(index), images: [image] }));
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (address: string) => {
    asked.push(decodeURIComponent(address));
    if (address.includes("/releases?")) return Response.json({ items: releases, nextCursor: null });
    return Response.json(problem, { status: 404, headers: { "content-type": "application/problem+json" } });
  });
  await render(
    <AppRouterContext value={{} as AppRouterInstance}>
      <NuqsTestingAdapter searchParams={{ image: "shop/app" }}>
        <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
          <VersionSetPage version="v2.2.1" />
        </QueryClientProvider>
      </NuqsTestingAdapter>
    </AppRouterContext>,
  );
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", false);
  return asked;
}

const wait = { timeout: 60_000 };
const text = () => document.body.textContent;

it("lists the releases of a version that no rollout runs any more, and of no other version or image", async () => {
  const asked = await renderPage(["shop/app:v2.2.1", "shop/app:v2.2.10", "shop/other:v2.2.1"]);
  await vi.waitFor(() => expect(document.querySelectorAll("[data-row]")).toHaveLength(1), wait);
  expect(text()).toContain("No rollout runs v2.2.1 of shop/app now.");
  expect(asked.some((address) => address.includes("version=:v2.2.1"))).toBe(true);
});

it("says that no release is recorded only if there is none", async () => {
  await renderPage(["shop/app:v2.2.10"]);
  await vi.waitFor(() => expect(text()).toContain("No rollout runs or receives v2.2.1"), wait);
  expect(text()).toContain("Gatehouse recorded no release of it, or you may not see it.");
});
