// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act } from "react";
import { beforeEach, expect, it, vi } from "vitest";
import { chooseColumn } from "#components/actions/choose-box.tsx";
import { ChosenBar } from "#components/actions/chosen-bar.tsx";
import { type Chosen, useChosen } from "#components/actions/use-chosen.ts";
import { queryKeys } from "#lib/client/query-keys.ts";
import type { GroupActionName } from "#lib/contract/action-group.ts";
import type { RolloutSummary } from "#lib/contract/rollout.ts";
import { setUpReactRoot } from "#test/react-root.tsx";

const { render } = setUpReactRoot();

const rollout = (name: string, access = "act") =>
  ({
    id: `c/n/Rollout/${name}`,
    ...{ cluster: "c", namespace: "n", kind: "Rollout", name, presence: "live", access },
  }) as RolloutSummary;

const post = vi.fn(async (_: unknown, { body }: { body: string }) =>
  Response.json({ items: JSON.parse(body).members.map(() => ({ allowed })) }),
);
let allowed: GroupActionName[] = [];
beforeEach(() => {
  post.mockClear();
  vi.stubGlobal("fetch", post);
});

const client = new QueryClient();
let chosen: Chosen;
function Probe({ rows }: { rows: readonly RolloutSummary[] }) {
  chosen = useChosen(rows);
  return (
    <>
      {chooseColumn({ chosen, items: rows, rolloutOf: (row) => row }).head}
      <ChosenBar chosen={chosen} />
    </>
  );
}

const show = (...rows: RolloutSummary[]) =>
  render(
    <QueryClientProvider client={client}>
      <Probe rows={rows} />
    </QueryClientProvider>,
  );
const names = () => chosen.rollouts.map(({ name }) => name).join("");
const bar = () => document.querySelector("section")?.textContent ?? "";
/** Waits until the bar says so. */
async function shows(text: string): Promise<void> {
  while (!bar().includes(text)) await act(() => new Promise((resolve) => setTimeout(resolve, 20)));
}

it("leaves out of a range what cannot be acted on", async () => {
  const rows = [rollout("a"), rollout("b", "read"), rollout("c")];
  await show(...rows);
  await act(async () => chosen.toggle(rows[0] as RolloutSummary, false));
  await act(async () => chosen.toggle(rows[2] as RolloutSummary, true));
  expect(names()).toBe("ac");
});

it("keeps what was chosen under another filter when the head is unticked", async () => {
  await show(rollout("a"), rollout("b"));
  await act(async () => chosen.choose([rollout("a"), rollout("x")]));
  const head = document.querySelector<HTMLElement>('[aria-label="Choose all rows that are loaded"]');
  await act(async () => head?.click());
  expect(names()).toBe("axb");
  await act(async () => head?.click());
  expect(names()).toBe("x");
});

it("asks once for choices in a row, and again when a rollout changes", { timeout: 120_000 }, async () => {
  const rows = [rollout("a"), rollout("b"), rollout("c")];
  await show(...rows);
  for (const row of rows) await act(async () => chosen.toggle(row, false));
  expect(post).not.toHaveBeenCalled();
  await shows("no action is possible now");
  expect(post).toHaveBeenCalledTimes(1);
  allowed = ["abort"];
  await act(() => client.invalidateQueries({ queryKey: queryKeys.rolloutLists() }));
  await shows("3 chosenAbort 3…");
  expect(post).toHaveBeenCalledTimes(2);
});
