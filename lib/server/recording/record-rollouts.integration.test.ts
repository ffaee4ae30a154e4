import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createRecorderPool } from "#lib/server/recording/store/recorder-pool.ts";
import { rederive } from "#lib/server/recording/upkeep/rederive.ts";
import { at, rolloutStatus, sampleRollout } from "#test/recorder-samples.ts";
import { createRecorderWorld, type RecorderWorld, waitFor } from "#test/recorder-world.ts";

let world: RecorderWorld;
beforeAll(async () => {
  world = await createRecorderWorld();
});
afterEach(() => world.stopAll());
afterAll(() => world.close());

type Step = { status: Record<string, unknown>; image?: string; revision: string };

const atStable = { currentPodHash: "aaa", stableRS: "aaa", phase: "Healthy", message: "", currentStepIndex: 3 };
const pauseAt = { reason: "CanaryPauseStep", startTime: at(0) };

/** States that a controller would write while revision 2 is rolled out, aborted, retried and promoted. */
const passage: Step[] = [
  { status: atStable, revision: "1" },
  {
    status: { ...atStable, currentPodHash: "bbb", phase: "Progressing", message: "m", currentStepIndex: 0 },
    image: "shop:2",
    revision: "2",
  },
  {
    status: {
      ...atStable,
      currentPodHash: "bbb",
      phase: "Paused",
      message: "CanaryPauseStep",
      currentStepIndex: 1,
      pauseConditions: [pauseAt],
      controllerPause: true,
    },
    revision: "2",
  },
  {
    status: {
      ...atStable,
      currentPodHash: "bbb",
      phase: "Degraded",
      message: "RolloutAborted: x",
      abort: true,
      abortedAt: at(9),
      currentStepIndex: 0,
    },
    revision: "2",
  },
  {
    status: { ...atStable, currentPodHash: "bbb", phase: "Progressing", message: "m", currentStepIndex: 0 },
    revision: "2",
  },
  { status: { ...atStable, currentPodHash: "bbb", stableRS: "bbb" }, revision: "2" },
];

function play(name: string, steps: readonly Step[]): string {
  const { store } = world.sandbox;
  const uid = store.create("rollouts", sampleRollout({ name }), { manager: "kubectl" }).metadata.uid;
  playOn(name, steps);
  return uid;
}

function playOn(name: string, steps: readonly Step[]): void {
  const { store } = world.sandbox;
  for (const step of steps) {
    let current = store.get("rollouts", "shop", name);
    if (current === undefined) throw new Error("the rollout is gone");
    const annotations = { "rollout.argoproj.io/revision": step.revision };
    const image = step.image;
    const spec = image === undefined ? current.spec : sampleRollout({ name, image }).spec;
    current = store.update(
      "rollouts",
      {
        ...current,
        metadata: { ...current.metadata, annotations },
        ...(spec ? { spec: spec as Record<string, unknown> } : {}),
      },
      { manager: "kubectl" },
    );
    const status = rolloutStatus({ ...step.status, observedGeneration: String(current.metadata.generation) });
    store.update("rollouts", { ...current, status }, { manager: "rollouts-controller", subresource: "status" });
  }
}

