import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { AnalysisRunDetail } from "#lib/contract/analysis-run.ts";
import { connectRecorded, type Recorded } from "#test/recorded.ts";
import { startTestWeb, type TestWeb } from "#test/web-runtime.ts";
import * as runRoute from "./[uid]/route.ts";

let web: TestWeb;
let recorded: Recorded;
beforeAll(async () => {
  web = await startTestWeb();
  recorded = await connectRecorded(web.database.recorderUrl);
});
afterAll(async () => {
  await recorded.close();
  await web.close();
});

const start = new Date("2026-03-01T10:00:00Z");
const after = (seconds: number) => new Date(start.getTime() + seconds * 1_000);

async function addEvent(rolloutId: string, at: Date, kind: string, text: string) {
  await recorded.client.query(
    "INSERT INTO timeline_event (id, rollout_id, at, kind, text) VALUES ($1, $2, $3, $4, $5)",
    [randomUUID(), rolloutId, at, kind, text],
  );
}

async function addAction(rollout: { id: string; namespace: string; name: string }, at: Date, state: string) {
  await web.runtime.pool.query(
    `INSERT INTO action (id, rollout_id, cluster, namespace, kind, name, action, state, actor_key, actor_name, view_digest,
       request_hash, request_id, requested_at)
     VALUES ($1, $2, 'demo', $3, 'Rollout', $4, 'pause', $5, 'x', $6, 'd', 'h', 'r', $7)`,
    [randomUUID(), rollout.id, rollout.namespace, rollout.name, state, `who-${state}`, at],
  );
}

async function readMarks(uid: string) {
  const response = await runRoute.GET(web.request(`/api/v1/analysis-runs/${uid}`, { as: "viewer" }), {
    params: Promise.resolve({ uid }),
  });
  return AnalysisRunDetail.parse(await response.json()).marks;
}

it("marks what happened to the rollout during the run, and nothing else", async () => {
  const rollout = await recorded.addRollout();
  const other = await recorded.addRollout();
  const { uid } = await recorded.addRun({ rolloutId: rollout.id, createdAt: start });
  await recorded.client.query("UPDATE analysis_run SET completed_at = $1 WHERE uid = $2", [after(60), uid]);
  await addEvent(rollout.id, after(-30), "step", "long before");
  await addEvent(rollout.id, after(-0.5), "step", "what started it");
  await addEvent(rollout.id, after(10), "phase", "only a phase");
  await addEvent(rollout.id, after(30), "abort", "aborted");
  await addEvent(rollout.id, after(20), "pause", "paused");
  await addEvent(rollout.id, after(90), "step", "long after");
  await addEvent(other.id, after(20), "step", "of another rollout");
  await addAction(rollout, after(15), "effective");
  await addAction(rollout, after(16), "refused");
  const marks = await readMarks(uid);
  expect(marks.map(({ kind, text }) => `${kind}: ${text}`)).toEqual([
    "step: what started it",
    "person: who-effective paused it",
    "pause: paused",
    "abort: aborted",
  ]);
});

it("has no marks for a run that has not started", async () => {
  const rollout = await recorded.addRollout();
  const { uid } = await recorded.addRun({ rolloutId: rollout.id, createdAt: start });
  await recorded.client.query("UPDATE analysis_run SET started_at = NULL WHERE uid = $1", [uid]);
  await addEvent(rollout.id, after(1), "step", "a step");
  expect(await readMarks(uid)).toEqual([]);
});
