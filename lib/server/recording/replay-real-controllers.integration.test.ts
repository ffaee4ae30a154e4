import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseAnalysisRun } from "#lib/domain/argo/objects/analysis-run-object.ts";
import type { Measurement } from "#lib/domain/delivery/measuring.ts";
import { createClusterClient } from "#lib/server/clusters/kubernetes/create-cluster-client.ts";
import { watchedResources } from "#lib/server/clusters/sources/watched-resources.ts";
import { ClusterConfig } from "#lib/server/platform/config/cluster-schema.ts";
import { createLoopMonitor } from "#lib/server/platform/telemetry/loop-monitor.ts";
import { recordClusters } from "#lib/server/recording/session/record-clusters.ts";
import { createRecorderMetrics } from "#lib/server/recording/store/recorder-metrics.ts";
import { createRecorderPool } from "#lib/server/recording/store/recorder-pool.ts";
import { checkDueVerdicts } from "#lib/server/recording/upkeep/check-verdicts.ts";
import { rederiveDue } from "#lib/server/recording/upkeep/rederive.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { storedGaps, storedMeasurements } from "#test/measurement-rows.ts";
import type { RealLine, RealObject } from "#test/real-streams.ts";
import { waitFor } from "#test/recorder-world.ts";
import { readWholeHistory, startReplayServer } from "#test/replay-server.ts";
import { sharedEvaluations } from "#test/shared-evaluations.ts";
import { createTestPool } from "#test/test-pool.ts";

const history = readWholeHistory();
const newest = newestOf(history);
let database: TestDatabase;
let owner: ReturnType<typeof createTestPool>;

/**
 * Replays the answers that a real API server gave while the real controllers worked, through the recorder's own lists
 * and watches.
 */
beforeAll(async () => {
  database = await createTestDatabase();
  owner = createTestPool(database.ownerUrl, 2);
  const server = await startReplayServer();
  const directory = mkdtempSync(join(tmpdir(), "gatehouse-replay-"));
  const tokenFile = join(directory, "token");
  writeFileSync(tokenFile, "token");
  const client = createClusterClient(ClusterConfig.parse({ name: "real", server: server.url, tokenFile }));
  const pool = createRecorderPool({ url: database.recorderUrl, onError: () => {} });
  const stop = new AbortController();
  const done = recordClusters(
    {
      clusters: [ClusterConfig.parse({ name: "real", server: server.url, tokenFile })],
      clientOf: () => client,
      pool,
      log: pino({ level: "silent" }),
      metrics: createRecorderMetrics(),
      monitor: createLoopMonitor({ now: () => performance.now(), onTurn: () => {} }),
      evaluations: sharedEvaluations(),
      acquireEveryMs: 100,
      holder: "replay",
    },
    stop.signal,
  );
  const rowsOf = async <Row extends object>(sql: string) => (await owner.query<Row>(sql)).rows;
  await waitFor("the sources to be live", async () => {
    const states = await rowsOf<{ state: string }>("SELECT state FROM source");
    return states.length === watchedResources.length && states.every(({ state }) => state === "live");
  });
  await server.play(history);
  await waitFor("everything to be stored", async () => {
    const stored = await rowsOf<{ uid: string; version: string }>(
      `SELECT uid, resource_version AS version FROM rollout UNION ALL
         SELECT uid, resource_version FROM analysis_run UNION ALL SELECT uid, resource_version FROM replica_set`,
    );
    const versions = new Map(stored.map(({ uid, version }) => [uid, version]));
    return newest.every(({ metadata }) => versions.get(metadata.uid) === metadata.resourceVersion);
  });
  while ((await rederiveDue(pool)) > 0);
  while (
    (await checkDueVerdicts({ pool, evaluations: sharedEvaluations(), log: pino({ level: "silent" }) })).stored > 0
  );
  stop.abort();
  await done;
  await Promise.all([client.close(), pool.end(), server.close()]);
  rmSync(directory, { recursive: true, force: true });
});
afterAll(async () => {
  await owner.end();
  await database.drop();
});

function newestOf(lines: readonly RealLine[]): RealObject[] {
  const objects = new Map(lines.map(({ object }) => [object.metadata.uid, object]));
  return [...objects.values()].filter(({ kind }) => ["Rollout", "AnalysisRun", "ReplicaSet"].includes(kind));
}

