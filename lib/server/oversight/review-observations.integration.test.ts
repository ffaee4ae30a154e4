import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { KubeObject } from "#sandbox/apiserver/store-types.ts";
import { plainEntries } from "#test/plain-entries.ts";
import { at, rolloutStatus, sampleRollout } from "#test/recorder-samples.ts";
import { createRecorderWorld, type RecorderWorld, waitFor } from "#test/recorder-world.ts";
import { createTestPool } from "#test/test-pool.ts";
import { reviewObservations } from "./review-observations.ts";

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

type Patch = { manager: string; subresource?: "status"; change: (object: KubeObject) => Record<string, unknown> };
const paused = {
  currentPodHash: "bbb",
  stableRS: "aaa",
  currentStepIndex: 1,
  controllerPause: true,
  pauseConditions: [{ reason: "CanaryPauseStep", startTime: at(0) }],
};
const status =
  (change: Record<string, unknown>): Patch["change"] =>
  (object) => ({ ...object, status: { ...(object.status as object), ...change } });

function write(name: string, { manager, subresource, change }: Patch): void {
  const { store } = world.sandbox;
  const object = store.get("rollouts", "shop", name);
  if (object === undefined) throw new Error(`no rollout ${name}`);
  store.update("rollouts", change(object) as KubeObject, {
    manager,
    ...(subresource === undefined ? {} : { subresource }),
  });
}

/** Records a rollout that waits at a pause step. */
async function addPaused(name: string): Promise<string> {
  world.sandbox.store.create("rollouts", sampleRollout({ name }), { manager: "kubectl" });
  write(name, {
    manager: "rollouts-controller",
    subresource: "status",
    change: () => ({ ...world.sandbox.store.get("rollouts", "shop", name), status: rolloutStatus(paused) }),
  });
  const [row] = await waitFor("the pause is recorded", async () => {
    const rows = await world.query<{ id: string }>(
      "SELECT id FROM rollout WHERE name = $1 AND object #>> '{status,controllerPause}' = 'true'",
      [name],
    );
    return rows.length > 0 && rows;
  });
  if (row === undefined) throw new Error("not recorded");
  return row.id;
}

async function observations(id: string): Promise<number> {
  const [row] = await world.query<{ count: number }>(
    "SELECT count(*)::int AS count FROM observation WHERE rollout_id = $1",
    [id],
  );
  return row?.count ?? 0;
}

async function observe(id: string, name: string, patch: Patch): Promise<void> {
  const before = await observations(id);
  write(name, patch);
  await waitFor("the change is observed", async () => (await observations(id)) > before);
}

const review = () =>
  reviewObservations({
    pool,
    place: { seen: 0n },
    onError: (error) => {
      throw error;
    },
  });

async function entriesOf(name: string): Promise<{ code: string; source: string; actor: string; outcome: string }[]> {
  return world.query(
    "SELECT code, source, actor_name AS actor, outcome FROM audit_entry WHERE name = $1 AND source = 'cluster' ORDER BY seq",
    [name],
  );
}

describe("reviewObservations", () => {
  it("writes down who aborted with another client, once", async () => {
    const id = await addPaused("aborted");
    await review();
    await observe(id, "aborted", {
      manager: "kubectl-argo-rollouts",
      subresource: "status",
      change: status({ abort: true }),
    });
    expect(await review()).toEqual({ found: 1 });
    expect(await review()).toEqual({ found: 0 });
    expect(await entriesOf("aborted")).toEqual([
      { code: "cluster.abort", source: "cluster", actor: "kubectl-argo-rollouts", outcome: "applied" },
    ]);
  });

  it("names nobody where a field was only removed", async () => {
    const id = await addPaused("continued");
    await review();
    await observe(id, "continued", {
      manager: "kubectl",
      subresource: "status",
      change: status({ pauseConditions: undefined }),
    });
    await review();
    expect(await entriesOf("continued")).toEqual([
      { code: "cluster.continue", source: "cluster", actor: "client unknown", outcome: "applied" },
    ]);
  });

  it("keeps silent of what the controller does", async () => {
    const id = await addPaused("advanced");
    await review();
    await observe(id, "advanced", {
      manager: "rollouts-controller",
      subresource: "status",
      change: status({
        abort: true,
        abortedAt: at(9),
        message: "RolloutAborted: Rollout aborted update to revision 2: metric failed",
      }),
    });
    expect(await review()).toEqual({ found: 0 });
    expect(await entriesOf("advanced")).toEqual([]);
  });

  it("keeps silent of what Gatehouse was asked for, and speaks when it comes again", async () => {
    const id = await addPaused("asked");
    await review();
    await world.query(
      `WITH entry AS (${plainEntries(1)})
       INSERT INTO action (id, rollout_id, cluster, namespace, kind, name, action, state, actor_key, actor_name, view_digest,
         request_hash, request_id, intent_seq)
       VALUES ($1, $2, 'test', 'shop', 'Rollout', 'asked', 'pause', 'applied', 'k', 'oncall', 'd', 'h', 'r', 1)`,
      [randomUUID(), id],
    );
    const setPaused =
      (value: boolean): Patch["change"] =>
      (object) => ({ ...object, spec: { ...(object.spec as object), paused: value } });
    await observe(id, "asked", { manager: "gatehouse", change: setPaused(true) });
    expect(await review()).toEqual({ found: 0 });
    await observe(id, "asked", { manager: "kubectl-edit", change: setPaused(false) });
    // Another client: a second write of the same client within a second leaves no trace.
    await observe(id, "asked", { manager: "kubectl-patch", change: setPaused(true) });
    expect(await review()).toEqual({ found: 2 });
    expect((await entriesOf("asked")).map(({ code, actor }) => `${code} ${actor}`)).toEqual([
      "cluster.unpause kubectl-edit",
      "cluster.pause kubectl-patch",
    ]);
  });

  it("takes observations in the order of their ids, whose texts sort otherwise", async () => {
    const id = await addPaused("counted");
    const deploy = async (manager: string, image: string, currentPodHash: string): Promise<void> => {
      await observe(id, "counted", {
        manager,
        change: (object) => ({ ...object, spec: sampleRollout({ name: "counted", image }).spec as object }),
      });
      await observe(id, "counted", {
        manager: "rollouts-controller",
        subresource: "status",
        change: status({ currentPodHash }),
      });
    };
    await review();
    await world.query("SELECT setval('observation_id_seq', 99997)");
    for (const version of ["2", "3", "4", "5"]) await deploy("deployer", `shop:${version}`, `hash-${version}`);
    expect(await review()).toEqual({ found: 0 });
    await deploy("pipeline", "shop:3", "hash-3");
    expect(await review()).toEqual({ found: 1 });
    expect((await entriesOf("counted")).map(({ code, actor }) => `${code} ${actor}`)).toEqual([
      "cluster.undo pipeline",
    ]);
  });

  it("writes nothing twice after it was stopped before it could note its place", async () => {
    const id = await addPaused("stopped");
    await review();
    await observe(id, "stopped", {
      manager: "kubectl",
      change: (object) => ({ ...object, spec: { ...(object.spec as object), paused: true } }),
    });
    const [before] = await world.query("SELECT observation_id, explained FROM rollout_review WHERE rollout_id = $1", [
      id,
    ]);
    expect(await review()).toEqual({ found: 1 });
    await world.query("UPDATE rollout_review SET observation_id = $2 WHERE rollout_id = $1", [
      id,
      before?.observation_id,
    ]);
    expect(await review()).toEqual({ found: 0 });
    expect(await entriesOf("stopped")).toHaveLength(1);
  });
});
