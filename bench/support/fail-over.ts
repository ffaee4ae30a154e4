import { setTimeout as sleep } from "node:timers/promises";
import { appendAudit } from "#lib/server/audit/append-audit.ts";
import { verifyAudit } from "#lib/server/audit/verify-audit.ts";
import type { DatabasePair } from "#test/database-pair.ts";
import { createTestPool } from "#test/test-pool.ts";
import { recordSoak, type SoakResult } from "./record-soak.ts";
import { sampleDraft } from "./sample-draft.ts";
import type { BenchCluster } from "./start-cluster.ts";
import { type Gatehouse, waitUntil } from "./start-gatehouse.ts";

export type FailOverResult = {
  soak: SoakResult;
  /** Acknowledged entries of the audit log, and how many of these are missing or different afterwards. */
  acknowledged: number;
  lost: number;
  isChainWhole: boolean;
  /** Times since the primary was killed. */
  promotedMs: number;
  webMs: number;
  auditMs: number;
  recorderMs: number;
};

type Options = {
  pair: DatabasePair;
  cluster: BenchCluster;
  gatehouse: Gatehouse;
  /** Load on the recorder; the primary is killed after a third of the runs. */
  runs: number;
  perSecond: number;
};

/** Kills the primary while the recorder and an audited writer are at work, promotes the standby, and compares. */
export async function failOver({ pair, cluster, gatehouse, runs, perSecond }: Options): Promise<FailOverResult> {
  const web = await gatehouse.startWeb({ next: false });
  gatehouse.startRecorder();
  await gatehouse.untilLive(60_000);
  const writer = startWriter(pair.urls.webUrl);
  const soak = recordSoak({ cluster, gatehouse, options: { runs, perSecond, dropsPerMinute: 30, seed: 9 } });
  // A failure is thrown where this promise is awaited.
  soak.catch(() => {});
  await sleep((runs / perSecond / 3) * 1000);
  const killedAt = performance.now();
  pair.killPrimary();
  await pair.promote();
  const promotedMs = performance.now() - killedAt;
  const count = async (): Promise<number> => {
    const rows = await gatehouse.query<{ count: number }>("SELECT count(*)::int AS count FROM analysis_run");
    return rows[0]?.count ?? 0;
  };
  const since = async (check: () => Promise<boolean>, what: string): Promise<number> => {
    await waitUntil({ what, withinMs: 60_000, check: () => check().catch(() => false) });
    return performance.now() - killedAt;
  };
  const [before, acknowledgedBefore] = [await count(), writer.acknowledged.size];
  const [webMs, auditMs, recorderMs] = await Promise.all([
    since(() => answersStream(web), "the web process answers"),
    since(async () => writer.acknowledged.size > acknowledgedBefore, "an entry is acknowledged"),
    since(async () => (await count()) > before, "the recorder stores"),
  ]);
  const result = await soak;
  await writer.stop();
  const pool = createTestPool(pair.urls.ownerUrl, 2);
  const { rows } = await pool.query<{ seq: string; hash: string }>("SELECT seq::text, hash FROM audit_entry");
  const stored = new Map(rows.map(({ seq, hash }) => [Number(seq), hash]));
  const lost = [...writer.acknowledged].filter(([seq, hash]) => stored.get(seq) !== hash).length;
  const isChainWhole = (await verifyAudit({ client: pool })).ok;
  await pool.end();
  const times = { promotedMs, webMs, auditMs, recorderMs };
  return { soak: result, acknowledged: writer.acknowledged.size, lost, isChainWhole, ...times };
}

/** Appends entries one after another, as actions do, and keeps those that were acknowledged. */
function startWriter(url: string): { acknowledged: Map<number, string>; stop(): Promise<void> } {
  const pool = createTestPool(url, 2);
  const acknowledged = new Map<number, string>();
  let isStopped = false;
  const write = async (): Promise<void> => {
    for (let index = 0; !isStopped; index++)
      await appendAudit({ pool, entry: sampleDraft(index) }).then(
        ({ seq, hash }) => void acknowledged.set(seq, hash),
        () => sleep(50),
      );
  };
  const done = write();
  return {
    acknowledged,
    stop: async () => {
      isStopped = true;
      await done;
      await pool.end();
    },
  };
}

/** Returns whether the stream opens: the token was looked up in the database. */
async function answersStream({ port, path, token }: { port: number; path: string; token: string }): Promise<boolean> {
  const gone = new AbortController();
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers, signal: gone.signal });
  gone.abort();
  return response.status === 200;
}
