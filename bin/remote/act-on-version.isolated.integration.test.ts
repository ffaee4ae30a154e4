import { beforeEach, expect, it, vi } from "vitest";
import { actOnVersion } from "./act-on-version.ts";

const api = vi.hoisted(() => ({ get: vi.fn(), post: vi.fn() }));
vi.mock("./api.ts", () => ({
  withApi: (use: (given: typeof api) => Promise<number>) => use(api),
  postOnce: (_api: unknown, path: string, body: unknown) => api.post(path, body),
}));

const needs = { reason: false, freeze: null, secondPerson: null };
type Plan = { allowed: boolean; reason?: string; effect?: string; warnings?: string[]; waives?: string };
let plans: Record<string, Plan>;
let printed: { stdout: string; stderr: string };

function rolloutOf(name: string) {
  return { id: `prod/shop/Rollout/${name}`, cluster: "prod", namespace: "shop", kind: "Rollout", name };
}

beforeEach(() => {
  printed = { stdout: "", stderr: "" };
  for (const to of ["stdout", "stderr"] as const)
    vi.spyOn(process[to], "write").mockImplementation((text) => {
      printed[to] += String(text);
      return true;
    });
  api.get.mockReset().mockImplementation(async (path: string) => {
    const names = Object.keys(plans);
    if (path.startsWith("/api/v1/sets/")) {
      // The first is listed twice.
      const items = [...names, ...names.slice(0, 1)].map((name) => ({
        rollout: { ...rolloutOf(name), presence: "live" },
        current: true,
      }));
      return { items, nextCursor: null };
    }
    const ready = names.filter((name) => plans[name]?.allowed);
    const members = ready.map((name) => ({ rollout: rolloutOf(name), state: "effective", message: "", final: true }));
    return { seq: 7, sentence: "aborted", members };
  });
  api.post.mockReset().mockImplementation(async (path: string) => {
    if (!path.endsWith("/plan")) return { seq: 7 };
    const items = Object.entries(plans).map(([name, plan]) => ({
      rollout: rolloutOf(name),
      viewDigest: "d",
      uid: "u",
      revisionKey: "k",
      plan: { ...plan, needs },
    }));
    return { items };
  });
});

function abort(yes: boolean): Promise<number> {
  const where = { repository: undefined, clusters: ["*"], namespaces: ["*"], reason: undefined };
  return actOnVersion({ word: "abort", version: "v2", ...where, yes, timeoutMs: 1_000, output: "table" });
}

it("asks for the order by address, and names no rollout twice", async () => {
  plans = { one: { allowed: true }, two: { allowed: true } };
  expect(await abort(true)).toBe(0);
  expect(api.get.mock.calls[0]?.[1]).toMatchObject({ order: "address" });
  const [, plan] = api.post.mock.calls[0] ?? [];
  expect(plan.members.map(({ name }: { name: string }) => name)).toEqual(["one", "two"]);
  expect(printed.stderr).toBe("");
});

it("names the rollouts that it leaves out, and fails", async () => {
  plans = { one: { allowed: true }, two: { allowed: false, reason: "Only read\u001b here." } };
  expect(await abort(true)).toBe(1);
  expect(printed.stderr).toBe("not requested for 1 of 2:\n  prod/shop/Rollout/two: Only read\ufffd here.\n");
});

it("prints warnings and what is waived", async () => {
  plans = { one: { allowed: true, effect: "Goes back.", warnings: ["It is slow."], waives: "the analysis" } };
  expect(await abort(false)).toBe(0);
  expect(printed.stdout).toContain("Goes back. It is slow. Overrides the analysis.");
});
