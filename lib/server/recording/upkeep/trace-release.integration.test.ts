import type { Pool } from "pg";
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { startTracing, stopTracing } from "#lib/server/platform/telemetry/start-tracing.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { connectRecorded, type Recorded, type RecordedRollout } from "#test/recorded.ts";
import { createTestPool } from "#test/test-pool.ts";
import { startTraceReceiver, type TraceReceiver } from "#test/trace-receiver.ts";
import { computeDueReleaseFigures } from "./compute-release-figures.ts";

const now = Math.floor(Date.now() / 1000) * 1000;
const minutesAgo = (minutes: number): Date => new Date(now - minutes * 60_000);

let database: TestDatabase;
let pool: Pool;
let owner: Pool;
let recorded: Recorded;
let receiver: TraceReceiver;
beforeAll(async () => {
  database = await createTestDatabase();
  pool = createTestPool(database.recorderUrl, 2);
  owner = createTestPool(database.ownerUrl, 2);
  recorded = await connectRecorded(database.recorderUrl);
});
afterAll(async () => {
  await Promise.all([pool.end(), owner.end(), recorded.close()]);
  await database.drop();
});
beforeEach(async () => {
  receiver = await startTraceReceiver();
});
afterEach(async () => {
  await stopTracing();
  vi.unstubAllEnvs();
  await receiver.close();
});

async function trace(sampler?: string): Promise<string[]> {
  vi.stubEnv("OTEL_EXPORTER_OTLP_ENDPOINT", receiver.url);
  vi.stubEnv("OTEL_EXPORTER_OTLP_TIMEOUT", "2000");
  const lines: string[] = [];
  const log = pino({ level: "warn" }, { write: (line) => void lines.push(line) });
  await startTracing({ settings: { sampler, samplerArg: undefined }, process: "recorder", log });
  return lines;
}

/** A release that waited for a person from 50 to 20 minutes ago at its second step of four, and has ended since. */
async function addEnded(state: string, endedMinutesAgo = 10): Promise<{ id: string; rollout: RecordedRollout }> {
  const rollout = await recorded.addRollout({});
  const startedAt = minutesAgo(endedMinutesAgo + 40);
  const { id } = await recorded.addRelease({ rolloutId: rollout.id, startedAt, state });
  await recorded.addObservation({ rolloutId: rollout.id, at: startedAt });
  await owner.query("UPDATE release SET ended_at = $2, revision = 2 WHERE id = $1", [id, minutesAgo(endedMinutesAgo)]);
  return { id, rollout };
}

const isDue = async (id: string): Promise<boolean> => {
  const { rows } = await owner.query(
    "SELECT figured_at IS DISTINCT FROM updated_at AS due FROM release WHERE id = $1",
    [id],
  );
  return rows[0]?.due;
};

describe("a release that has ended", () => {
  it("is sent as a trace: the release, its step, its wait and its analysis", async () => {
    await trace("parentbased_traceidratio");
    const { id, rollout } = await addEnded("aborted");
    const run = await recorded.addRun({
      rolloutId: rollout.id,
      name: "app-1",
      phase: "Failed",
      createdAt: minutesAgo(45),
    });
    await owner.query("UPDATE analysis_run SET completed_at = $2 WHERE uid = $1", [run.uid, minutesAgo(40)]);
    expect(await computeDueReleaseFigures(pool)).toBe(1);
    const [release, step, wait, analysis, ...others] = receiver.spans;
    expect(others).toEqual([]);
    expect(release).toMatchObject({
      ...{ service: "gatehouse-recorder", name: "release", traceId: id.replaceAll("-", ""), parentId: "" },
      ...{ startAt: minutesAgo(50).getTime(), endAt: minutesAgo(10).getTime(), hasFailed: true },
      attributes: {
        "deployment.id": id,
        "deployment.name": `${rollout.namespace}/checkout`,
        "deployment.status": "failed",
        "k8s.cluster.name": "demo",
        "gatehouse.release.revision": 2,
      },
    });
    const inRelease = { traceId: release?.traceId, parentId: release?.spanId, hasFailed: false };
    expect(step).toMatchObject({ ...inRelease, name: "step", attributes: { "gatehouse.step.number": 2 } });
    expect(wait).toMatchObject({ name: "wait", parentId: step?.spanId, endAt: minutesAgo(10).getTime() });
    expect(analysis).toMatchObject({ ...inRelease, hasFailed: true, endAt: minutesAgo(40).getTime() });
  });

  it("is sent again with the same ids if the recorder was killed before it had stored that", async () => {
    await trace();
    const { id } = await addEnded("promoted");
    const killed = new Proxy(pool, {
      get: (target, key) => {
        if (key === "connect") return () => Promise.reject(new Error("killed"));
        const value = Reflect.get(target, key);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
    await expect(computeDueReleaseFigures(killed)).rejects.toThrow("killed");
    const sent = receiver.spans.splice(0);
    expect(sent[0]).toMatchObject({ attributes: { "deployment.status": "succeeded" }, hasFailed: false });
    expect(await isDue(id)).toBe(true);
    expect(await computeDueReleaseFigures(pool)).toBe(1);
    expect(receiver.spans).toEqual(sent);
    expect(await computeDueReleaseFigures(pool)).toBe(0);
    expect(receiver.spans).toHaveLength(sent.length);
  });

  it("has no status if it was superseded: neither is known", async () => {
    await trace();
    await addEnded("superseded");
    await computeDueReleaseFigures(pool);
    expect(receiver.spans[0]?.attributes).not.toHaveProperty("deployment.status");
  });

  it("gets its figures without a receiver, which the log reports", async () => {
    const lines = await trace();
    await receiver.close();
    const { id } = await addEnded("promoted");
    expect(await computeDueReleaseFigures(pool)).toBe(1);
    expect(await isDue(id)).toBe(false);
    expect(lines.join()).toContain("traces could not be sent");
    receiver = await startTraceReceiver();
  });

  it.each([
    { name: "tracing is off", start: async () => {}, endedMinutesAgo: 10 },
    { name: "nothing is sampled", start: () => trace("parentbased_always_off"), endedMinutesAgo: 10 },
    { name: "it ended more than a day ago", start: () => trace(), endedMinutesAgo: 25 * 60 },
  ])("is not sent if $name", async ({ start, endedMinutesAgo }) => {
    await start();
    await addEnded("promoted", endedMinutesAgo);
    expect(await computeDueReleaseFigures(pool)).toBe(1);
    expect(receiver.requests).toEqual([]);
  });
});
