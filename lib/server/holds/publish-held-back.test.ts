import type { Pool } from "pg";
import { expect, it } from "vitest";
import type { BarrierMember } from "#lib/domain/acting/barrier.ts";
import type { RecordedMember } from "#lib/server/acting/permission/read-barriers.ts";
import { type HeldBackPlace, publishHeldBack } from "./publish-held-back.ts";

const sets = [{ name: "shop", together: true, clusters: ["*"], namespaces: ["*"], rollouts: ["*"] }];

function recorded(name: string, reached: number): RecordedMember {
  const member: BarrierMember = {
    place: { cluster: "eu", namespace: "shop", kind: "Rollout", name },
    isKnown: true,
    wanted: ["shop:2"],
    serving: ["shop:1"],
    ...{ isFinished: false, isAborted: false },
    pauses: { steps: [1], reached, passed: 0, isTimed: false },
  };
  return { id: name, uid: name, runKey: "r", member, viewDigest: "d" };
}

it("tells of all members by one statement, and again if that failed", async () => {
  const told: unknown[][] = [];
  let isDown = false;
  const query = async ({ values }: { values: unknown[] }) => {
    if (isDown) throw new Error("down");
    told.push(values);
    return { rows: [], rowCount: 1 };
  };
  const pool = { query } as unknown as Pool;
  const place: HeldBackPlace = { bySet: new Map() };
  const look = (last: number, read = sets) =>
    publishHeldBack({
      ...{ pool, place, all: sets, sets: read, changed: [] },
      members: [recorded("one", 1), recorded("two", 1), recorded("last", last)],
    });
  await look(1);
  expect(told).toEqual([]);
  isDown = true;
  await expect(look(0)).rejects.toThrow("down");
  isDown = false;
  await look(0);
  await look(0);
  // The set was not read: it holds back the same members as before.
  await look(1, []);
  await look(0);
  expect(told).toHaveLength(1);
  expect(told[0]).toEqual(expect.arrayContaining(["eu/shop/Rollout/one", "eu/shop/Rollout/two"]));
});
