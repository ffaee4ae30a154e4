import type { Pool } from "pg";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkDueVerdicts } from "#lib/server/recording/upkeep/check-verdicts.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { markSettled } from "#test/mark-settled.ts";
import { type RealStream, readRealStream, realStreams } from "#test/real-streams.ts";
import { recordEntries, type WatchEvent } from "#test/record-entries.ts";
import { sharedEvaluations } from "#test/shared-evaluations.ts";
import { createTestPool } from "#test/test-pool.ts";
import { reviewFindings } from "./review-findings.ts";
import { reviewObservations } from "./review-observations.ts";

/** Records the watch streams of real controllers, each as a cluster of its own, and applies every rule to them. */

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

const kinds = ["Rollout", "Experiment", "AnalysisRun"];

/** Resolves with when the recording ended. */
async function record(stream: RealStream): Promise<Date> {
  const lines = readRealStream(stream);
  const events = lines.map(({ at, type, object }): WatchEvent => {
    const { uid, resourceVersion } = object.metadata;
    return { type, kind: object.kind, uid, resourceVersion, object, at: new Date(at) };
  });
  // In the order of the kinds, as the first lists of a recorder.
  for (const kind of kinds)
    await recordEntries(
      pool,
      stream,
      events.filter((event) => event.kind === kind),
    );
  return new Date(lines.at(-1)?.at ?? 0);
}

/** Every column: a second look must not touch a row. */
async function rowsOf(cluster: string): Promise<unknown[]> {
  return (await owner.query("SELECT * FROM finding WHERE cluster = $1 ORDER BY id", [cluster])).rows;
}

const fail = (error: unknown): never => {
  throw error;
};

async function review(now: Date): Promise<number> {
  await reviewObservations({ pool, place: { seen: 0n }, onError: fail });
  await markSettled(pool);
  return (await reviewFindings({ pool, scopes: [], maxRollouts: 1000, now, onError: fail })).reviewed;
}

/** Returns "s1-again measurements-lost closed: title", sorted. */
async function findingsOf(cluster: string): Promise<string[]> {
  const { rows } = await owner.query<{ text: string }>(
    `SELECT concat_ws(' ', name, rule, CASE WHEN closed_at IS NULL THEN severity ELSE 'closed' END) || ': ' || title AS text
       FROM finding WHERE cluster = $1 ORDER BY 1`,
    [cluster],
  );
  return rows.map(({ text }) => text);
}

