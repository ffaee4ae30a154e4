import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { rederive, rederiveDue } from "#lib/server/recording/upkeep/rederive.ts";
import { createFailClosedWorld, type FailClosedWorld } from "#test/fail-closed/world.ts";
import { waitFor } from "#test/recorder-world.ts";

let world: FailClosedWorld;
beforeEach(async () => {
  world = await createFailClosedWorld();
});
afterEach(() => world.close());

const names = Array.from({ length: 10 }, (_, index) => `shop-${index}`);

type ReleaseRow = { name: string; state: string; message: string; hasEndedWithIt: boolean };

const readReleases = () =>
  world.query<ReleaseRow>(
    `SELECT r.name, l.state, l.message, coalesce(l.ended_at = r.gone_at, false) AS "hasEndedWithIt"
       FROM release l JOIN rollout r ON r.id = l.rollout_id ORDER BY r.name, l.started_at`,
  );

async function rederiveAll(): Promise<void> {
  const { pool, stop } = await world.start();
  for (const { id } of await world.query<{ id: string }>("SELECT id FROM rollout")) await rederive(pool, id);
  await stop();
}

/** Stores a decision about each rollout that is in force. */
async function decide(): Promise<void> {
  await world.query(
    `WITH made AS (
       INSERT INTO action (id, rollout_id, cluster, namespace, kind, name, action, state, actor_key, actor_name,
         view_digest, request_hash, request_id)
       SELECT gen_random_uuid(), id, cluster, namespace, kind, name, 'x', 'effective', 'x', 'x', '', '', '' FROM rollout
       RETURNING id, rollout_id)
     INSERT INTO gate_decision (id, rollout_id, cluster, namespace, kind, name, uid, gate, verdict, bound, actor_name, reason)
     SELECT made.id, r.id, cluster, namespace, kind, name, uid, 'confirm-promotion', 'hold', '{}', 'oncall', 'wait'
       FROM rollout r JOIN made ON made.rollout_id = r.id`,
  );
}

const namesInForce = async (): Promise<string[]> =>
  (await world.query<{ name: string }>("SELECT name FROM gate_decision WHERE voided_at IS NULL ORDER BY name")).map(
    ({ name }) => name,
  );

describe("a rollout that goes halfway", () => {
  it("in a burst that is held: its release ends when the deletion is believed, and so do decisions about it", async () => {
    for (const name of names) world.addRollout(name);
    const recorder = await world.start();
    const before = await readReleases();
    expect(before.map(({ state }) => state)).toEqual(names.map(() => "paused"));
    await decide();
    for (const name of names.slice(1)) world.deleteRollout(name);
    await world.becomes("Rollout", "suspect");
    await world.becomes("Rollout", "live");
    await waitFor("the end of all nine", async () => {
      const gone = Object.values(await world.presences()).filter((presence) => presence === "deleted");
      return gone.length === 9;
    });
    const after = await readReleases();
    expect(after).toMatchObject([
      { name: "shop-0", state: "paused" },
      ...names.slice(1).map((name) => ({ name, state: "unknown", message: "the rollout was deleted" })),
    ]);
    // The last one was never stored as deleted before the burst was held.
    expect(after.at(-1)).toMatchObject({ hasEndedWithIt: true });
    expect(await namesInForce()).toEqual(["shop-0"]);
    const changed = await world.query(
      `SELECT DISTINCT name FROM change_log WHERE kind = 'release' AND ref IN (SELECT l.id::text FROM release l
         WHERE l.state = 'unknown')`,
    );
    expect(changed).toHaveLength(9);
    await recorder.stop();
    await rederiveAll();
    expect(await readReleases()).toEqual(after);
  });

  it("unseen: its release ends, and is open again once the rollout is back", async () => {
    for (const name of names) world.addRollout(name);
    const first = await world.start();
    const before = await readReleases();
    world.fault("empty", "rollouts");
    await world.relist("rollouts");
    await world.becomes("Rollout", "suspect");
    await world.becomes("Rollout", "live");
    const message = "the rollout disappeared while not observed";
    expect(await readReleases()).toEqual(
      names.map((name) => ({ name, state: "unknown", message, hasEndedWithIt: true })),
    );
    world.fault("none");
    await first.stop();
    const { pool } = await world.start();
    while ((await rederiveDue(pool)) > 0);
    expect(await readReleases()).toEqual(before);
  });
});