const first = "r1 app:1 promoted";
const promoted = `${first}, r2 app:2 promoted`;
const aborted = `${first}, r2 app:2 aborted`;
const paused = `${first}, r2 app:2 paused`;

/** The outcome of each story; test/fixtures/real-controllers/README.md describes them. */
const releasesOf = {
  "s1-abort": `${aborted}, r2 app:2 promoted`,
  "s1-accept": paused,
  "s1-again": promoted,
  "s1-skip": paused,
  "s1b-accept": promoted,
  "s1b-promote": promoted,
  "s2-timed": promoted,
  "s3-dry": promoted,
  "s3-empty": aborted,
  "s3-errmix": promoted,
  "s3-error": aborted,
  "s3-fail": aborted,
  "s3-job": promoted,
  "s3-jobfail": aborted,
  "s3-long": promoted,
  "s3-multi": promoted,
  "s3-nan": paused,
  "s3-nanf": promoted,
  "s3-naninc": aborted,
  "s3-raw": promoted,
  "s3-retain": promoted,
  "s3-secret": promoted,
  "s4-auto": promoted,
  "s4-manual": promoted,
  "s4-postfail": aborted,
  "s4-postinc": promoted,
  "s4-preinc": promoted,
  "s4-preincauto": promoted,
  "s5-fail": aborted,
  "s5-inc": promoted,
  "s5-ok": promoted,
  "s6-acts": [
    `${first}, r2 app:2 superseded, r3 app:3 aborted, r3 app:3 superseded`,
    "r4 app:2 superseded, r5 app:4 promoted, r6 app:5 promoted",
  ].join(", "),
  "s6-restart": first,
  // Undone while in progress, with the template in a Deployment: the stable version begins no release.
  "s6-work": `${first}, r2 app:2 superseded`,
  "bg2-gate0": `${first}, r2 app:slow2 paused`,
  "bg2-inline": `${first}, r2 app:slow2 paused`,
  bg4: paused,
  "v193-both": paused,
  "v193-gate0": `${first}, r2 app:slow2 paused`,
};

/** For partial rollouts: the requested weight, and the weight that the pods amount to. */
const weightsOf = {
  "s1-accept": "25 25",
  "s1-skip": "25 25",
  "s3-empty": "0 0",
  "s3-error": "0 0",
  "s3-fail": "0 0",
  "s3-jobfail": "0 0",
  "s3-nan": "25 25",
  "s3-naninc": "0 0",
  "s3-twice": "0 0",
  "s5-fail": "0 0",
  "bg2-gate0": "75 50",
  "bg2-inline": "75 50",
  bg4: "75 25",
  "v193-both": "75 25",
  "v193-gate0": "75 50",
};

describe("the releases that the real controllers' writes make", () => {
  it("are these, with their own revision and image", async () => {
    const { rows } = await owner.query<{ name: string; releases: string }>(
      `SELECT r.name, string_agg(concat('r', l.revision, ' ', l.images ->> 0, ' ', l.state), ', ' ORDER BY l.started_at)
                AS releases
         FROM release l JOIN rollout r ON r.id = l.rollout_id GROUP BY r.name`,
    );
    expect(Object.fromEntries(rows.map(({ name, releases }) => [name, releases]))).toEqual(releasesOf);
  });

  it("have what their ReplicaSet says", async () => {
    const replicaSets = newest.filter(({ kind }) => kind === "ReplicaSet");
    const { rows } = await owner.query<{ uid: string; run_key: string; revision: number; images: string[] }>(
      "SELECT r.uid, l.run_key, l.revision, l.images FROM release l JOIN rollout r ON r.id = l.rollout_id",
    );
    expect(rows.length).toBeGreaterThan(70);
    for (const { uid, run_key: hash, revision, images } of rows) {
      const own = replicaSets.find(
        ({ metadata }) =>
          metadata.labels?.["rollouts-pod-template-hash"] === hash && metadata.ownerReferences?.[0]?.uid === uid,
      );
      const { annotations = {} } = own?.metadata ?? {};
      const revisions = `${annotations["rollout.argoproj.io/revision"]},${annotations["rollout.argoproj.io/revision-history"]}`;
      expect(revisions.split(",")).toContain(String(revision));
      expect(JSON.stringify(own?.spec)).toContain(`"image":"${images[0]}"`);
    }
  });
});

type Taken = { key: string; measured: string };

