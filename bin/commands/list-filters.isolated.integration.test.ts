import { beforeEach, expect, it, vi } from "vitest";
import { runInbox } from "./inbox.ts";
import { runRollouts } from "./rollouts.ts";

const api = vi.hoisted(() => ({ get: vi.fn() }));
vi.mock("../remote/api.ts", () => ({ withApi: (use: (given: typeof api) => Promise<number>) => use(api) }));

beforeEach(() => {
  vi.spyOn(process.stdout, "write").mockReturnValue(true);
  api.get.mockReset().mockResolvedValue({ items: [], nextCursor: null });
});

it.each([
  {
    run: () => runRollouts(["list", "--team", "Shop", "--label", "tier=1"]),
    path: "/api/v1/rollouts",
    query: { team: "Shop", label: "tier=1" },
  },
  { run: () => runInbox(["--mine", "--label", "tier"]), path: "/api/v1/inbox", query: { mine: "true", label: "tier" } },
  { run: () => runInbox(["--team", "Shop"]), path: "/api/v1/inbox", query: { team: "Shop" } },
  { run: () => runInbox(["--set", "checkout"]), path: "/api/v1/inbox", query: { set: "checkout" } },
  { run: () => runRollouts(["list", "--set", "checkout"]), path: "/api/v1/rollouts", query: { set: "checkout" } },
])("asks the API for $path with $query", async ({ run, path, query }) => {
  expect(await run()).toBe(0);
  // The inbox also asks for requests for approval.
  const calls = api.get.mock.calls.filter(([asked]) => asked === path);
  expect(calls).toEqual([[path, expect.objectContaining(query)]]);
  const asked = Object.entries(calls[0]?.[1] ?? {}).filter(([, value]) => value !== undefined);
  expect(asked.map(([name]) => name).toSorted()).toEqual([...Object.keys(query), "limit"].toSorted());
});
