import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { actOnMany } from "#lib/server/acting/act/act-on-many.ts";
import { requestApproval } from "#lib/server/acting/act/request-approval.ts";
import { decideApproval } from "#lib/server/acting/approvals/approvals.ts";
import { followActions } from "#lib/server/acting/follow/follow-actions.ts";
import type { Actor } from "#lib/server/platform/actor/actor.ts";
import type { Runtime } from "#lib/server/process/runtime-types.ts";
import { addWaitingCanary, type TestCanary } from "#test/acting-canary.ts";
import { type ActingWorld, actorOf, createActingWorld, failureOf } from "#test/acting-world.ts";
import { createScheduling } from "#test/schedule-world.ts";

let world: ActingWorld;
let canary: TestCanary;

beforeAll(async () => {
  world = await createActingWorld();
});
beforeEach(async () => {
  canary = await addWaitingCanary(world);
});
afterEach(() => world.setPolicies({}));
afterAll(async () => {
  expect(await world.verify()).toMatchObject({ ok: true });
  await world.close();
});

const personOf = (name: string): Actor => ({ ...actorOf("operator"), subject: name, name, username: name });
const requester = personOf("requester");
const approve = (runtime: Runtime = world.runtime) =>
  world.act({ rollout: canary, action: "approve", actor: requester, runtime });
const hold = (runtime: Runtime = world.runtime) =>
  world.act({ rollout: canary, action: "hold", actor: personOf("sre"), runtime });

