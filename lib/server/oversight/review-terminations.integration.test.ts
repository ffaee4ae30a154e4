import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sampleExperiment } from "#test/kind-samples.ts";
import { plainEntries } from "#test/plain-entries.ts";
import { rolloutStatus, sampleRollout, sampleRun } from "#test/recorder-samples.ts";
import { createRecorderWorld, type RecorderWorld, waitFor } from "#test/recorder-world.ts";
import { createTestPool } from "#test/test-pool.ts";
import { reviewTerminations } from "./review-terminations.ts";

let world: RecorderWorld;
let pool: ReturnType<typeof createTestPool>;
beforeAll(async () => {
  world = await createRecorderWorld();
  pool = createTestPool(world.database.recorderUrl, 4);
  await world.start();
});
afterAll(async () => {
  await pool.end();
  await world.close();
});

type Owner = { kind: string; name: string; uid: string };
const controller = { manager: "rollouts-controller" };

const review = () =>
  reviewTerminations({
    pool,
    onError: (error) => {
      throw error;
    },
  });

/** Terminates like `kubectl patch` and `kubectl argo rollouts terminate`. */
async function terminate(resource: "analysisruns" | "experiments", name: string, manager: string): Promise<void> {
  const path = `/apis/argoproj.io/v1alpha1/namespaces/shop/${resource}/${name}?fieldManager=${manager}`;
  const answer = await fetch(world.sandbox.url + path, {
    method: "PATCH",
    headers: { authorization: `Bearer ${world.sandbox.token}`, "content-type": "application/merge-patch+json" },
    body: JSON.stringify({ spec: { terminate: true } }),
  });
  expect(answer.status).toBe(200);
}

async function recorded(table: "rollout" | "analysis_run" | "experiment", name: string): Promise<{ id: string }> {
  const [row] = await waitFor(`${table} ${name} is recorded`, async () => {
    const id = table === "rollout" ? "id" : "uid";
    const rows = await world.query<{ id: string }>(`SELECT ${id} AS id FROM ${table} WHERE name = $1`, [name]);
    return rows.length > 0 && rows;
  });
  if (row === undefined) throw new Error("not recorded");
  return row;
}

async function addRollout(name: string): Promise<Owner & { id: string }> {
  const { store } = world.sandbox;
  store.create("rollouts", { ...sampleRollout({ name }), status: rolloutStatus() }, { manager: "kubectl" });
  const { id } = await recorded("rollout", name);
  return { kind: "Rollout", name, uid: store.get("rollouts", "shop", name)?.metadata.uid ?? "", id };
}

async function addRun(name: string, owner?: Owner): Promise<string> {
  const { kind = "", name: ownerName = "", uid = "" } = owner ?? {};
  const sample = sampleRun({ name, ...(owner === undefined ? {} : { owner: { kind, name: ownerName, uid } }) });
  world.sandbox.store.create("analysisruns", sample, controller);
  return (await recorded("analysis_run", name)).id;
}

async function seenTerminated(name: string): Promise<void> {
  await waitFor(`the end of ${name} is recorded`, async () => {
    const rows = await world.query("SELECT 1 FROM analysis_run WHERE name = $1 AND terminated", [name]);
    return rows.length > 0;
  });
}

/** Returns `client: action kind/name of target`, in order. */
async function entriesOf(target: string): Promise<string[]> {
  const rows = await world.query<{ entry: string }>(
    "SELECT entry FROM audit_entry WHERE name = $1 AND source = 'cluster' ORDER BY seq",
    [target],
  );
  return rows.map((row) => {
    const { actor, code, target: of, detail, outcome } = JSON.parse(row.entry);
    expect(actor.type).toBe("unknown");
    expect(outcome).toBe("applied");
    expect(Date.parse(detail.observedAt)).toBeGreaterThan(0);
    return `${actor.name}: ${code} ${detail.subject.kind}/${detail.subject.name} of ${of.kind}/${of.name}`;
  });
}

const queue = () => world.query("SELECT uid FROM termination");

/** Adds an action of ours that was sent. */
async function addAction(rolloutId: string, uid: string): Promise<void> {
  const subject = { kind: "AnalysisRun", uid, name: "run" };
  await world.query(
    `WITH entry AS (${plainEntries(1)})
     INSERT INTO action (id, rollout_id, cluster, namespace, kind, name, action, state, actor_key, actor_name, view_digest,
       request_hash, request_id, intent_seq, params)
     VALUES ($1, $2, 'test', 'shop', 'Rollout', 'asked', 'terminate', 'applied', 'k', 'oncall', 'd', 'h', 'r', 1, $3)`,
    [randomUUID(), rolloutId, JSON.stringify({ subject })],
  );
}

