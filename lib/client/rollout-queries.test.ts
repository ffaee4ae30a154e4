import { expect, it } from "vitest";
import { askAgainMs } from "#lib/client/rollout-queries.ts";

it("asks again soon while the cluster has not answered, and now and then while a source is stale", () => {
  const stale = { reasonCode: "source_stale" };
  const unknown = { clusterAccess: "unknown" as const };
  expect(askAgainMs([{}, stale])).toBe(5_000);
  expect(askAgainMs([stale, unknown])).toBe(2_000);
  expect(askAgainMs([{ reasonCode: "forbidden" }, { clusterAccess: "allowed" as const }])).toBe(false);
  expect(askAgainMs([{ reasonCode: "forbidden" }], { isFresh: false })).toBe(5_000);
  expect(askAgainMs()).toBe(false);
});