/** A process that stops before its n-th entry in the audit log, until `go`. */
function stopBefore(entry: number) {
  const [stopped, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const runtime = runtimeBefore(entry, async () => {
    stopped.resolve();
    await gate.promise;
  });
  /** Resolves once it has stopped; rejects if what it does ends before. */
  const reached = (work: Promise<unknown>): Promise<void> =>
    Promise.race([stopped.promise, work.then((end) => Promise.reject(new Error(`it ended: ${JSON.stringify(end)}`)))]);
  return { runtime, reached, go: () => gate.resolve() };
}

/** Each entry takes a connection; nothing else of an action does. */
function runtimeBefore(entry: number, stop: () => Promise<void>): Runtime {
  let entries = 0;
  const { web } = world;
  const pool = {
    query: web.query.bind(web),
    connect: async () => {
      entries += 1;
      if (entries === entry) await stop();
      return web.connect();
    },
  };
  return { ...world.runtime, pool: pool as unknown as Pool };
}

/** The verdicts at its gate, in the order in which they count: the last one decides. */
async function verdicts(): Promise<string[]> {
  const { rows } = await world.owner.query("SELECT verdict FROM gate_decision WHERE rollout_id = $1 ORDER BY seq", [
    canary.id,
  ]);
  return rows.map(({ verdict }) => verdict);
}

const heldMeanwhile = { code: "not_allowed_now", message: expect.stringMatching(/^The gate was held after this/) };

describe("a hold and an approval at the same moment", () => {
  it("count in the order of their intents: an approval whose outcome comes later does not override the hold", async () => {
    const approving = stopBefore(2);
    const approved = approve(approving.runtime);
    await approving.reached(approved);
    expect(await verdicts()).toEqual(["approve"]);
    await expect(hold()).resolves.toMatchObject({ state: "applied" });
    approving.go();
    await expect(approved).resolves.toMatchObject({ state: "applied" });
    expect(await verdicts()).toEqual(["approve", "hold"]);
  });

  it("refuse the approval that was requested before the hold and comes after it", async () => {
    const approving = stopBefore(1);
    const approved = failureOf(approve(approving.runtime));
    await approving.reached(approved);
    await hold();
    approving.go();
    expect(await approved).toMatchObject(heldMeanwhile);
    expect(await verdicts()).toEqual(["hold"]);
    expect((await world.outcomesOf(canary)).at(-1)).toBe("action.approve refused");
    // Whoever decides after the hold may open the gate again.
    await expect(approve()).resolves.toMatchObject({ state: "applied" });
    expect(await verdicts()).toEqual(["hold", "approve"]);
  });

  it("let the hold count although the approval came first, also where the hold was requested before", async () => {
    const holding = stopBefore(1);
    const held = hold(holding.runtime);
    await holding.reached(held);
    await approve();
    holding.go();
    await expect(held).resolves.toMatchObject({ state: "applied" });
    expect(await verdicts()).toEqual(["approve", "hold"]);
  });
});

describe("a hold after an approval was asked for", () => {
  it("refuses the member of a group whose turn comes later, and no other", async () => {
    const other = await addWaitingCanary(world);
    // The first entry is that of the group.
    const { runtime, reached, go } = stopBefore(2);
    const members = await Promise.all(
      [canary, other].map(async ({ path, look }) => ({ ...path, expect: await look() })),
    );
    const { finished } = await actOnMany({
      ctx: { ...world.contextOf(requester), runtime },
      input: { action: "approve", reason: "looks good", members },
    });
    await reached(finished);
    await hold();
    go();
    await finished;
    expect(await verdicts()).toEqual(["hold"]);
    expect((await world.entriesOf(canary)).at(-1)).toMatchObject({
      outcome: "refused",
      detail: { problem: "not_allowed_now" },
    });
    expect(await world.outcomesOf(other)).toEqual(["action.approve intent", "action.approve applied"]);
  });

  it("refuses the requester's click after a second person's approval, which is not used up", async () => {
    world.setPolicies({ secondPerson: [{ name: "two", actions: ["approve"] }] });
    const input = { ...canary.path, action: "approve", reason: "looks good", expect: await canary.look() } as const;
    const { id, viewDigest } = await requestApproval({ ctx: world.contextOf(requester), input });
    const ctx = world.contextOf(personOf("second"));
    await decideApproval({ ctx, input: { id, decision: "approve", viewDigest } });
    await hold();
    const click = world.act({ rollout: canary, action: "approve", actor: requester, approval: id });
    expect(await failureOf(click)).toMatchObject(heldMeanwhile);
    expect(await verdicts()).toEqual(["hold"]);
    const { rows } = await world.owner.query("SELECT action_id FROM approval WHERE id = $1", [id]);
    expect(rows).toEqual([{ action_id: null }]);
  });

  it("refuses a scheduled approval, also where the hold was requested before and decided since", async () => {
    const scheduling = createScheduling(world);
    const holding = stopBefore(1);
    const held = hold(holding.runtime);
    await holding.reached(held);
    const scheduled = await scheduling.schedule({ rollout: canary, action: "approve" });
    holding.go();
    await held;
    await scheduling.makeDue(scheduled);
    await scheduling.pass();
    expect(await scheduling.rowOf(scheduled)).toMatchObject({ state: "refused" });
    expect(await verdicts()).toEqual(["hold"]);
  });
});

describe("a decision whose outcome could not be written", () => {
  const follow = async () => {
    await world.owner.query("UPDATE action SET deadline_at = now() - interval '20 s' WHERE rollout_id = $1", [
      canary.id,
    ]);
    const onError = (error: unknown) => expect.fail(String(error));
    await followActions({ pool: world.recorder, clusterFor: () => world.client, onError });
  };

  it("counts from its intent, and the recorder says so", async () => {
    const { state, id } = await approve(runtimeBefore(2, () => Promise.reject(new Error("the line is dead"))));
    expect(state).toBe("unknown");
    expect(await verdicts()).toEqual(["approve"]);
    await follow();
    expect(await world.rowOf(id)).toMatchObject({
      state: "applied",
      message: expect.stringMatching(/^Gatehouse keeps it/),
    });
    expect(await world.outcomesOf(canary)).toEqual(["action.approve intent", "action.approve applied"]);
  });

  it("has one outcome, although its process comes to life again after the recorder", async () => {
    const { runtime, reached, go } = stopBefore(2);
    const approved = approve(runtime);
    await reached(approved);
    await follow();
    go();
    await expect(approved).resolves.toMatchObject({ state: "unknown" });
    expect(await world.outcomesOf(canary)).toEqual(["action.approve intent", "action.approve applied"]);
  });

  it("was not kept if an older version wrote only the intent", async () => {
    const { id } = await approve();
    const orphan = randomUUID();
    await world.owner.query(
      `INSERT INTO action SELECT (jsonb_populate_record(a, jsonb_build_object(
         'id', $2::text, 'audit_id', $2::text, 'state', 'requested', 'outcome_seq', NULL, 'applied_at', NULL))).* FROM action a WHERE id = $1`,
      [id, orphan],
    );
    await follow();
    expect(await world.rowOf(orphan)).toMatchObject({
      ...{ state: "refused", message: "Gatehouse did not keep it: nothing was done." },
    });
  });

  it("is not said to be undone if the commit of its intent was not confirmed", async () => {
    const connect = async () => {
      const client = await world.web.connect();
      const query = client.query.bind(client) as (order: { text: string }) => Promise<unknown>;
      const losing = async (order: { text: string }) => {
        const answer = await query(order);
        if (order.text === "COMMIT") throw new Error("the line is dead");
        return answer;
      };
      return Object.assign(client, { query: losing });
    };
    const pool = { query: world.web.query.bind(world.web), connect } as unknown as Pool;
    expect(await failureOf(approve({ ...world.runtime, pool }))).toMatchObject({
      code: "audit_unavailable",
      message: expect.stringContaining("whether the decision counts is not known"),
    });
    expect(await verdicts()).toEqual(["approve"]);
  });

  it("is said to be undone if its intent was certainly not written", async () => {
    const failing = runtimeBefore(1, () => Promise.reject(new Error("the line is dead")));
    expect(await failureOf(approve(failing))).toMatchObject({
      code: "audit_unavailable",
      message: expect.stringContaining("nothing was done"),
    });
    expect(await verdicts()).toEqual([]);
  });
});
