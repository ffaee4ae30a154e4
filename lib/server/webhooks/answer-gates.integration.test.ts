import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { gateNames } from "#lib/domain/delivery/gate-decision.ts";
import { inTransaction } from "#lib/server/platform/db/in-transaction.ts";
import { voidDecisions } from "#lib/server/recording/history/write-history.ts";
import type { HookOutcome } from "#test/flagger-client.ts";
import { type HookWorld, hookSourceId, type LiveCanary, startHookWorld } from "#test/hook-world.ts";

let world: HookWorld;
beforeAll(async () => {
  world = await startHookWorld();
});
afterEach(async () => {
  world.cluster.answer = undefined;
  world.cluster.asked = [];
  await world.setSource({});
});
afterAll(() => world.close());

const reported = ({ status, error, passes }: HookOutcome) =>
  passes ? `${status}` : `${status} ${(JSON.parse(error) as { reason: string }).reason}`;
const ask = async (canary: LiveCanary, type: string, payload: Record<string, unknown> = {}) =>
  reported(await world.call(canary, { type, payload }));

/** What a gate answers to each, in the order of `gateNames`. */
const askAll = (canary: LiveCanary) => Promise.all(gateNames.map((gate) => ask(canary, gate)));
const confirmed = ["confirm-rollout", "confirm-traffic-increase", "confirm-promotion"] as const;
const refused = (reason: string) => gateNames.map(() => `403 ${reason}`);

async function addDecided(status?: Record<string, unknown>): Promise<LiveCanary> {
  const canary = await world.addCanary(status);
  for (const gate of confirmed) await world.decide(canary, { gate });
  return canary;
}

const addFreeze = (id: string, namespaces: readonly string[]) =>
  world.query(
    `INSERT INTO freeze_period (id, reason, clusters, namespaces, rollouts, starts_at, ends_at, made_by, made_by_name)
     VALUES ($1, 'incident', '{*}', $2, '{*}', now(), now() + interval '1 hour', 'x', 'Oncall')`,
    [id, namespaces],
  );

