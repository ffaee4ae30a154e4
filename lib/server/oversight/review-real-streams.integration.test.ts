import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseEntryText } from "#lib/domain/audit/audit-entry.ts";
import { formatAuditSentence, joinSentence } from "#lib/domain/audit/audit-sentence.ts";
import { sourcesOf } from "#lib/server/clusters/sources/watched-resources.ts";
import { inTransaction } from "#lib/server/platform/db/in-transaction.ts";
import { createRolloutWriter } from "#lib/server/recording/kinds/write-rollouts.ts";
import type { ObjectEntry } from "#lib/server/recording/store/batch-types.ts";
import { addCluster } from "#test/add-cluster.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { plainEntries } from "#test/plain-entries.ts";
import { rolloutsOf } from "#test/real-observations.ts";
import { type RealObject, type RealStream, readRealStream, realStreams, statesOf } from "#test/real-streams.ts";
import { createTestPool } from "#test/test-pool.ts";
import { reviewObservations } from "./review-observations.ts";

/**
 * Runs the recordings of real controllers through the recorder's writer, and checks which outside changes are found.
 */

let database: TestDatabase;
let pool: Pool;
let owner: Pool;
beforeAll(async () => {
  database = await createTestDatabase();
  pool = createTestPool(database.recorderUrl, 2);
  owner = createTestPool(database.ownerUrl, 2);
});
afterAll(async () => {
  await Promise.all([pool.end(), owner.end()]);
  await database.drop();
});

const review = () =>
  reviewObservations({
    pool,
    place: { seen: 0n },
    onError: (error) => {
      throw error;
    },
  });

function sourceOf(cluster: string) {
  const source = sourcesOf({ name: cluster }).find(({ kind }) => kind === "Rollout");
  if (source === undefined) throw new Error("rollouts are not watched");
  return source;
}

type Recording = { cluster?: string; isSeen?: (object: RealObject) => boolean };

/** Records each stream as a cluster of its own. Lines that `isSeen` rejects came and went while no recorder ran. */
async function record(stream: RealStream, { cluster = stream, isSeen = () => true }: Recording = {}): Promise<void> {
  await addCluster(pool, cluster);
  const writer = createRolloutWriter(sourceOf(cluster));
  const lines = readRealStream(stream);
  const times = new Map(lines.map(({ at, object }) => [object.metadata.resourceVersion, at]));
  const entries = rolloutsOf(stream)
    .flatMap((name) => statesOf(lines, "Rollout", name))
    .filter(isSeen)
    .map((object): ObjectEntry => {
      const { uid, resourceVersion } = object.metadata;
      return { op: "upsert", uid, resourceVersion, object, receivedAt: new Date(times.get(resourceVersion) ?? 0) };
    });
  await inTransaction(pool, async (tx) => {
    const { poison, committed } = await writer.write(tx, entries);
    expect(poison).toEqual([]);
    committed();
  });
}

/** Returns "s1-abort: gatehouse, outside Gatehouse, aborted it ...", in order. */
async function sentences(cluster: string): Promise<string[]> {
  const { rows } = await owner.query<{ entry: string }>(
    "SELECT entry FROM audit_entry WHERE cluster = $1 AND source = 'cluster' ORDER BY seq",
    [cluster],
  );
  return rows.map((row) => {
    const entry = parseEntryText(row.entry);
    if (entry === undefined) throw new Error("no entry");
    const { target } = entry;
    return `${target?.name}: ${joinSentence(formatAuditSentence({ ...entry, target: { name: "it" } }))}`;
  });
}

/** Writes with Gatehouse's manager were sent by the recording's own scripts: none of our actions explains them here. */
const ours = "gatehouse, outside Gatehouse,";
const plugin = "kubectl-argo-rollouts, outside Gatehouse,";
const manifest = "kubectl-client-side-apply, outside Gatehouse,";
const nobody = "Client unknown, outside Gatehouse,";
const at = (weight: number): string => ` with the weight set to ${weight} %`;
const skipped = (step: number, run: string): string =>
  `Argo Rollouts controller skipped the gate at step ${step} of it: background analysis ${run} Inconclusive`;

