import { afterAll, beforeAll, expect, it } from "vitest";
import { type ActingWorld, createActingWorld } from "#test/acting-world.ts";
import { findRaceFault, raceOrders, racePair } from "./race-pair.ts";

let world: ActingWorld;
beforeAll(async () => {
  world = await createActingWorld();
});
afterAll(() => world.close());

it("a continue and an abort at the same moment: the abort holds, the other is done before it or not at all", async () => {
  for (let pair = 0; pair < 30; pair += 1) {
    const result = await racePair(world, raceOrders[pair % raceOrders.length] ?? "between");
    expect(findRaceFault(result), JSON.stringify(result)).toBeUndefined();
  }
  expect(await world.verify()).toMatchObject({ ok: true });
});