/** The recordings' own scripts sent the writes with the manager `gatehouse`; this Gatehouse did not. */
const expected: Readonly<Record<RealStream, string[]>> = {
  s1: [
    "s1-abort out-of-band-act info: Abort was done outside Gatehouse with gatehouse",
    "s1-accept waiting-too-long warning: Undecided for more than 30 minutes",
    "s1-skip waiting-too-long warning: Undecided for more than 30 minutes",
  ],
  s1b: [
    "s1b-accept out-of-band-act warning: Accept and continue was done outside Gatehouse with gatehouse",
    "s1b-promote out-of-band-act warning: Promote fully was done outside Gatehouse with gatehouse",
  ],
  s3: [
    "s3-long measurements-lost warning: Step analysis of step 2: 3 were taken again",
    "s3-nan waiting-too-long warning: Undecided for more than 30 minutes",
    "s3-retain measurements-lost warning: Step analysis of step 2: 3 were taken again",
    "s3-twice out-of-band-act info: Abort was done outside Gatehouse with gatehouse",
    "s3-twice out-of-band-act warning: Skip this step was done outside Gatehouse with gatehouse",
  ],
  s4: [],
  s5: [],
  s6: [
    "s6-acts changed-mid-release closed: Revision 3 was replaced at step 2 of 6, before it was decided",
    "s6-acts changed-mid-release closed: Revision 4 was replaced at step 2 of 6, before it was decided",
    "s6-acts changed-mid-release closed: Revision 4 was replaced at step 6 of 6, before it was decided",
    // Later releases came after these two.
    "s6-acts out-of-band-act closed: Abort was done outside Gatehouse with gatehouse",
    "s6-acts out-of-band-act closed: Skip all steps was done outside Gatehouse with gatehouse",
    "s6-acts out-of-band-act info: Roll back to a revision was done outside Gatehouse with gatehouse",
    "s6-acts out-of-band-act warning: Promote fully was done outside Gatehouse with gatehouse",
    "s6-work out-of-band-act info: Roll back to a revision was done outside Gatehouse",
  ],
  // Its rollout is deleted at the end.
  outside: [
    "outside-a changed-mid-release closed: Revision 7 was replaced after its last step, before it was decided",
    "outside-a out-of-band-act closed: Abort was done outside Gatehouse with kubectl-argo-rollouts",
    "outside-a out-of-band-act closed: Promote fully was done outside Gatehouse with kubectl-argo-rollouts",
    "outside-a out-of-band-act closed: Roll back to a revision was done outside Gatehouse with kubectl-argo-rollouts",
    "outside-a out-of-band-act closed: Roll back to a revision was done outside Gatehouse with kubectl-argo-rollouts",
    "outside-a out-of-band-act closed: Roll back to a revision was done outside Gatehouse with kubectl-client-side-apply",
    "outside-a out-of-band-act closed: Roll back to a revision was done outside Gatehouse with kubectl-client-side-apply",
    "outside-a out-of-band-act closed: Skip all steps was done outside Gatehouse with kubectl-argo-rollouts",
    "outside-a out-of-band-act closed: Skip this step was done outside Gatehouse with kubectl-argo-rollouts",
    "outside-a out-of-band-act closed: Skip this step was done outside Gatehouse with kubectl-patch",
    "outside-a out-of-band-act closed: Skip this step was done outside Gatehouse with kubectl-patch",
  ],
  "background-inconclusive/bg2-gate0": [
    "bg2-gate0 inconclusive-ignored critical: The controller skipped the gate at step 3 although the background analysis was Inconclusive",
    "bg2-gate0 waiting-too-long warning: Undecided for more than 30 minutes",
  ],
  "background-inconclusive/bg2-inline": [
    "bg2-inline inconclusive-ignored critical: The controller skipped the gate at step 4 although the background analysis was Inconclusive",
    "bg2-inline out-of-band-act warning: Override and continue was done outside Gatehouse",
  ],
  "background-inconclusive/bg4": [
    "bg4 inconclusive-ignored critical: The controller skipped the gate at step 3 although the background analysis was Inconclusive",
    "bg4 out-of-band-act warning: Accept and continue was done outside Gatehouse with gatehouse",
  ],
  "background-inconclusive/s2-timed": [
    "s2-timed out-of-band-act warning: Override and continue was done outside Gatehouse",
    "s2-timed out-of-band-act warning: Override and continue was done outside Gatehouse",
  ],
  "background-inconclusive/v193": [
    "v193-both inconclusive-ignored critical: The controller skipped the gate at step 3 although the background analysis was Inconclusive",
    "v193-both out-of-band-act warning: Accept and continue was done outside Gatehouse with gatehouse",
    "v193-gate0 inconclusive-ignored critical: The controller skipped the gate at step 3 although the background analysis was Inconclusive",
  ],
};

describe("what the rules find in the recordings of real controllers", () => {
  it.each(realStreams)("%s: exactly this, however often they look", async (stream) => {
    const end = await record(stream);
    while (
      (await checkDueVerdicts({ pool, evaluations: sharedEvaluations(), log: pino({ level: "silent" }) })).stored > 0
    );
    await review(end);
    expect(await findingsOf(stream)).toEqual(expected[stream]);
    const before = await rowsOf(stream);
    await owner.query("UPDATE rollout_review SET changes = changes + 1, rules = ''");
    await review(end);
    expect(await rowsOf(stream)).toEqual(before);
  });
});
