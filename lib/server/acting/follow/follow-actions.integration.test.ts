import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { followActions } from "#lib/server/acting/follow/follow-actions.ts";
import { ClusterUnreachableError } from "#lib/server/clusters/kubernetes/cluster-errors.ts";
import { type ActingWorld, createActingWorld, type TestRollout } from "#test/acting-world.ts";

let world: ActingWorld;

beforeAll(async () => {
  world = await createActingWorld();
});
afterEach(() => world.setIntercept(undefined));
afterAll(() => world.close());

const follow = () =>
  followActions({
    pool: world.recorder,
    clusterFor: () => world.client,
    onError: (error) => {
      throw error;
    },
  });

async function stateOf(id: string): Promise<string> {
  const { rows } = await world.owner.query("SELECT state FROM action WHERE id = $1", [id]);
  return rows[0].state;
}

async function age(id: string, seconds: number): Promise<void> {
  await world.owner.query(
    `UPDATE action SET requested_at = requested_at - $2 * interval '1 second',
       deadline_at = deadline_at - $2 * interval '1 second' WHERE id = $1`,
    [id, seconds],
  );
}

/** Loses the answer to each patch; `apply` says whether the cluster carried it out. */
function loseAnswers(apply: (subresource: boolean) => boolean): void {
  world.setIntercept(async (request, send) => {
    if (request.method !== "PATCH") return send();
    if (apply(request.path.endsWith("/status"))) await send();
    throw new ClusterUnreachableError({ cluster: "prod-eu", sent: true, message: "connection lost" });
  });
}

async function outcomesOf(rollout: TestRollout): Promise<string[]> {
  return (await world.entriesOf(rollout)).map(({ source, outcome }) => `${source} ${outcome}`);
}

const abortedBy = (status: Record<string, unknown>) => ({ ...status, abort: true, abortedAt: "2026-11-20T10:05:00Z" });

describe("an applied action", () => {
  it("is effective once the recorded rollout shows that the controller took it up", async () => {
    const rollout = await world.addRollout();
    const { id } = await world.act({ rollout, action: "abort" });
    await rollout.record();
    await follow();
    expect(await stateOf(id)).toBe("applied");
    rollout.setStatus(abortedBy);
    await rollout.record();
    await follow();
    expect(await stateOf(id)).toBe("effective");
    const { rows } = await world.owner.query("SELECT effective_at FROM action WHERE id = $1", [id]);
    expect(rows[0].effective_at).toBeInstanceOf(Date);
  });

  it("is looked up in the cluster before the deadline ends it", async () => {
    const [quick, dead] = [await world.addRollout(), await world.addRollout()];
    const one = await world.act({ rollout: quick, action: "abort" });
    const other = await world.act({ rollout: dead, action: "abort" });
    quick.setStatus(abortedBy);
    await Promise.all([age(one.id, 31), age(other.id, 31)]);
    await follow();
    expect(await stateOf(one.id)).toBe("effective");
    expect(await stateOf(other.id)).toBe("not-effective");
  });

  it("is not judged by a record that is older than the action", async () => {
    const rollout = await world.addRollout({ status: { pauseConditions: undefined, controllerPause: false } });
    rollout.setStatus((status) => ({
      ...status,
      controllerPause: true,
      pauseConditions: [{ reason: "CanaryPauseStep", startTime: "2026-11-20T10:00:00Z" }],
    }));
    const { id } = await world.act({ rollout, action: "continue" });
    await follow();
    expect(await stateOf(id)).toBe("applied");
  });

  it("is not effective where an abort overtook it", async () => {
    const rollout = await world.addRollout();
    const goOn = await world.act({ rollout, action: "continue" });
    const abort = await world.act({ rollout, action: "abort" });
    rollout.setStatus(abortedBy);
    await rollout.record();
    await follow();
    expect([await stateOf(goOn.id), await stateOf(abort.id)]).toEqual(["not-effective", "effective"]);
  });
});

