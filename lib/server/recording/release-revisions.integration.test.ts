import type { Pool } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sourcesOf } from "#lib/server/clusters/sources/watched-resources.ts";
import { inTransaction } from "#lib/server/platform/db/in-transaction.ts";
import { createReplicaSetWriter } from "#lib/server/recording/kinds/write-replica-sets.ts";
import { createRolloutWriter } from "#lib/server/recording/kinds/write-rollouts.ts";
import type { ObjectEntry } from "#lib/server/recording/store/batch-types.ts";
import { rederiveDue } from "#lib/server/recording/upkeep/rederive.ts";
import { addCluster } from "#test/add-cluster.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { type RealLine, readRealStream } from "#test/real-streams.ts";
import { createTestPool } from "#test/test-pool.ts";

let database: TestDatabase;
let owner: Pool;
let pool: Pool;
beforeAll(async () => {
  database = await createTestDatabase();
  owner = createTestPool(database.ownerUrl, 2);
  pool = createTestPool(database.recorderUrl, 4);
});
afterAll(async () => {
  await Promise.all([owner.end(), pool.end()]);
  await database.drop();
});

/** From the second revision to the fifth, in order of arrival; later lists only repeat it. */
const recorded = readRealStream("s6").filter(
  ({ at, type, object: { kind, metadata } }) =>
    type !== "LISTED" &&
    at > "2026-11-22T07:09:21.7" &&
    at < "2026-11-22T07:09:51" &&
    ((kind === "Rollout" && metadata.name === "s6-acts") ||
      (kind === "ReplicaSet" && metadata.ownerReferences?.[0]?.name === "s6-acts")),
);
const rollouts = recorded.filter(({ object }) => object.kind === "Rollout");
const replicaSets = firstOfEachRevision(recorded.filter(({ object }) => object.kind === "ReplicaSet"));
const story = recorded.filter((line) => rollouts.includes(line) || replicaSets.includes(line));

/** Keeps the first line of each revision: a ReplicaSet's other changes concern its pods. */
function firstOfEachRevision(lines: readonly RealLine[]): RealLine[] {
  const keyOf = ({ object: { metadata } }: RealLine): string =>
    `${metadata.uid} ${metadata.annotations?.["rollout.argoproj.io/revision"]}`;
  return lines.filter((line, index) => lines.findIndex((other) => keyOf(other) === keyOf(line)) === index);
}

/** What the controller wrote with the new number and the old pod hash; see docs/releases.md. */
const isMixed = ({ object: { metadata, status } }: RealLine): boolean =>
  metadata.annotations?.["rollout.argoproj.io/revision"] === "3" && status?.currentPodHash === "6db45559d8";