const expected: Readonly<Record<RealStream, string[]>> = {
  s1: [
    `s1-abort: ${ours} aborted it${at(25)}`,
    `s1-abort: ${ours} retried it`,
    `s1-again: ${nobody} started a new measurement of it${at(25)}`,
  ],
  s1b: [
    `s1b-accept: ${ours} accepted the step's result and continued it${at(25)}`,
    `s1b-promote: ${ours} fully promoted it${at(25)}`,
  ],
  s3: [`s3-twice: ${ours} skipped step 1 of it`, `s3-twice: ${ours} aborted it`],
  s4: [
    `s4-manual: ${nobody} continued it`,
    `s4-preinc: ${nobody} started a new measurement of it`,
    `s4-preinc: ${nobody} continued it`,
    `s4-postinc: ${nobody} started a new measurement of it`,
    `s4-preincauto: ${nobody} started a new measurement of it`,
  ],
  s5: [`s5-inc: ${nobody} started a new measurement of it${at(25)}`],
  s6: [
    `s6-acts: ${ours} paused it${at(25)}`,
    `s6-acts: ${ours} unpaused it${at(25)}`,
    `s6-acts: ${nobody} continued it${at(25)}`,
    `s6-acts: ${ours} paused it${at(50)}`,
    `s6-acts: ${ours} unpaused it${at(50)}`,
    `s6-acts: ${nobody} continued it${at(50)}`,
    `s6-acts: ${ours} restarted it`,
    `s6-acts: ${ours} aborted it${at(25)}`,
    `s6-acts: ${ours} retried it`,
    `s6-acts: ${ours} rolled it back to revision 2 (app:2)`,
    `s6-acts: ${ours} skipped steps 2 to 6, all that were left, of it`,
    `s6-acts: ${ours} fully promoted it${at(25)}`,
    `s6-restart: ${ours} restarted it`,
    `s6-work: ${nobody} rolled it back to revision 1`,
  ],
  outside: [
    `outside-a: ${nobody} continued it${at(25)}`,
    "outside-a: kubectl-patch, outside Gatehouse, skipped steps 4 and 5 of it",
    `outside-a: ${plugin} fully promoted it${at(75)}`,
    "outside-a: kubectl-patch, outside Gatehouse, skipped steps 2 and 3 of it",
    `outside-a: ${plugin} aborted it${at(50)}`,
    `outside-a: ${plugin} retried it`,
    `outside-a: ${plugin} restarted it`,
    `outside-a: ${plugin} rolled it back to revision 2 (app:2)`,
    `outside-a: ${plugin} rolled it back to revision 1 (app:1)`,
    `outside-a: ${manifest} rolled it back to revision 4 (app:2)`,
    `outside-a: ${plugin} skipped step 2 of it`,
    `outside-a: ${plugin} skipped steps 3 to 6, all that were left, of it`,
    `outside-a: ${manifest} rolled it back to revision 5 (app:1)`,
  ],
  "background-inconclusive/bg2-gate0": [`bg2-gate0: ${skipped(3, "bg2-gate0-65dd79cfdf-2")}`],
  "background-inconclusive/bg2-inline": [
    `bg2-inline: ${nobody} overrode the analysis and continued it${at(50)}`,
    `bg2-inline: ${skipped(4, "bg2-inline-79fbd68fc5-2.1")}`,
  ],
  "background-inconclusive/bg4": [
    `bg4: ${ours} accepted the step's result and continued it${at(25)}`,
    `bg4: ${skipped(3, "bg4-658bbc785b-2")}`,
  ],
  "background-inconclusive/s2-timed": [
    `s2-timed: ${nobody} overrode the analysis and continued it${at(50)}`,
    `s2-timed: ${nobody} overrode the analysis and continued it${at(50)}`,
  ],
  "background-inconclusive/v193": [
    `v193-both: ${ours} accepted the step's result and continued it${at(25)}`,
    `v193-both: ${skipped(3, "v193-both-6444c65cdb-2")}`,
    `v193-gate0: ${skipped(3, "v193-gate0-7b86b8ffd9-2")}`,
  ],
};

describe("what is found from outside in the recordings of real controllers", () => {
  it.each(realStreams)("%s: what somebody did, and nothing that nobody did", async (stream) => {
    await record(stream);
    await review();
    expect((await sentences(stream)).toSorted()).toEqual(expected[stream].toSorted());
    expect(await review()).toEqual({ found: 0 });
  });
});

const gate0 = "background-inconclusive/bg2-gate0";
const isAtGate = ({ status }: RealObject): boolean => status?.currentStepIndex === 2;

async function stateOf(cluster: string) {
  const { rows } = await owner.query<{ id: string; attention: string; severity: string; texts: string[] }>(
    `SELECT id, attention_reason AS attention, attention_severity AS severity,
       ARRAY(SELECT text FROM timeline_event e WHERE e.rollout_id = r.id AND text LIKE 'Gate%') AS texts
     FROM rollout r WHERE cluster = $1`,
    [cluster],
  );
  return rows[0];
}

