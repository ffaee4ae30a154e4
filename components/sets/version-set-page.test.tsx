// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { AppRouterContext, type AppRouterInstance } from "next/dist/shared/lib/app-router-context.shared-runtime";
import { NuqsTestingAdapter } from "nuqs/adapters/testing";
import { expect, it, vi } from "vitest";
import { VersionSetPage } from "#components/sets/version-set-page.tsx";
import { queryKeys } from "#lib/client/query-keys.ts";
import answers from "#lib/contract/examples/answers.json" with { type: "json" };
import { standings } from "#lib/domain/delivery/version-set.ts";
import { setUpReactRoot } from "#test/react-root.tsx";

const { render } = setUpReactRoot();

const problem = { code: "not_found", status: 404, title: "Not Found", detail: "No rollout runs it.", requestId: "1" };

type Answers = Record<string, unknown>;

function createClient(): QueryClient {
  return new QueryClient({ defaultOptions: { queries: { retry: false } } });
}

/** Renders the page over a server that answers the paths with these endings, and knows no others. */
async function renderAt(searchParams: Record<string, string>, known: Answers, client = createClient()) {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (address: string) => {
    asked.push(decodeURIComponent(address));
    const path = address.replace(/\?.*/, "");
    const found = Object.keys(known).find((ending) => path.endsWith(ending));
    if (found !== undefined) return Response.json(known[found]);
    return Response.json(problem, { status: 404, headers: { "content-type": "application/problem+json" } });
  });
  await render(
    <AppRouterContext value={{} as AppRouterInstance}>
      <NuqsTestingAdapter hasMemory searchParams={searchParams}>
        <QueryClientProvider client={client}>
          <VersionSetPage version="v2.2.1" />
        </QueryClientProvider>
      </NuqsTestingAdapter>
    </AppRouterContext>,
  );
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", false);
  return asked;
}

function renderPage(images: readonly string[]) {
  const items = images.map((image, index) => ({ ...answers.getRelease, id: String(index), images: [image] }));
  return renderAt({ image: "shop/app" }, { "/releases": { items, nextCursor: null } });
}

const counts = Object.fromEntries(standings.map((standing) => [standing, 0]));
const member = { rollout: answers.getRollout, standing: "waiting", current: true, verdict: null, heldBack: null };
const only = { cluster: "prod", namespace: "shop", kind: "Rollout", name: "api" };
const twoImages: Answers = {
  "/me": { ...answers.getMe, role: "operator" },
  "/sets/version/v2.2.1": {
    version: "v2.2.1",
    images: ["shop/api", "shop/web"],
    imageCounts: [
      { image: "shop/web", rollouts: 3, counts: { ...counts, waiting: 1, promoted: 2 }, only: null },
      { image: "shop/api", rollouts: 1, counts: { ...counts, waiting: 1 }, only },
    ],
    ...{ sentence: "v2.2.1: promoted in 0 of 4", total: 4, counts, clusters: [], waves: null },
  },
  "/differences": { total: 1, compared: 1, fields: [], moreFields: 0, notCompared: 0 },
  "/members": { items: [member], nextCursor: null },
};

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

it("asks for the image before it joins rollouts of several images, and offers no action until then", async () => {
  const asked = await renderAt({}, twoImages);
  await vi.waitFor(() => expect(document.querySelectorAll("[data-row]")).toHaveLength(2), wait);
  expect(text()).toContain("v2.2.1 is a tag of 2 images. Choose one.");
  const rows = [...document.querySelectorAll("[data-row]")];
  expect(rows.map((row) => row.textContent)).toEqual([
    "shop/webPromoted in 2 of 3, waiting for a person in 1",
    "shop/apiWaiting for a person shop/api in prod",
  ]);
  const links = [...document.querySelectorAll("a")].map((link) => link.getAttribute("href"));
  expect(links).toEqual([
    "/sets/version/v2.2.1?image=shop%2Fweb",
    "/rollouts/prod/shop/Rollout/api",
    "/sets/version/v2.2.1?images=all",
  ]);
  expect(document.querySelectorAll("input[type=checkbox]")).toHaveLength(0);
  expect(asked.some((address) => address.includes("/members"))).toBe(false);
});

it.each<{ chosen: Record<string, string>; says: string; wanted: string | undefined }>([
  { chosen: { images: "all" }, says: "All 2 images with this version", wanted: undefined },
  { chosen: { image: "shop/web" }, says: "Only image shop/web", wanted: "shop/web" },
])("shows rollouts to act on once $chosen is chosen", async ({ chosen, says, wanted }) => {
  const asked = await renderAt(chosen, twoImages);
  await vi.waitFor(() => expect(document.querySelectorAll("input[type=checkbox]")).toHaveLength(2), wait);
  expect(text()).toContain(says);
  const queries = asked.filter((address) => address.includes("/sets/")).map((address) => address.split("?")[1] ?? "");
  expect(new Set(queries.map((query) => new URLSearchParams(query).get("image") ?? undefined))).toEqual(
    new Set([wanted]),
  );
});

it("chooses no rollout in one image that was chosen in another", async () => {
  const client = createClient();
  for (const image of ["shop/web", "shop/api"])
    client.setQueryData(queryKeys.versionSet("v2.2.1", { image }), twoImages["/sets/version/v2.2.1"]);
  const box = () => document.querySelector<HTMLInputElement>("tbody input[type=checkbox]");
  await renderAt({ image: "shop/web" }, twoImages, client);
  await vi.waitFor(() => expect(box()).not.toBeNull(), wait);
  box()?.click();
  await vi.waitFor(() => expect(box()?.checked).toBe(true), wait);
  await renderAt({ image: "shop/api" }, twoImages, client);
  await vi.waitFor(() => expect(text()).toContain("Only image shop/api"), wait);
  await vi.waitFor(() => expect(box()?.checked).toBe(false), wait);
});

it("has a column for each wave, and lists only the chosen one", async () => {
  const set = twoImages["/sets/version/v2.2.1"] as Record<string, unknown>;
  const items = ["eu", "us", null].map((wave) => ({ wave, total: 1, counts: { ...counts, promoted: 1 } }));
  const answers = { ...twoImages, "/sets/version/v2.2.1": { ...set, waves: { label: "zone", items } } };
  const asked = await renderAt({ image: "shop/web" }, answers);
  const columns = () => [...document.querySelectorAll<HTMLButtonElement>("[aria-label='By zone'] button")];
  await vi.waitFor(() => expect(columns()).toHaveLength(3), wait);
  expect(columns().map(({ textContent, disabled }) => [textContent, disabled])).toEqual([
    ["zone eu1 of 1 promoted", false],
    ["zone us1 of 1 promoted", false],
    ["no zone1 of 1 promoted", true],
  ]);
  columns()[1]?.click();
  await vi.waitFor(() => expect(columns()[1]?.ariaPressed).toBe("true"), wait);
  await vi.waitFor(() => expect(asked.some((address) => address.includes("label=zone=us"))).toBe(true), wait);
});