describe("a gate", () => {
  it("is closed until a person has decided, and for another canary after that", async () => {
    const canary = await world.addCanary();
    const closed = ["403 not_approved", "403 not_approved", "403 not_approved", "403 no_abort_requested"];
    expect(await askAll(canary)).toEqual(closed);
    for (const gate of confirmed) await world.decide(canary, { gate });
    expect(await askAll(canary)).toEqual(["200", "200", "200", "403 no_abort_requested"]);
    expect(await askAll(await world.addCanary())).toEqual(closed);
  });

  it("answers the same as often as it is asked", async () => {
    const canary = await addDecided();
    for (let times = 0; times < 3; times += 1) expect(await ask(canary, "confirm-promotion")).toBe("200");
  });

  it("rolls back only the run that the decision is about, and closes the others", async () => {
    const canary = await addDecided();
    await world.decide(canary, { gate: "rollback" });
    expect(await askAll(canary)).toEqual([...confirmed.map(() => "403 rollback_requested"), "200"]);
    canary.object.status.lastAppliedSpec = "another";
    await world.record(canary);
    expect(await ask(canary, "rollback")).toBe("403 abort_is_for_another_run");
  });

  it("is closed by a freeze from its commit until its end, unless the approval overrode it", async () => {
    const [canary, other, overriding] = [await addDecided(), await addDecided(), await world.addCanary()];
    const freeze = randomUUID();
    for (const gate of confirmed) await world.decide(overriding, { gate, overrode: [freeze] });
    const namespaces = [canary.namespace, overriding.namespace];
    await addFreeze(freeze, namespaces);
    expect(await askAll(canary)).toEqual([...confirmed.map(() => "403 frozen"), "403 no_abort_requested"]);
    for (const free of [other, overriding])
      expect(await askAll(free)).toEqual(["200", "200", "200", "403 no_abort_requested"]);
    // A later freeze was not overridden.
    const later = randomUUID();
    await addFreeze(later, namespaces);
    expect(await ask(overriding, "confirm-promotion")).toBe("403 frozen");
    await world.decide(canary, { gate: "rollback" });
    expect(await ask(canary, "rollback")).toBe("200");
    await world.query("UPDATE freeze_period SET ends_at = now() WHERE id = ANY($1)", [[freeze, later]]);
    expect(await askAll(overriding)).toEqual(["200", "200", "200", "403 no_abort_requested"]);
  });

  it("refuses an approval that has expired, and one that was withdrawn", async () => {
    const canary = await world.addCanary();
    await world.decide(canary, { gate: "confirm-promotion", expiresInSeconds: -1 });
    expect(await ask(canary, "confirm-promotion")).toBe("403 approval_expired");
    await world.decide(canary, { gate: "confirm-promotion" });
    expect(await ask(canary, "confirm-promotion")).toBe("200");
    const { pool } = world.web.runtime;
    const voiding = { rolloutIds: [canary.rolloutId] };
    expect(await inTransaction(pool, (tx) => voidDecisions(tx, voiding))).toBe(2);
    expect(await ask(canary, "confirm-promotion")).toBe("403 not_approved");
  });

  it("refuses once somebody holds it, also when the hold has expired", async () => {
    const canary = await addDecided();
    await world.decide(canary, { gate: "confirm-promotion", verdict: "hold", expiresInSeconds: undefined });
    expect(await ask(canary, "confirm-promotion")).toBe("403 rejected");
    await world.decide(canary, { gate: "confirm-promotion", verdict: "hold", expiresInSeconds: -1 });
    expect(await ask(canary, "confirm-promotion")).toBe("403 not_approved");
    await world.decide(canary, { gate: "confirm-rollout", verdict: "hold" });
    expect(await ask(canary, "confirm-rollout")).toBe("403 rejected");
    await world.decide(canary, { gate: "confirm-rollout" });
    expect(await ask(canary, "confirm-rollout")).toBe("200");
  });

  it("forgets what was decided once the run has ended", async () => {
    const canary = await addDecided();
    await world.decide(canary, { gate: "rollback" });
    await world.query(
      `INSERT INTO release (id, rollout_id, run_key, attempt, state, message, started_at, ended_at, updated_at)
       VALUES ($1, $2, 'k', 1, 'promoted', '', now() - interval '1 hour', clock_timestamp(), now())`,
      [randomUUID(), canary.rolloutId],
    );
    // The rollback may be about a run that began before that end was seen: the recorder, which knows, voids it.
    expect(await askAll(canary)).toEqual([...confirmed.map(() => "403 not_approved"), "200"]);
    const { pool } = world.web.runtime;
    const ended = { rolloutIds: [canary.rolloutId] };
    expect(await inTransaction(pool, (tx) => voidDecisions(tx, { ...ended, keptChecksums: [canary.checksum] }))).toBe(
      3,
    );
    expect(await ask(canary, "rollback")).toBe("200");
    expect(await inTransaction(pool, (tx) => voidDecisions(tx, ended))).toBe(1);
    expect(await ask(canary, "rollback")).toBe("403 no_abort_requested");
  });

  it("refuses an approval that is bound to another checksum", async () => {
    const canary = await world.addCanary();
    const bound = { checksum: "another", upToWeight: 100 };
    await world.decide(canary, { gate: "confirm-promotion", bound });
    expect(await ask(canary, "confirm-promotion")).toBe("403 revision_changed_since_approval");
  });

  it("refuses a call that disagrees with what is watched, or that has no checksum", async () => {
    const canary = await addDecided();
    await world.decide(canary, { gate: "rollback" });
    for (const gate of gateNames) {
      expect(await ask(canary, gate, { checksum: "another" })).toBe("403 checksum_mismatch");
      expect(await ask(canary, gate, { checksum: undefined })).toBe("403 no_checksum");
      expect(await ask(canary, gate, { phase: "Dancing" })).toBe("403 unknown_phase");
    }
  });

  it("does not pass for a canary that was created again", async () => {
    const canary = await addDecided();
    await world.record(canary, { presence: "deleted" });
    expect(await askAll(canary)).toEqual(refused("unknown_canary"));
    const again = { ...canary, uid: randomUUID(), rolloutId: randomUUID() };
    again.object = { ...canary.object, metadata: { ...canary.object.metadata, uid: again.uid } };
    await world.record(again);
    const { checksum } = canary;
    expect(await ask(again, "confirm-promotion", { checksum })).toBe("403 canary_recreated");
  });

  it.each([
    ["of which nobody heard for long", { contactSecondsAgo: 3600 }],
    ["that is being read for the first time", { state: "syncing" }],
    ["that may not be read", { state: "denied" }],
    ["that contradicts itself", { state: "suspect" }],
    ["that has become another cluster", { errorCode: "other-cluster" }],
  ])("refuses with a view %s", async (_, source) => {
    const canary = await addDecided();
    await world.decide(canary, { gate: "rollback" });
    await world.setSource(source);
    expect(await askAll(canary)).toEqual(refused("cluster_view_stale"));
  });

  it("refuses for a canary whose disappearance is held, or whose newest state is in quarantine", async () => {
    const canary = await addDecided();
    const hold = `INSERT INTO source_hold (source_id, id, reason, objects) VALUES ($1, $2, 'shrink', $3)`;
    await world.query(hold, [hookSourceId, randomUUID(), JSON.stringify({ [canary.uid]: "absent" })]);
    expect(await ask(canary, "confirm-promotion")).toBe("403 cluster_view_stale");
    await world.query("DELETE FROM source_hold");
    expect(await ask(canary, "confirm-promotion")).toBe("200");
    const quarantine = "INSERT INTO quarantine (source_id, ref, reason, raw) VALUES ($1, $2, 'bad', '{}')";
    await world.query(quarantine, [hookSourceId, canary.uid]);
    expect(await ask(canary, "confirm-promotion")).toBe("403 object_unreadable");
  });

  it("refuses to go on while the config is in error, and still rolls back", async () => {
    const canary = await addDecided();
    await world.decide(await world.addCanary(), { gate: "rollback" });
    const { configStatus } = world.web.runtime;
    world.web.runtime.configStatus = () => ({ ...configStatus(), state: "error" }) as ReturnType<typeof configStatus>;
    try {
      for (const gate of confirmed) expect(await ask(canary, gate)).toBe("403 config_error");
      await world.decide(canary, { gate: "rollback" });
      expect(await ask(canary, "rollback")).toBe("200");
    } finally {
      world.web.runtime.configStatus = configStatus;
    }
  });
});