/** Collects every finished measurement in any line once, and for each number the one that was listed last. */
function measurementsOf(lines: readonly RealLine[]): { all: Set<string>; counted: Map<string, string> } {
  const all = new Set<string>();
  const counted = new Map<string, string>();
  const versions = new Set<string>();
  for (const { object } of lines) {
    const { uid, resourceVersion } = object.metadata;
    if (object.kind !== "AnalysisRun" || versions.has(`${uid} ${resourceVersion}`)) continue;
    versions.add(`${uid} ${resourceVersion}`);
    for (const { key, measured } of takenIn(object)) {
      all.add(`${key} ${measured}`);
      counted.set(key, measured);
    }
  }
  return { all, counted };
}

function takenIn(object: RealObject): Taken[] {
  const parsed = parseAnalysisRun(object);
  if (!parsed.ok) throw new Error(parsed.reason);
  const { name } = parsed.value.metadata;
  return (parsed.value.status?.metricResults ?? []).flatMap((result) => {
    const finished = result.measurements.filter(({ finishedAt }) => finishedAt !== undefined);
    const first = result.count + result.error - finished.length + 1;
    return finished.map((each, index) => ({ key: `${name} ${result.name} ${first + index}`, measured: textOf(each) }));
  });
}

const textOf = ({ phase, value, startedAt }: Measurement): string =>
  `${phase} ${value ?? "-"} ${new Date(startedAt ?? 0).toISOString()}`;

describe("the measurements of the real controllers' runs", () => {
  it("are stored once each, with their values, also those that were taken again", async () => {
    const { rows } = await owner.query<{ key: string; measured: string; superseded: boolean }>(
      `SELECT concat_ws(' ', a.name, m.metric, m.seq) AS key, m.superseded,
              concat_ws(' ', m.phase, COALESCE(m.value, '-'),
                to_char(m.started_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) AS measured
         FROM ${storedMeasurements("m")} JOIN analysis_run a ON a.uid = m.run_uid WHERE m.finished_at IS NOT NULL`,
    );
    const { all, counted } = measurementsOf(history);
    expect(rows.map(({ key, measured }) => `${key} ${measured}`).toSorted()).toEqual([...all].toSorted());
    const counting = rows.filter(({ superseded }) => !superseded);
    expect(new Map(counting.map(({ key, measured }) => [key, measured]))).toEqual(counted);
    expect(counting).toHaveLength(counted.size);
  });

  it("have no holes, and those that were taken again are counted apart", async () => {
    const { rows: gaps } = await owner.query(`SELECT run_uid, metric, after_seq, count FROM ${storedGaps()}`);
    expect(gaps).toEqual([]);
    const { rows } = await owner.query(
      `SELECT concat_ws(' ', a.name, t.name) AS metric, t.count, t.inconsistent,
              count(*) FILTER (WHERE NOT m.superseded)::int AS recorded,
              count(*) FILTER (WHERE m.superseded)::int AS again, a.verdict_check ->> 'state' AS verdict
         FROM metric t JOIN analysis_run a ON a.rollout_id = t.rollout_id AND a.uid = t.run_uid
         JOIN recorded_measurement m ON m.metric_id = t.id
        GROUP BY a.rollout_id, a.uid, t.id HAVING bool_or(m.superseded) OR t.inconsistent OR t.count > count(*) ORDER BY 1`,
    );
    const taken = { inconsistent: false, again: 3, verdict: "agrees" };
    expect(rows).toEqual([
      { metric: "s3-long-645868bf66-2-1 many", count: 30, recorded: 30, ...taken },
      { metric: "s3-retain-6cc6c4784f-2-1 many", count: 25, recorded: 25, ...taken },
    ]);
  });

  it("give the verdicts that the controller gave", async () => {
    const { rows } = await owner.query(
      "SELECT name, verdict_check FROM analysis_run WHERE verdict_check ->> 'state' = 'contradicts'",
    );
    expect(rows).toEqual([]);
  });
});

describe("the weights of the real controllers' rollouts", () => {
  it("are those of the pods", async () => {
    const { rows } = await owner.query<{ name: string; weights: string }>(
      `SELECT name, concat_ws(' ', weight_set, weight_actual) AS weights FROM rollout
        WHERE strategy = 'Canary' AND (weight_set <> 100 OR weight_actual IS DISTINCT FROM 100)`,
    );
    expect(Object.fromEntries(rows.map(({ name, weights }) => [name, weights]))).toEqual(weightsOf);
  });
});