describe("an unknown outcome", () => {
  it("turns out as applied by reading back, and nothing is sent again", async () => {
    const rollout = await world.addRollout();
    loseAnswers(() => true);
    const { id, state } = await world.act({ rollout, action: "abort" });
    expect(state).toBe("unknown");
    world.setIntercept(undefined);
    world.requests.length = 0;
    await follow();
    expect(await stateOf(id)).toBe("applied");
    expect(world.requests.every(({ method, as }) => method === "GET" && as === undefined)).toBe(true);
    expect(await outcomesOf(rollout)).toEqual(["gatehouse intent", "gatehouse unknown", "system applied"]);
  });

  it("turns out as not applied, but only when no request can be under way any more", async () => {
    const rollout = await world.addRollout();
    loseAnswers(() => false);
    const { id } = await world.act({ rollout, action: "continue" });
    world.setIntercept(undefined);
    await follow();
    expect(await stateOf(id)).toBe("unknown");
    await age(id, 46);
    await follow();
    expect(await stateOf(id)).toBe("refused");
    expect(await outcomesOf(rollout)).toEqual(["gatehouse intent", "gatehouse unknown", "system refused"]);
    await expect(world.act({ rollout, action: "continue" })).resolves.toMatchObject({ state: "applied" });
  });

  it("is not judged by when it was asked for: the patch may have gone out much later", async () => {
    const rollout = await world.addRollout();
    loseAnswers(() => false);
    const { id } = await world.act({ rollout, action: "continue" });
    world.setIntercept(undefined);
    await world.owner.query("UPDATE action SET requested_at = requested_at - interval '10 minutes' WHERE id = $1", [
      id,
    ]);
    await follow();
    expect(await stateOf(id)).toBe("unknown");
  });

  it("turns out as not applied although the rollout changed in other ways", async () => {
    const rollout = await world.addRollout();
    loseAnswers(() => false);
    const { id } = await world.act({ rollout, action: "continue" });
    world.setIntercept(undefined);
    rollout.setStatus((status) => ({ ...status, promoteFull: true }));
    await age(id, 46);
    await follow();
    expect(await stateOf(id)).toBe("refused");
  });

  it("turns out as half done", async () => {
    const rollout = await world.addRollout({ spec: { paused: true } });
    let patches = 0;
    world.setIntercept(async (request, send) => {
      if (request.method !== "PATCH") return send();
      patches += 1;
      if (patches === 1) return send();
      throw new ClusterUnreachableError({ cluster: "prod-eu", sent: true, message: "connection lost" });
    });
    const { id, state } = await world.act({ rollout, action: "continue" });
    expect(state).toBe("unknown");
    world.setIntercept(undefined);
    await age(id, 46);
    await follow();
    expect(await world.rowOf(id)).toMatchObject({
      state: "partial",
      message:
        "Read back: partially applied, patch 1 of 2 only. spec.paused is cleared, but the other pauses remain: look again, then act again.",
    });
  });

  it("stays unknown while the cluster gives no answer", async () => {
    const rollout = await world.addRollout();
    loseAnswers(() => true);
    const { id } = await world.act({ rollout, action: "abort" });
    world.setIntercept(() => {
      throw new ClusterUnreachableError({ cluster: "prod-eu", sent: false, message: "away" });
    });
    await age(id, 600);
    await follow();
    expect(await stateOf(id)).toBe("unknown");
    world.setIntercept(undefined);
    await follow();
    expect(await stateOf(id)).toBe("applied");
  });
});

describe("an outcome that cannot be read back", () => {
  const forbidden = {
    status: 403,
    text: "",
    json: { message: 'rollouts.argoproj.io is forbidden: User "gatehouse" cannot get resource "rollouts"' },
    date: undefined,
  };

  it("says what Gatehouse may not read, where, and what to do, also to who would act next", async () => {
    const rollout = await world.addRollout();
    loseAnswers(() => true);
    const { id } = await world.act({ rollout, action: "abort" });
    world.setIntercept(async (request, send) => (request.as === undefined ? forbidden : send()));
    await follow();
    const told =
      /may not read Rollout .* at prod-eu \(.*cannot get resource "rollouts"\)\. Give its account the verb get/;
    expect(await world.rowOf(id)).toMatchObject({ state: "unknown", message: expect.stringMatching(told) });
    await expect(world.act({ rollout, action: "continue" })).rejects.toMatchObject({
      code: "not_allowed_now",
      message: expect.stringMatching(told),
    });
    const { rows } = await world.owner.query("SELECT count(*)::int AS told FROM change_log WHERE ref = $1", [id]);
    await follow();
    expect((await world.owner.query("SELECT count(*)::int AS told FROM change_log WHERE ref = $1", [id])).rows).toEqual(
      rows,
    );
    world.setIntercept(undefined);
    await follow();
    expect(await stateOf(id)).toBe("applied");
  });

  it("ends where its own record cannot be read, is reported, and holds up no other", async () => {
    const [broken, other] = [await world.addRollout(), await world.addRollout()];
    loseAnswers(() => true);
    const [lost, found] = [
      await world.act({ rollout: broken, action: "abort" }),
      await world.act({ rollout: other, action: "abort" }),
    ];
    world.setIntercept(undefined);
    await world.owner.query(`UPDATE action SET plan = '{"patches": "none", "expectedEffect": 7}' WHERE id = $1`, [
      lost.id,
    ]);
    const reported: string[] = [];
    const pass = () =>
      followActions({
        pool: world.recorder,
        clusterFor: () => world.client,
        onError: (_error, id) => reported.push(id),
      });
    await pass();
    expect([await stateOf(lost.id), await stateOf(found.id)]).toEqual(["unknown", "applied"]);
    await age(lost.id, 46);
    await pass();
    expect(await world.rowOf(lost.id)).toMatchObject({
      state: "not-effective",
      message: "The record of the sent patches cannot be read. Check the rollout before you act again.",
    });
    expect(await outcomesOf(broken)).toEqual(["gatehouse intent", "gatehouse unknown", "system unknown"]);
    await pass();
    expect(reported).toEqual([lost.id]);
  });
});

