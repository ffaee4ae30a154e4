import { describe, expect, it } from "vitest";
import { createFlaggerWorld, followStates, messagesOf, putCanary } from "./testing/flagger-world.ts";

const ANALYSIS = { interval: "10s", threshold: 2, maxWeight: 60, stepWeight: 20 };

describe("debug", () => {
  it("x", async () => {
    const world = createFlaggerWorld();
    const states = followStates(world);
    putCanary(world, { spec: { analysis: ANALYSIS } });
    await world.advance(40_000);
    world.release("web:1.1.0");
    await world.advance(120_000);
    console.log(states.join("\n"));
    console.log(messagesOf(world).join("\n"));
    expect(world.lines).toEqual([]);
  });
});