describe("rollouts", () => {
  it("whose release ends: what was decided about it is over, also by a clock behind the database's", async () => {
    await world.start();
    const uid = play("decided", passage.slice(0, 3));
    const find = (phase: string) => async () =>
      (await world.query<{ id: string }>("SELECT id FROM rollout WHERE uid = $1 AND phase = $2", [uid, phase]))[0];
    const { id } = await waitFor("the pause", find("Paused"));
    await world.query(
      `WITH made AS (
         INSERT INTO action (id, rollout_id, cluster, namespace, kind, name, action, state, actor_key, actor_name,
           view_digest, request_hash, request_id)
         SELECT gen_random_uuid(), id, cluster, namespace, kind, name, 'x', 'effective', 'x', 'x', '', '', '' FROM rollout
          WHERE id = $1 RETURNING id)
       INSERT INTO gate_decision (id, rollout_id, cluster, namespace, kind, name, uid, gate, verdict, bound, actor_name, reason, decided_at)
       SELECT made.id, r.id, cluster, namespace, kind, name, uid, 'confirm-promotion', 'hold', '{}', 'oncall', 'wait',
              clock_timestamp() + interval '1 hour' FROM rollout r, made WHERE r.id = $1`,
      [id],
    );
    const readVoided = () =>
      world.query("SELECT voided_at IS NOT NULL AS voided FROM gate_decision WHERE rollout_id = $1", [id]);
    playOn("decided", [{ ...(passage[2] as Step), status: { ...passage[2]?.status, message: "still paused" } }]);
    await waitFor("another change within the release", async () => {
      const sql = "SELECT 1 FROM rollout WHERE id = $1 AND object -> 'status' ->> 'message' = 'still paused'";
      return (await world.query(sql, [id])).length > 0;
    });
    expect(await readVoided()).toEqual([{ voided: false }]);
    playOn("decided", passage.slice(3));
    await waitFor("the promotion", find("Healthy"));
    expect(await readVoided()).toEqual([{ voided: true }]);
  });

  it("stores each change in order, and derives releases and timeline that can be derived again", async () => {
    await world.start();
    const uid = play("passage", passage);
    const rows = await waitFor("the promotion", async () => {
      const found = await world.query<{ id: string }>(
        "SELECT id FROM rollout WHERE uid = $1 AND phase = 'Healthy' AND revision_key = 'bbb'",
        [uid],
      );
      return found.length > 0 ? found : undefined;
    });
    const id = rows[0]?.id ?? "";
    const read = async () => ({
      releases: await world.query(
        "SELECT id, run_key, attempt, revision, state, images, started_at, ended_at, message FROM release WHERE rollout_id = $1 ORDER BY started_at, attempt",
        [id],
      ),
      events: await world.query(
        "SELECT id, at, ord, kind, text, phase, run_name FROM timeline_event WHERE rollout_id = $1 ORDER BY at, ord",
        [id],
      ),
    });
    const recorded = await read();
    expect(
      recorded.releases.map(({ run_key, attempt, revision, state, images }) => ({
        run_key,
        attempt,
        revision,
        state,
        images,
      })),
    ).toEqual([
      { run_key: "aaa", attempt: 1, revision: 1, state: "promoted", images: ["shop:1"] },
      { run_key: "bbb", attempt: 1, revision: 2, state: "aborted", images: ["shop:2"] },
      { run_key: "bbb", attempt: 2, revision: 2, state: "promoted", images: ["shop:2"] },
    ]);
    const kinds = recorded.events.map((event) => event.kind);
    for (const kind of ["revision", "step", "pause", "abort", "retry"]) expect(kinds).toContain(kind);
    const pool = createRecorderPool({ url: world.database.recorderUrl, onError: () => {} });
    await world.query("UPDATE release SET state = 'unknown' WHERE rollout_id = $1", [id]);
    await rederive(pool, id);
    await pool.end();
    expect(await read()).toEqual(recorded);
    const writers = await world.query("SELECT DISTINCT writer FROM observation WHERE rollout_id = $1 ORDER BY writer", [
      id,
    ]);
    // Within one second, managedFields may not identify the writer: it is null then.
    expect(writers.map((each) => each.writer).filter((writer) => writer !== null)).toEqual([
      "kubectl",
      "rollouts-controller",
    ]);
  });

  it("continues a release over a restart as if there had been none", async () => {
    const first = await world.start();
    const uid = play("restart", passage.slice(0, 4));
    await waitFor(
      "the abort",
      async () => (await world.query("SELECT 1 FROM rollout WHERE uid = $1 AND phase = 'Degraded'", [uid])).length > 0,
    );
    await first.stop();
    await world.start();
    const { store } = world.sandbox;
    const current = store.get("rollouts", "shop", "restart");
    if (current === undefined) throw new Error("the rollout is gone");
    const status = { ...current.status, ...passage[4]?.status, abort: false };
    store.update("rollouts", { ...current, status }, { manager: "rollouts-controller", subresource: "status" });
    const releases = await waitFor("the retry", async () => {
      const rows = await world.query(
        "SELECT run_key, attempt, state FROM release JOIN rollout ON rollout.id = rollout_id WHERE uid = $1 ORDER BY started_at, attempt",
        [uid],
      );
      return rows.length === 3 ? rows : undefined;
    });
    expect(releases).toEqual([
      { run_key: "aaa", attempt: 1, state: "promoted" },
      { run_key: "bbb", attempt: 1, state: "aborted" },
      { run_key: "bbb", attempt: 2, state: "progressing" },
    ]);
  });

  it("leaves the time of the last change alone when a restart sees the same version again", async () => {
    const first = await world.start();
    const uid = play("unchanged", passage.slice(0, 2));
    const version = world.sandbox.store.get("rollouts", "shop", "unchanged")?.metadata.resourceVersion;
    const readTimes = () =>
      world.query("SELECT updated_at FROM rollout WHERE uid = $1 AND resource_version = $2", [uid, version]);
    const before = await waitFor("the newest version", async () => {
      const rows = await readTimes();
      return rows.length === 1 ? rows : undefined;
    });
    await first.stop();
    // Live again only after a whole list, which brings the same version once more.
    await world.start();
    expect(await readTimes()).toEqual(before);
  });

  it("computes images and weight again when ReplicaSets change", async () => {
    await world.start();
    const { store } = world.sandbox;
    const uid = play("weights", passage.slice(0, 3));
    const replicaSet = (hash: string, image: string, available: number) => ({
      apiVersion: "apps/v1",
      kind: "ReplicaSet",
      metadata: {
        name: `weights-${hash}`,
        namespace: "shop",
        labels: { "rollouts-pod-template-hash": hash },
        ownerReferences: [
          { apiVersion: "argoproj.io/v1alpha1", kind: "Rollout", name: "weights", uid, controller: true },
        ],
      },
      spec: { replicas: available, template: { spec: { containers: [{ name: "app", image }] } } },
    });
    for (const [hash, image] of [
      ["aaa", "shop:1"],
      ["bbb", "shop:2"],
    ] as const) {
      const made = store.create("replicasets", replicaSet(hash, image, 1), { manager: "rollouts-controller" });
      store.update(
        "replicasets",
        { ...made, status: { replicas: 1, readyReplicas: 1, availableReplicas: 1 } },
        { manager: "kubelet", subresource: "status" },
      );
    }
    const row = await waitFor("the images", async () => {
      const [found] = await world.query("SELECT images, weight_set, weight_actual FROM rollout WHERE uid = $1", [uid]);
      return found?.weight_actual === 50 ? found : undefined;
    });
    expect(row).toMatchObject({
      weight_set: 20,
      images: [
        { image: "shop:1", tags: ["stable"] },
        { image: "shop:2", tags: ["canary"] },
      ],
    });
  });
});