/** Uids are unique among clusters, and each case is its own cluster. */
const toEntry = (cluster: string, line: RealLine): ObjectEntry => {
  const at = line.at;
  const object = JSON.parse(JSON.stringify(line.object).replaceAll(/"uid":"/g, `"uid":"${cluster} `));
  const { uid, resourceVersion } = object.metadata;
  return { op: "upsert", uid, resourceVersion, object, receivedAt: new Date(at) };
};

function sourceOf(cluster: string, kind: string) {
  const source = sourcesOf({ name: cluster }).find((each) => each.kind === kind);
  if (source === undefined) throw new Error(`${kind} is not watched`);
  return source;
}

/** Stores the lines one by one; with restarts, each by a new writer without memory. */
async function record(lines: readonly RealLine[], { cluster, restarts }: { cluster: string; restarts: boolean }) {
  await addCluster(pool, cluster);
  const create = () => ({
    Rollout: createRolloutWriter(sourceOf(cluster, "Rollout")),
    ReplicaSet: createReplicaSetWriter(sourceOf(cluster, "ReplicaSet")),
  });
  let writers = create();
  for (const line of lines) {
    if (restarts) writers = create();
    const writer = writers[line.object.kind === "Rollout" ? "Rollout" : "ReplicaSet"];
    const { poison, committed } = await inTransaction(pool, (tx) => writer.write(tx, [toEntry(cluster, line)]));
    expect(poison).toEqual([]);
    committed();
  }
}

async function derivedOf(cluster: string) {
  const releases = await owner.query<{ text: string }>(
    `SELECT concat_ws(' ', run_key || '#' || attempt, 'r' || l.revision, l.images, l.state) AS text
       FROM release l JOIN rollout r ON r.id = l.rollout_id WHERE r.cluster = $1 ORDER BY l.started_at`,
    [cluster],
  );
  const begun = await owner.query<{ text: string }>(
    `SELECT e.text FROM timeline_event e JOIN rollout r ON r.id = e.rollout_id
      WHERE r.cluster = $1 AND e.kind = 'revision' ORDER BY e.at`,
    [cluster],
  );
  return { releases: releases.rows.map(({ text }) => text), begun: begun.rows.map(({ text }) => text) };
}

const wanted = {
  releases: [
    '6db45559d8#1 r2 ["app:2"] superseded',
    '784c8f5f55#1 r3 ["app:3"] aborted',
    '784c8f5f55#2 r3 ["app:3"] superseded',
    '6db45559d8#2 r4 ["app:2"] superseded',
    '798f99d86b#1 r5 ["app:4"] progressing',
  ],
  begun: ["Revision 3 begins: app:3", "Revision 4 begins: app:2", "Revision 5 begins: app:4"],
};

describe("the releases of a rollout whose revisions supersede each other, as its controller wrote it", () => {
  it.each([
    { name: "in the order of arrival", lines: story, restarts: false },
    { name: "with a restart after each object", lines: story, restarts: true },
    { name: "with every ReplicaSet known before", lines: [...replicaSets, ...rollouts], restarts: false },
    { name: "with every ReplicaSet known after", lines: [...rollouts, ...replicaSets], restarts: true },
    { name: "without any ReplicaSet", lines: rollouts, restarts: false },
  ])("have their own revision and image $name", async ({ name, lines, restarts }) => {
    await record(lines, { cluster: name, restarts });
    while ((await rederiveDue(pool)) > 0);
    expect(await derivedOf(name)).toEqual(wanted);
  });

  it("are derived again when what they contradict becomes known: begun in the middle of the controller's writes", async () => {
    const cluster = "late";
    await record(rollouts.slice(rollouts.findIndex(isMixed)), { cluster, restarts: false });
    expect((await derivedOf(cluster)).releases[0]).toBe('6db45559d8#1 r3 ["app:3"] superseded');
    await record(replicaSets, { cluster, restarts: false });
    expect(await rederiveDue(pool)).toBe(1);
    expect((await derivedOf(cluster)).releases).toEqual(wanted.releases);
    // Known facts that arrive again do not make it due.
    await record(replicaSets, { cluster, restarts: true });
    expect(await rederiveDue(pool)).toBe(0);
  });

  it("are derived again where they were stored with what was known before an upgrade", async () => {
    const cluster = "upgrade";
    await record(story, { cluster, restarts: false });
    await owner.query(
      `UPDATE release SET revision = 3, images = '["app:3"]' WHERE run_key = '6db45559d8' AND attempt = 1
          AND rollout_id IN (SELECT id FROM rollout WHERE cluster = $1)`,
      [cluster],
    );
    await owner.query("UPDATE rollout SET derivation_version = 2 WHERE cluster = $1", [cluster]);
    await owner.query("UPDATE replica_set SET revisions = '[]' WHERE cluster = $1", [cluster]);
    while ((await rederiveDue(pool)) > 0);
    expect((await derivedOf(cluster)).releases).toEqual(wanted.releases);
  });

  it("stay due while the rollout goes on being recorded by a process that knows of nothing", async () => {
    const cluster = "memory";
    await addCluster(pool, cluster);
    const writer = createRolloutWriter(sourceOf(cluster, "Rollout"));
    const write = async (line: RealLine) =>
      (await inTransaction(pool, (tx) => writer.write(tx, [toEntry(cluster, line)]))).committed();
    const begin = rollouts.findIndex(isMixed);
    for (const line of rollouts.slice(begin, -5)) await write(line);
    await record(replicaSets, { cluster, restarts: false });
    for (const line of rollouts.slice(-5)) await write(line);
    const { rows } = await owner.query("SELECT derivation_version FROM rollout WHERE cluster = $1", [cluster]);
    expect(rows).toEqual([{ derivation_version: 0 }]);
    while ((await rederiveDue(pool)) > 0);
    expect((await derivedOf(cluster)).releases).toEqual(wanted.releases);
  });
});
