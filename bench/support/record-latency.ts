import { setTimeout as sleep } from "node:timers/promises";
import { followEvents, type HeardEvent } from "./follow-events.ts";
import type { Change } from "./sandbox-driver.ts";
import type { BenchCluster } from "./start-cluster.ts";
import type { Gatehouse } from "./start-gatehouse.ts";

export type LatencyOptions = { perSecond: number; seconds: number; objects: number };

export type LatencyResult = {
  changes: number;
  behindMs: number;
  /** Milliseconds from each change to its row's commit; empty if the server keeps no commit times. */
  rowMs: number[];
  /** Milliseconds from each change to the first event about it. */
  eventMs: number[];
  lostRows: string[];
  lostEvents: string[];
};

type StoredRow = { key: string; ref: string; xid: string; committed_at: string | null };

/**
 * Changes objects at a steady rate and tracks each change: its own row (an observation or a measurement), and an event
 * that was sent for that row's transaction or a later one.
 */
export async function recordLatency(parts: {
  cluster: BenchCluster;
  gatehouse: Gatehouse;
  web: { port: number; path: string; token: string };
  options: LatencyOptions;
}): Promise<LatencyResult> {
  const { cluster, gatehouse, web, options } = parts;
  const client = await followEvents(web);
  const { changes, behindMs } = await cluster.change(options);
  const rows = await readRows(gatehouse, new Set(changes.map(keyOf)));
  const result: LatencyResult = {
    changes: changes.length,
    behindMs,
    rowMs: [],
    eventMs: [],
    lostRows: [],
    lostEvents: [],
  };
  await untilAllHeard(client.events, [...rows.values()]);
  client.close();
  const heard = Map.groupBy(client.events, ({ ref }) => ref);
  for (const change of changes) {
    const key = keyOf(change);
    const row = rows.get(key);
    if (row === undefined) {
      result.lostRows.push(key);
      continue;
    }
    if (row.committed_at !== null) result.rowMs.push(Number(row.committed_at) - change.at);
    const event = findEvent(heard, row);
    if (event === undefined) result.lostEvents.push(key);
    else result.eventMs.push(event.at - change.at);
  }
  return result;
}

function keyOf(change: Change): string {
  return change.kind === "Rollout" ? `${change.name}@${change.resourceVersion}` : `${change.name}#${change.seq}`;
}

/** Reads the rows of all changes, once their number stops growing. */
async function readRows(gatehouse: Gatehouse, expected: ReadonlySet<string>): Promise<Map<string, StoredRow>> {
  const [{ setting } = { setting: "off" }] = await gatehouse.query<{ setting: string }>(
    "SELECT current_setting('track_commit_timestamp') AS setting",
  );
  const committed = (row: string): string =>
    setting === "on" ? `(extract(epoch FROM pg_xact_commit_timestamp(${row}.xmin)) * 1000)::text` : "NULL::text";
  const sql = `SELECT name || '@' || observation.resource_version AS key,
        'bench/' || namespace || '/Rollout/' || name AS ref, observation.xmin::text AS xid,
        ${committed("observation")} AS committed_at
      FROM observation JOIN rollout ON rollout.id = rollout_id
    UNION ALL
    SELECT run.name || '#' || seq, run.uid, measurement.xmin::text, ${committed("measurement")}
      FROM measurement JOIN metric ON metric.id = metric_id
        JOIN analysis_run run ON run.uid = run_uid AND run.rollout_id = metric.rollout_id
     WHERE run.name LIKE 'live-%' AND finished_at IS NOT NULL`;
  let rows: StoredRow[] = [];
  for (let best = -1, quiet = 0; quiet < 10; quiet++) {
    rows = (await gatehouse.query<StoredRow>(sql)).filter(({ key }) => expected.has(key));
    if (rows.length > best) [best, quiet] = [rows.length, 0];
    if (rows.length === expected.size) break;
    await sleep(500);
  }
  return new Map(rows.map((row) => [row.key, row]));
}

/** Waits until every row was told of, or for ten seconds: what is missing then is lost. */
async function untilAllHeard(events: readonly HeardEvent[], rows: readonly StoredRow[]): Promise<void> {
  let missing = rows;
  for (let tries = 0; tries < 200 && missing.length > 0; tries++) {
    if (tries > 0) await sleep(50);
    const heard = Map.groupBy(events, ({ ref }) => ref);
    missing = missing.filter((row) => findEvent(heard, row) === undefined);
  }
}

function findEvent(heard: ReadonlyMap<string, readonly HeardEvent[]>, row: StoredRow): HeardEvent | undefined {
  return heard.get(row.ref)?.find(({ xid }) => xid >= BigInt(row.xid));
}
