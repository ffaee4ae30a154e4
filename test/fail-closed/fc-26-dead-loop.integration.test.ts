import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import type { ClusterClient } from "#lib/server/clusters/kubernetes/cluster-client-types.ts";
import { answerLiveness } from "#lib/server/edge/http/probes.ts";
import { createLoopMonitor } from "#lib/server/platform/telemetry/loop-monitor.ts";
import { changeFeedTurnMs } from "#lib/server/process/change-feed.ts";
import { createRecorderMetrics } from "#lib/server/recording/store/recorder-metrics.ts";
import { waitFor } from "#test/recorder-world.ts";
import { startTestWeb } from "#test/web-runtime.ts";
import { createFailClosedWorld, type FailClosedWorld, fastTiming } from "./world.ts";

let world: FailClosedWorld;
beforeAll(async () => {
  world = await createFailClosedWorld();
});
afterEach(async () => {
  world.fault("none");
  await world.stopAll();
});
afterAll(() => world.close());

describe("FC-26 a loop of the recorder is dead", () => {
  it("makes /livez 503 after three of its periods, while clusters and database never do", async () => {
    world.addRollout("checkout");
    let aheadMs = 0;
    const now = () => performance.now() + aheadMs;
    const metrics = createRecorderMetrics();
    const monitor = createLoopMonitor({
      now,
      onTurn: (loop) => metrics.loopLastTurn.set({ loop }, (Date.now() + aheadMs) / 1000),
    });
    const real = world.client();
    let isDead = false;
    let free = (_: Error): void => {};
    const hang = () =>
      new Promise<never>((_, reject) => {
        free = reject;
      });
    /** A watch that hangs forever and ignores its end, which a loop must never do. */
    const deaf: ClusterClient = {
      ...real,
      watch: (options) => (isDead && options.path.endsWith("/rollouts") ? hang() : real.watch(options)),
    };
    const recorder = await world.start({ monitor, metrics, clientOf: () => deaf });
    const loop = `source/${world.cluster}/rollouts`;
    const lastTurn = async () =>
      (await metrics.loopLastTurn.get()).values.find(({ labels }) => labels.loop === loop)?.value ?? 0;
    expect(await lastTurn()).toBeGreaterThan(0);
    expect((await fetch(`${recorder.probeUrl}/livez`)).status).toBe(200);
    const before = await world.rows();
    isDead = true;
    let still = await lastTurn();
    await waitFor("the loop to stand still", async () => {
      const before = still;
      still = await lastTurn();
      return monitor.findStuck().length === 0 && before === still && Date.now() / 1000 - still > 1.5;
    });
    // Just before three periods have passed, nothing is reported yet.
    const periodMs = fastTiming.watchSeconds * 1000 + fastTiming.watchGraceMs + 5000;
    aheadMs = 3 * periodMs - 4000;
    expect(monitor.findStuck()).not.toContain(loop);
    aheadMs = 3 * periodMs + 1000;
    await waitFor("only the dead one", () => monitor.findStuck().join() === loop);
    const answer = await fetch(`${recorder.probeUrl}/livez`);
    expect(answer.status).toBe(503);
    expect(await answer.text()).toContain(loop);
    expect((await fetch(`${recorder.probeUrl}/readyz`)).status).toBe(200);
    expect(await lastTurn()).toBe(still);
    // Rows are kept, and readers see by the clock that nobody watches.
    expect(await world.rows()).toEqual(before);
    await waitFor("that nothing advances", async () => {
      const { status, body } = await world.act({ name: "checkout", action: "continue" });
      return status === 409 && body.code === "source_stale";
    });
    expect((await world.call("GET", "/livez")).status).toBe(200);
    free(new Error("the test is over"));
  });
});

describe("FC-26 the loop of the web process is dead", () => {
  it("makes its /livez 503 after three periods, and one that turns past a database that is away does not", async () => {
    let aheadMs = 0;
    const monitor = createLoopMonitor({ now: () => performance.now() + aheadMs, onTurn: () => {} });
    const web = await startTestWeb({ monitor, databaseUrl: "postgresql://nobody:none@127.0.0.1:1/none" });
    try {
      // The database is down: the loop reports it and continues.
      const before = monitor.findStuck();
      aheadMs = 4 * changeFeedTurnMs;
      await waitFor("a turn", () => monitor.findStuck().length === 0);
      expect([before, answerLiveness().status]).toEqual([[], 200]);
      const hang = vi.spyOn(web.runtime.pool, "query").mockImplementation(() => new Promise(() => {}));
      await waitFor("a look that never ends", () => hang.mock.calls.length > 0);
      aheadMs = 6.9 * changeFeedTurnMs;
      expect(answerLiveness().status).toBe(200);
      aheadMs = 7.1 * changeFeedTurnMs;
      const answer = answerLiveness();
      expect(answer.status).toBe(503);
      expect(await answer.text()).toContain("change-feed");
    } finally {
      await web.close();
    }
  });
});