describe("a gate that the controller skipped", () => {
  it("is on the timeline, needs attention, and has one entry, whatever stops in between", async () => {
    const cluster = "once";
    await record(gate0, { cluster });
    const state = await stateOf(cluster);
    expect(state).toMatchObject({
      // The Inconclusive run waits for a person too, and takes precedence.
      attention: "inconclusive",
      texts: ["Gate at step 3 skipped by the controller: background analysis Inconclusive"],
    });
    await review();
    await owner.query("DELETE FROM rollout_review");
    await review();
    expect(await sentences(cluster)).toEqual(expected[gate0]);
    const { rows } = await owner.query(
      `SELECT a.code, a.source, a.outcome, a.action, a.entry::jsonb -> 'detail' ->> 'steps' AS steps
         FROM unasked_change u JOIN audit_entry a ON a.seq = u.audit_seq WHERE u.rollout_id = $1`,
      [state?.id],
    );
    expect(rows).toEqual([{ code: "gate.skipped", source: "cluster", outcome: "applied", action: null, steps: "[3]" }]);
  });

  it("is found although no recorder saw the rollout stand there", async () => {
    const cluster = "away";
    await record(gate0, { cluster, isSeen: (object) => !isAtGate(object) });
    await review();
    expect(await sentences(cluster)).toEqual(expected[gate0]);
    expect((await stateOf(cluster))?.texts).toHaveLength(1);
  });

  it("needs attention after the run was waived, until the release ends", async () => {
    const cluster = "waived";
    await record(gate0, { cluster });
    const last = statesOf(readRealStream(gate0), "Rollout", "bg2-gate0").at(-1);
    const id = (await stateOf(cluster))?.id;
    const change = async (version: number, status: Record<string, unknown>): Promise<void> => {
      const writer = createRolloutWriter(sourceOf(cluster));
      const metadata = { ...last?.metadata, resourceVersion: String(1_000_000 + version) };
      const object = { ...last, metadata, status: { ...last?.status, ...status } };
      const { uid = "", resourceVersion } = { ...last?.metadata, resourceVersion: metadata.resourceVersion };
      await inTransaction(pool, async (tx) => {
        await writer.write(tx, [{ op: "upsert", uid, resourceVersion, object, receivedAt: new Date() }]);
      });
    };
    const canary = { currentBackgroundAnalysisRunStatus: { name: "bg2-gate0-65dd79cfdf-2.1", status: "Running" } };
    await change(1, { canary, pauseConditions: null, controllerPause: false, phase: "Progressing", message: "" });
    expect(await stateOf(cluster)).toMatchObject({ id, attention: "finding", severity: "warning" });
    await change(2, { pauseConditions: null, controllerPause: false, stableRS: last?.status?.currentPodHash });
    expect(await stateOf(cluster)).toMatchObject({ id, attention: null });
  });

  it.each([
    { of: "this update", isKnown: true },
    { of: "another update", isKnown: false },
  ])("a person let it be passed through Gatehouse in $of, and was told before the click", async ({ of, isKnown }) => {
    const cluster = `told-${of.split(" ")[0]}`;
    await record(gate0, {
      cluster,
      isSeen: ({ status }) => Number(status?.currentStepIndex ?? 0) !== 2 && !isPast(status),
    });
    const id = (await stateOf(cluster))?.id;
    const hash = statesOf(readRealStream(gate0), "Rollout", "bg2-gate0").at(-1)?.status?.currentPodHash;
    const podHash = isKnown ? hash : "5d4f8c7b6d";
    await owner.query(
      `WITH entry AS (${plainEntries(1)})
       INSERT INTO action (id, rollout_id, cluster, namespace, kind, name, action, state, actor_key, actor_name, view_digest,
         request_hash, request_id, intent_seq, plan)
       VALUES ($1, $2, $3, 'shop', 'Rollout', 'bg2-gate0', 'accept-step', 'applied', 'k', 'oncall', 'd', 'h', 'r', 1, $4)`,
      [randomUUID(), id, cluster, JSON.stringify({ passesPauses: [2], expectedEffect: { podHash } })],
    );
    await record(gate0, { cluster });
    await review();
    expect(await sentences(cluster)).toEqual(isKnown ? [] : expected[gate0]);
    expect((await stateOf(cluster))?.texts).toHaveLength(isKnown ? 0 : 1);
  });
});

/** Returns whether the rollout's second revision is past the gate. */
function isPast(status: RealObject["status"]): boolean {
  return status?.currentStepIndex === 3;
}