describe("a start", () => {
  it("is bound to the live pod template, and reads it at every call", async () => {
    const canary = await world.addCanary({ phase: "Waiting" });
    expect(await ask(canary, "confirm-rollout")).toBe("403 not_approved");
    expect(world.cluster.asked).toEqual([]);
    await world.decide(canary, { gate: "confirm-rollout" });
    expect(await ask(canary, "confirm-rollout")).toBe("200");
    expect(world.cluster.asked).toEqual([`/apis/apps/v1/namespaces/${canary.namespace}/deployments/podinfo`]);
    canary.template = { spec: { containers: [{ name: "app", image: "podinfo:3" }] } };
    expect(await ask(canary, "confirm-rollout")).toBe("403 revision_changed_since_approval");
  });

  const answer = { date: undefined, text: "", json: {} };
  it.each([
    ["refuses", async () => ({ ...answer, status: 403 }), "cluster_unreachable"],
    ["has no such Deployment", async () => ({ ...answer, status: 404 }), "object_unreadable"],
    [
      "answers with something else",
      async () => ({ ...answer, status: 200, json: { kind: "Status" } }),
      "object_unreadable",
    ],
    ["does not answer", () => new Promise<never>(() => {}), "timeout"],
    ["fails", () => Promise.reject(new TypeError("bug")), "store_unavailable"],
  ])("is refused while the cluster %s", async (_, cluster, reason) => {
    const canary = await addDecided({ phase: "Waiting" });
    world.cluster.answer = cluster;
    expect(await ask(canary, "confirm-rollout")).toBe(`403 ${reason}`);
  });
});

describe("a step", () => {
  it("goes as far as its approval, by the weight that the cluster has now", async () => {
    const canary = await world.addCanary({ canaryWeight: 20 });
    const bound = { checksum: canary.checksum, upToWeight: 40 };
    await world.decide(canary, { gate: "confirm-traffic-increase", bound });
    expect(await ask(canary, "confirm-traffic-increase")).toBe("200");
    canary.object.status.canaryWeight = 40;
    // What is recorded has not caught up yet.
    expect(await ask(canary, "confirm-traffic-increase")).toBe("403 step_not_approved");
    await world.record(canary);
    expect(await ask(canary, "confirm-traffic-increase")).toBe("403 step_not_approved");
  });
});

describe("a canary that tracks a Secret whose name is redacted", () => {
  it("is looked up in the cluster, once there is a decision", async () => {
    const trackedConfigs = { "secret/db-password": "0123456789abcdef" };
    const canary = await world.addCanary({ trackedConfigs });
    expect(await ask(canary, "confirm-promotion")).toBe("403 checksum_mismatch");
    expect(world.cluster.asked).toEqual([]);
    await world.decide(canary, { gate: "confirm-promotion" });
    expect(await ask(canary, "confirm-promotion")).toBe("200");
    canary.object.status.trackedConfigs = { "secret/db-password": "fedcba9876543210" };
    expect(await ask(canary, "confirm-promotion")).toBe("403 revision_changed_since_approval");
    canary.object.metadata.uid = randomUUID();
    expect(await ask(canary, "confirm-promotion")).toBe("403 canary_recreated");
  });
});
