import { pino } from "pino";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { sourcesOf } from "#lib/server/clusters/sources/watched-resources.ts";
import { createFailClosedWorld, type FailClosedWorld } from "./world.ts";

let world: FailClosedWorld;
beforeAll(async () => {
  world = await createFailClosedWorld();
});
afterEach(async () => {
  world.fault("none");
  await world.stopAll();
});
afterAll(() => world.close());

describe("FC-07 no checkpoint: the first start", () => {
  it("starts empty, says from when on there is history, and acts once the source is live", async () => {
    world.addRollout("checkout");
    const sources = await world.call("GET", "/api/v1/sources", { as: "viewer" });
    expect(sources).toMatchObject({ status: 200, body: { items: [] } });
    expect((await world.rows()).rollout?.count).toBe(0);
    const lines: string[] = [];
    const log = pino({ level: "info" }, { write: (line: string) => void lines.push(line) });
    const startedAt = Date.now();
    const recorder = await world.start({ log });
    expect(lines.filter((line) => line.includes("history begins now"))).toHaveLength(sourcesOf(world.config).length);
    // Distinct from a checkpoint that cannot be read.
    expect((await recorder.metrics.quarantined.get()).values).toEqual([]);
    const { body } = await world.call("GET", "/api/v1/sources", { as: "viewer" });
    for (const { historyBeginsAt } of body.items as { historyBeginsAt: string }[])
      expect(Date.parse(historyBeginsAt)).toBeGreaterThanOrEqual(startedAt - 2000);
    const { web, recorder: probes } = await world.probes();
    expect([web.livez, web.readyz, probes.livez, probes.readyz]).toEqual([200, 200, 200, 200]);
    expect(await world.act({ name: "checkout", action: "continue" })).toMatchObject({ status: 202 });
  });

  it("keeps that moment over a restart", async () => {
    const begins = () => world.query("SELECT id, history_begins_at FROM source ORDER BY id");
    const before = await begins();
    const lines: string[] = [];
    await world.start({ log: pino({ level: "info" }, { write: (line: string) => void lines.push(line) }) });
    expect(await begins()).toEqual(before);
    expect(lines.filter((line) => line.includes("history begins now"))).toEqual([]);
  });
});
