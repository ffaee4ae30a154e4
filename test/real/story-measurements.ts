import { describe, expect, it } from "vitest";
import { storedMeasurements } from "#test/measurement-rows.ts";
import { textOf } from "./independent-watch.ts";
import type { RealWorld } from "./real-world.ts";
import { poll } from "./rollout-story.ts";

type Row = { run_uid: string; metric: string; started_at: Date; phase: string; value: string | null };

/** Runs of Flagger are no objects, so no watch can see them. */
async function storedOf(world: RealWorld): Promise<Set<string>> {
  const { rows } = await world.web.runtime.pool.query<Row>(
    `SELECT m.run_uid, m.metric, m.started_at, m.phase, m.value
     FROM ${storedMeasurements("m")} JOIN analysis_run r ON r.uid = m.run_uid
     WHERE r.namespace = $1 AND r.presence <> 'derived' AND m.finished_at IS NOT NULL`,
    [world.namespace],
  );
  return new Set(
    rows.map(({ run_uid, metric, started_at, phase, value }) =>
      textOf({
        run: run_uid,
        metric,
        startedAt: `${started_at.toISOString().slice(0, 19)}Z`,
        phase,
        value: value ?? undefined,
      }),
    ),
  );
}

/** Runs last: no story lost, invented or changed a measurement. */
export function describeMeasurements(world: () => RealWorld): void {
  describe("every measurement", () => {
    it("is stored as an independent watch saw it", async () => {
      const { watch } = world();
      expect(watch.seen.size).toBeGreaterThan(0);
      const stored = await poll({
        what: "the recorder has stored all that was seen",
        read: () => storedOf(world()),
        fits: (rows) => [...watch.seen].every((line) => rows.has(line)),
        withinMs: 20_000,
      }).catch(() => storedOf(world()));
      const unseen = [...stored].filter((line) => !watch.seen.has(line));
      const missing = [...watch.seen].filter((line) => !stored.has(line));
      const isOutage = (line: string) => {
        const startedMs = Date.parse(line.split(" ")[2] ?? "");
        return world().outages.some(({ fromMs, toMs }) => startedMs >= fromMs - 1000 && startedMs <= toMs);
      };
      const overwritten = missing.filter(isOutage);
      const counted = [...watch.counts].filter(([key, count]) => {
        const kept = [...stored].filter((line) => line.startsWith(`${key} `)).length;
        return kept < count;
      });
      process.stdout.write(
        `  ${watch.seen.size} measurements of ${watch.counts.size} metrics seen, ${stored.size} stored; ` +
          `${overwritten.length} were overwritten by the controller in an outage before the recorder was back; ` +
          `the independent watch broke off ${watch.breaks()} times\n`,
      );
      // The controller may repeat a measurement in an outage: its counter stays, and the earlier one is gone.
      expect(missing.filter((line) => !isOutage(line))).toEqual([]);
      expect(counted).toEqual([]);
      // A measurement that only the recorder saw is not an error, but can occur only in an outage.
      expect(unseen.filter((line) => !isOutage(line))).toEqual([]);
    });
  });
}
