// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { beforeEach, expect, it, vi } from "vitest";
import { GroupRow } from "#components/inbox/group-row.tsx";
import { queryKeys } from "#lib/client/query-keys.ts";
import type { InboxItem } from "#lib/contract/inbox.ts";
import { setUpReactRoot } from "#test/react-root.tsx";

let client: QueryClient;
beforeEach(() => {
  client = new QueryClient();
  client.setQueryData(queryKeys.sources(), { items: [] });
  // Nothing answers from now on.
  vi.stubGlobal("fetch", () => new Promise(() => undefined));
});

const needs = { reason: false, secondPerson: null, freeze: null, breakGlass: false };
const actions = [
  { action: "continue", allowed: true, protective: false, needs },
  { action: "abort", allowed: true, protective: true, needs },
];
const image = "shop/web:v2";

function row(name: string, isGone = false, cluster = "c", sentence = "Waits at step 2 of 4.", weight = 30) {
  const rollout = {
    id: `${cluster} ${name}`,
    cluster,
    namespace: "n",
    name,
    phase: "Paused",
    attention: null,
    images: [],
    weight: { actual: weight },
  };
  return { key: name, isGone, isFolding: false, item: { rollout, sentence, actions } as unknown as InboxItem };
}

const { render } = setUpReactRoot();

async function show(...rows: ReturnType<typeof row>[]): Promise<string> {
  await render(
    <QueryClientProvider client={client}>
      <ul>
        <GroupRow group={{ key: "k", image, rows }} suggested={undefined} onAsk={() => undefined} />
      </ul>
    </QueryClientProvider>,
  );
  return document.querySelector("li")?.textContent ?? "";
}
const buttons = (selector = "") =>
  [...document.querySelectorAll(`li button[type]${selector}`)]
    .map(({ textContent }) => textContent)
    .filter((text) => text?.endsWith("…"));

it("counts those that still wait", async () => {
  expect(await show(row("a"), row("b", true), row("c"))).toMatch(/2 rollouts of v2.*n\/a and n\/c in c/);
  expect(buttons()).toEqual(["Continue 2…", "Abort 2…"]);
  expect(buttons("[data-protective]")).toEqual(["Abort 2…"]);
  expect(await show(row("a"), row("b", true))).toContain("1 rollout of v2");
});

it("says why they wait and how much traffic they have if it is the same for all", async () => {
  const same = await show(row("a"), row("b"), row("c"));
  expect(same).toContain("Waits at step 2 of 4.");
  expect(same).toContain("30\u2009%live traffic");
  const different = await show(row("a"), row("b", false, "c", "Waits at step 3 of 4.", 40));
  expect(different).not.toMatch(/Waits at|live traffic/);
});

it("names a rollout of several clusters once", async () => {
  expect(await show(row("a"), row("a", false, "d"), row("a", false, "e"))).toContain("n/a in c, d and e");
  expect(await show(row("a"), row("b"), row("a", false, "d"))).toContain("In 2 clusters: n/a, n/b");
});

it("says why none of them can go on", async () => {
  const because = "Not at pause 1 yet: n/b in c.";
  const held = [{ action: "continue", allowed: false, reasonCode: "barrier", reason: because, needs }];
  const rows = [row("a"), row("a", false, "d")].map(({ item, ...rest }) => ({
    ...rest,
    item: { ...item, actions: held as unknown as InboxItem["actions"] },
  }));
  expect(await show(...rows)).toContain(because);
  expect(buttons()).toEqual([]);
});

it("offers nothing together that is overridden one by one, and says why", async () => {
  const glass = { ...needs, breakGlass: true, barrier: { set: "s", because: "Not at pause 1 yet: n/b in c." } };
  const { item, ...rest } = row("a");
  const held = [{ action: "continue", allowed: true, protective: false, needs: glass }];
  const shown = { ...rest, item: { ...item, actions: held as unknown as InboxItem["actions"] } };
  expect(await show(shown, row("b", true))).toContain(glass.barrier.because);
  expect(buttons()).toEqual([]);
});

it("says that none waits any more", async () => {
  expect(await show(row("a", true), row("b", true))).toMatch(/2 rollouts of v2.*No longer waiting\.$/);
  expect(buttons()).toEqual([]);
});

it("advances nothing without an answer", async () => {
  client.setQueryData(queryKeys.sources(), { items: [] }, { updatedAt: Date.now() - 60_000 });
  await show(row("a"), row("b"));
  await expect.poll(() => buttons()).toEqual(["Abort 2…"]);
});
