// Time of the reads that pages are made of, compared with reading fifty rows by one plain statement.
import { join } from "node:path";
import type { Rights } from "#lib/domain/policy/rights.ts";
import { everywhere } from "#lib/domain/policy/rights.ts";
import { createDatabase } from "#lib/server/db/create-database.ts";
import { createEvaluationPool, evaluationWorker } from "#lib/server/evaluation/evaluation-pool.ts";
import type { Runtime } from "#lib/server/process/runtime-types.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";
import { listAudit } from "#lib/server/services/acting/list-audit.ts";
import { getRun } from "#lib/server/services/analysis-runs/get-run.ts";
import { listRuns } from "#lib/server/services/analysis-runs/list-runs.ts";
import { getInbox } from "#lib/server/services/inbox/get-inbox.ts";
import { listReleases } from "#lib/server/services/releases/list-releases.ts";
import { getRollout } from "#lib/server/services/rollouts/get-rollout.ts";
import { listRolloutTimeline } from "#lib/server/services/rollouts/list-rollout-timeline.ts";
import { listRollouts } from "#lib/server/services/rollouts/list-rollouts.ts";
import { createTestPool } from "#test/test-pool.ts";
import { startBenchDatabase } from "./support/bench-database.ts";
import { fillHistory, firstPath, historyCluster } from "./support/fill-history.ts";
import { median, printFigure } from "./support/print-figure.ts";

const rollouts = process.argv.includes("--full") ? 10_000 : 1000;
const rounds = 40;
const limit = 50;

const database = await startBenchDatabase();
const owner = createTestPool(database.ownerUrl, 2);
const web = createDatabase({ url: database.webUrl, maxConnections: 4, onError: () => {} });
const evaluations = createEvaluationPool({ file: join(process.cwd(), ...evaluationWorker), threads: 1 });
try {
  await fillHistory(owner, rollouts);
  await measure();
} finally {
  await evaluations.close();
  await web.close();
  await owner.end();
  await database.stop();
}

async function measure(): Promise<void> {
  const ctx = contextOf({
    grants: [{ role: "admin", scope: everywhere, actions: ["*"], breakGlass: true }],
    cap: "admin",
  });
  const scoped = contextOf({
    grants: [
      {
        role: "operator",
        scope: { clusters: [historyCluster], namespaces: ["team-1*"], rollouts: ["*"] },
        actions: ["*"],
        breakGlass: false,
      },
    ],
    cap: "operator",
  });
  const path = firstPath();
  const reads: Record<string, () => Promise<unknown>> = {
    "list-rollouts": () => listRollouts({ ctx, input: { limit } }),
    "list-rollouts-in-scope": () => listRollouts({ ctx: scoped, input: { limit } }),
    "search-rollouts": () => listRollouts({ ctx, input: { limit, q: "service-77" } }),
    inbox: () => getInbox({ ctx, input: { limit, answered: "false" } }),
    "list-runs": () => listRuns({ ctx, input: { limit } }),
    run: () => getRun({ ctx, input: { uid: "uid-20-run-1" } }),
    "list-releases": () => listReleases({ ctx, input: { limit } }),
    "list-audit": () => listAudit({ ctx, input: { limit } }),
    "search-audit": () => listAudit({ ctx, input: { limit, actor: "operator-1" } }),
    rollout: () => getRollout({ ctx, input: path }),
    timeline: () => listRolloutTimeline({ ctx, input: { ...path, limit } }),
  };
  const plain = () => web.pool.query("SELECT * FROM rollout ORDER BY namespace, name, id LIMIT 50");
  for (const [name, read] of Object.entries(reads)) {
    const values: number[] = [];
    const baselines: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      values.push(await millisecondsOf(read));
      baselines.push(await millisecondsOf(plain));
    }
    // The first rounds warm caches and code.
    const [value, baseline] = [values, baselines].map((all) => median(all.slice(rounds / 4))) as [number, number];
    printFigure({
      name: `read-${name}`,
      value,
      unit: "ms",
      baseline,
      ratio: value / baseline,
      size: `${rollouts} rollouts, median of ${(rounds * 3) / 4}; baseline: fifty rows by one plain statement`,
      goal: "no goal of its own: compare the ratio before and after a change",
      ok: true,
    });
  }
}

async function millisecondsOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

function contextOf(rights: Rights): ServiceContext {
  const cluster = { name: historyCluster, access: "read", impersonation: {}, namespaces: undefined };
  const runtime = {
    config: () => ({
      config: {
        clusters: [cluster],
        policies: { reasons: [], freezes: [], secondPerson: [] },
        auth: { roles: [] },
        ui: {},
        inbox: { claimMinutes: 30, maxSnoozeHours: 24 },
        links: [],
        units: [],
      },
    }),
    configStatus: () => ({ state: "ok" }),
    db: web.db,
    pool: web.pool,
    cluster: () => undefined,
    evaluations,
    now: () => new Date(),
  } as unknown as Runtime;
  const actor = {
    type: "user",
    userId: "00000000-0000-0000-0000-000000000000",
    issuer: "https://id.example",
    subject: "bench",
    name: "bench",
    role: "admin",
    groups: [],
    rights,
    username: "bench",
    claims: {},
  } as const;
  return { runtime, actor, requestId: "bench" } as unknown as ServiceContext;
}
