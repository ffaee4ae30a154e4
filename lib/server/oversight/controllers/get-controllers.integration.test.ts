import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ActingWorld, actorOf, clusterName, createActingWorld } from "#test/acting-world.ts";
import { listControllerSamples } from "./get-controllers.ts";

let world: ActingWorld;
beforeAll(async () => {
  world = await createActingWorld();
  await world.owner.query(
    `INSERT INTO deployment (uid, cluster, namespace, name, images, desired, replicas, ready, available, updated,
       resource_version, created_at, updated_at)
     VALUES ($1, $2, 'system', 'argo', '["example.com/argo-rollouts:v1.9.3"]', 1, 1, 1, 1, 1, '1', now(), now())`,
    [randomUUID(), clusterName],
  );
});
afterAll(() => world.close());

/** Stores the samples of a scrape every 15 s, as the recorder keeps them. */
async function insert(series: string, labels: object | undefined, value: string, everySeconds: number) {
  await world.owner.query(
    `INSERT INTO controller_sample (cluster, component, series, labels, at, value)
     SELECT $1, 'argo-rollouts', $2, $3, at, ${value}
       FROM generate_series(date_trunc('minute', now()) - interval '8 days', now(), make_interval(secs => $4)) AS at`,
    [clusterName, series, labels === undefined ? "" : JSON.stringify(labels), everySeconds],
  );
}

it("a chart of any range begins with an increase, never with a total", async () => {
  await insert("scrape-duration", undefined, "random()", 15);
  await insert("process-start", undefined, "1700000000", 300);
  // Two errors an hour, of 5000 before.
  await insert("reconcile-errors", undefined, "5000 + floor(extract(epoch FROM at) / 1800) - 800000", 300);
  for (const le of ["0.01", "+Inf"]) await insert("reconcile", { le }, "900000", 300);
  for (const range of ["1h", "6h", "24h", "7d"] as const) {
    const { charts } = await listControllerSamples({
      ctx: world.contextOf(actorOf("viewer")),
      input: { cluster: clusterName, component: "argo-rollouts", range },
    });
    const points = charts.find(({ key }) => key === "reconcile-errors")?.lines[0]?.points ?? [];
    const values = points.map(({ value }) => value ?? Number.NaN);
    // Each step is known, from the first one on.
    expect(points.slice(0, -1).filter(({ value }) => value === null)).toEqual([]);
    // One error, in at least five minutes.
    expect(Math.max(...values)).toBeLessThanOrEqual(0.2);
    const latency = charts.find(({ key }) => key === "reconcile")?.lines ?? [];
    // Nothing was reconciled: the count that it had before is no work of the first step.
    expect(latency.flatMap((line) => line.points).filter(({ value }) => value !== null)).toEqual([]);
  }
});
