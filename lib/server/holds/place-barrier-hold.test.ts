import type { Pool } from "pg";
import { expect, it } from "vitest";
import type { Runtime } from "#lib/server/process/runtime-types.ts";
import { toRecorded } from "#lib/server/records/observation-row.ts";
import { type BarrierHoldToPlace, findHoldsAgain } from "./place-barrier-hold.ts";

const place = { cluster: "eu", namespace: "shop", kind: "Rollout" as const, name: "one" };
const rollout = { ...place, id: "6f1a2b3c-0000-4000-8000-000000000001", uid: "u", view_digest: "d" };
const observed = { observed_at: new Date(0), resource_version: "1", writer: null, provider: "none", projection: {} };
const scope = { clusters: ["*"], namespaces: ["*"], rollouts: ["*"] };
const hold: BarrierHoldToPlace = { rollout, wanted: { runKey: "r", step: 1, set: "shop", because: "" } };

/** The first statement reads rollouts, the next one members. */
function runtimeOf(...answers: object[][]): Pick<Runtime, "config" | "pool"> {
  const config = { sets: [{ name: "shop", together: true, ...scope }] };
  return {
    config: () => ({ config }) as unknown as ReturnType<Runtime["config"]>,
    pool: { query: async () => ({ rows: answers.shift() ?? [] }) } as unknown as Pool,
  };
}

it("keeps a hold whose newest state cannot be read", async () => {
  expect(() => toRecorded(observed)).toThrow();
  expect(await findHoldsAgain(runtimeOf([{ ...rollout, ...observed }], []), [hold])).toEqual({
    again: [],
    unknown: [hold],
  });
});

it("drops a hold whose rollout is gone", async () => {
  expect(await findHoldsAgain(runtimeOf([]), [hold])).toEqual({ again: [], unknown: [] });
});