describe("reviewTerminations", () => {
  it("writes down which run of which rollout another client ended, once", async () => {
    const rollout = await addRollout("ended");
    const uid = await addRun("ended-run", rollout);
    await terminate("analysisruns", "ended-run", "kubectl-patch");
    // Later writes of the controller do not change who ended it.
    const run = world.sandbox.store.get("analysisruns", "shop", "ended-run");
    if (run === undefined) throw new Error("no run");
    world.sandbox.store.update("analysisruns", { ...run, status: { phase: "Successful" } }, controller);
    await seenTerminated("ended-run");
    expect(await review()).toEqual({ found: 1 });
    expect(await review()).toEqual({ found: 0 });
    expect(await entriesOf("ended")).toEqual([
      "kubectl-patch: cluster.terminate AnalysisRun/ended-run of Rollout/ended",
    ]);
    expect(
      await world.query("SELECT action, client, subject_uid, subject_name FROM unasked_change WHERE rollout_id = $1", [
        rollout.id,
      ]),
    ).toEqual([{ action: "terminate", client: "kubectl-patch", subject_uid: uid, subject_name: "ended-run" }]);
  });

  it("keeps silent of what the controller ends", async () => {
    await addRun("background", await addRollout("finished"));
    await terminate("analysisruns", "background", "rollouts-controller");
    await seenTerminated("background");
    expect(await review()).toEqual({ found: 0 });
    expect(await entriesOf("finished")).toEqual([]);
  });

  it("keeps silent of what a controller ends whose binary has another name", async () => {
    await addRun("renamed-run", await addRollout("renamed"));
    const run = world.sandbox.store.get("analysisruns", "shop", "renamed-run");
    if (run === undefined) throw new Error("no run");
    const status = { phase: "Running", startedAt: "2026-11-20T10:00:01Z", runSummary: { count: 7 } };
    world.sandbox.store.update("analysisruns", { ...run, status }, { manager: "rollouts-controller-193" });
    await terminate("analysisruns", "renamed-run", "rollouts-controller-193");
    await seenTerminated("renamed-run");
    expect(await review()).toEqual({ found: 0 });
    expect(await entriesOf("renamed")).toEqual([]);
  });

  it("keeps silent of what Gatehouse was asked for, and speaks where another client came first", async () => {
    const rollout = await addRollout("asked");
    for (const name of ["asked-run", "overtaken-run"]) await addAction(rollout.id, await addRun(name, rollout));
    await terminate("analysisruns", "asked-run", "gatehouse");
    await terminate("analysisruns", "overtaken-run", "kubectl-argo-rollouts");
    await seenTerminated("asked-run");
    await seenTerminated("overtaken-run");
    expect(await review()).toEqual({ found: 1 });
    expect(await entriesOf("asked")).toEqual([
      "kubectl-argo-rollouts: cluster.terminate AnalysisRun/overtaken-run of Rollout/asked",
    ]);
  });

  it("tells of an Experiment, and of a run of one that was seen after its run", async () => {
    const { id: _id, ...owner } = await addRollout("compared");
    await world.stopAll();
    const { store } = world.sandbox;
    store.create("experiments", sampleExperiment({ name: "experiment", owner }), controller);
    const uid = store.get("experiments", "shop", "experiment")?.metadata.uid ?? "";
    world.sandbox.fault({ fault: "403", resource: "experiments" });
    await world.start({ waitUntilLive: false });
    await addRun("early-run", { kind: "Experiment", name: "experiment", uid });
    await terminate("analysisruns", "early-run", "kubectl-patch");
    await seenTerminated("early-run");
    expect(await review()).toEqual({ found: 0 });
    expect(await queue()).toHaveLength(1);
    world.sandbox.fault({ fault: "none" });
    await world.stopAll();
    await world.start();
    await terminate("experiments", "experiment", "kubectl-edit");
    await waitFor("the end of the experiment is recorded", async () => (await queue()).length === 2);
    expect(await review()).toEqual({ found: 2 });
    expect(await entriesOf("compared")).toEqual([
      "kubectl-patch: cluster.terminate AnalysisRun/early-run of Rollout/compared",
      "kubectl-edit: cluster.terminate Experiment/experiment of Rollout/compared",
    ]);
    expect(await queue()).toEqual([]);
  });

  it("tells of a run that nobody owns", async () => {
    await addRun("by-hand");
    await terminate("analysisruns", "by-hand", "kubectl-patch");
    await seenTerminated("by-hand");
    expect(await review()).toEqual({ found: 1 });
    expect(await entriesOf("by-hand")).toEqual([
      "kubectl-patch: cluster.terminate AnalysisRun/by-hand of AnalysisRun/by-hand",
    ]);
  });

  it("tells of what was ended while no recorder ran, and not again after the next start", async () => {
    await addRun("unwatched-run", await addRollout("unwatched"));
    await world.stopAll();
    await terminate("analysisruns", "unwatched-run", "kubectl-patch");
    await world.start();
    await seenTerminated("unwatched-run");
    expect(await review()).toEqual({ found: 1 });
    await world.stopAll();
    await world.start();
    expect(await queue()).toEqual([]);
    expect(await entriesOf("unwatched")).toEqual([
      "kubectl-patch: cluster.terminate AnalysisRun/unwatched-run of Rollout/unwatched",
    ]);
  });
});
