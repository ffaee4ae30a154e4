import type { Pool } from "pg";
import { everywhere } from "#lib/domain/policy/rights.ts";
import { getRolloutSeries } from "#lib/server/pages/monitoring/get-rollout-series.ts";
import type { Runtime } from "#lib/server/process/runtime-types.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";
import { recordCluster } from "./fill-records.ts";

export type Scrape = { ms: number; bytes: number; samples: number; leftOut: number };

/** Scrapes the series about all rollouts of filled records. Each call has a runtime of its own: no answer is kept. */
export async function scrapeSeries(pool: Pool, { named, teams }: { named: number; teams: number }): Promise<Scrape> {
  const config = {
    clusters: [{ name: recordCluster }],
    // The last team owns most rollouts, so that each team is compared with most of them.
    teams: Array.from({ length: teams }, (_, index) => ({
      name: `team ${index}`,
      groups: [],
      clusters: ["*"],
      namespaces: [index === teams - 1 ? "*" : `team-${index}`],
      rollouts: ["*"],
      labels: {},
    })),
    limits: { rolloutsInMetrics: named },
  };
  const runtime = { config: () => ({ config }), pool, now: () => new Date() } as unknown as Runtime;
  const rights = { grants: [{ role: "viewer", scope: everywhere, actions: [], breakGlass: false }], cap: "viewer" };
  const ctx = { runtime, actor: { rights }, requestId: "bench" } as unknown as ServiceContext;
  const startedAt = performance.now();
  const { text } = await getRolloutSeries({ ctx, input: {} });
  const ms = performance.now() - startedAt;
  const samples = text.split("\n").filter((line) => line.startsWith("gatehouse_"));
  const [, leftOut] = samples.find((line) => line.startsWith("gatehouse_rollouts_left_out "))?.split(" ") ?? [];
  return { ms, bytes: Buffer.byteLength(text), samples: samples.length, leftOut: Number(leftOut) };
}