describe("a cluster that does not answer", () => {
  it("is asked once in a pass, so that it does not hold up the others", async () => {
    const rollouts = [await world.addRollout(), await world.addRollout(), await world.addRollout()];
    loseAnswers(() => true);
    for (const rollout of rollouts) await world.act({ rollout, action: "abort" });
    world.setIntercept(() => {
      throw new ClusterUnreachableError({ cluster: "prod-eu", sent: true, message: "time-out" });
    });
    world.requests.length = 0;
    await follow();
    expect(world.requests).toHaveLength(1);
    world.setIntercept(undefined);
    await follow();
    for (const rollout of rollouts) expect((await outcomesOf(rollout)).at(-1)).toBe("system applied");
  });
});

describe("an intent without outcome", () => {
  it.each([
    { name: "before the patch", apply: false, state: "refused" },
    { name: "after the patch", apply: true, state: "applied" },
  ])("is read back when the process died $name", async ({ apply, state }) => {
    const rollout = await world.addRollout();
    loseAnswers(() => apply);
    const { id } = await world.act({ rollout, action: "abort" });
    world.setIntercept(undefined);
    // As after a kill -9: the intent is committed, and the row was never touched again.
    await world.owner.query("UPDATE action SET state = 'requested', outcome_seq = NULL WHERE id = $1", [id]);
    await follow();
    expect(await stateOf(id)).toBe("requested");
    await age(id, 61);
    await expect(world.act({ rollout, action: "continue" })).rejects.toMatchObject({ code: "not_allowed_now" });
    await follow();
    expect(await stateOf(id)).toBe(state);
    expect(await world.verify()).toMatchObject({ ok: true });
  });

  it("is left to the process that wrote it while that may still be sending", async () => {
    const rollout = await world.addRollout();
    let follows: Promise<unknown> | undefined;
    world.setIntercept(async (request, send) => {
      if (request.method === "PATCH" && follows === undefined) {
        await world.owner.query("UPDATE action SET requested_at = requested_at - interval '10 minutes'");
        world.setIntercept(undefined);
        follows = follow();
        await follows;
      }
      return send();
    });
    await expect(world.act({ rollout, action: "abort" })).resolves.toMatchObject({ state: "applied" });
    expect(await outcomesOf(rollout)).toEqual(["gatehouse intent", "gatehouse applied"]);
  });

  it("is settled once by two recorders at the same moment", async () => {
    const rollout = await world.addRollout();
    loseAnswers(() => true);
    await world.act({ rollout, action: "abort" });
    world.setIntercept(undefined);
    await Promise.all([follow(), follow(), follow()]);
    expect(await outcomesOf(rollout)).toEqual(["gatehouse intent", "gatehouse unknown", "system applied"]);
  });

  it("ends as refused where not even the intent was written", async () => {
    const rollout = await world.addRollout();
    await world.owner.query("REVOKE INSERT ON audit_entry FROM gatehouse_web");
    await world.act({ rollout, action: "abort" }).catch(() => {});
    await world.owner.query("GRANT INSERT ON audit_entry TO gatehouse_web");
    const { rows } = await world.owner.query("SELECT id FROM action WHERE rollout_id = $1", [rollout.id]);
    await follow();
    expect(await stateOf(rows[0].id)).toBe("requested");
    await age(rows[0].id, 121);
    await follow();
    expect(await stateOf(rows[0].id)).toBe("refused");
    await follow();
    expect(await outcomesOf(rollout)).toEqual(["system refused"]);
  });
});
