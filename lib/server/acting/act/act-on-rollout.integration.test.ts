import { Pool } from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { otherClusterMessage } from "#lib/server/clusters/sources/source-freshness.ts";
import type { Runtime } from "#lib/server/process/runtime-types.ts";
import { type ActingWorld, actorOf, createActingWorld, failureOf, type TestRollout } from "#test/acting-world.ts";
import { insertMeasured } from "#test/measurement-rows.ts";

let world: ActingWorld;

beforeAll(async () => {
  world = await createActingWorld();
});
afterEach(() => {
  world.setIntercept(undefined);
  world.setAccess("act");
});
afterAll(() => world.close());

const inconclusive = {
  currentStepIndex: 2,
  controllerPause: true,
  pauseConditions: [{ reason: "InconclusiveAnalysisRun", startTime: "2026-11-20T10:00:00Z" }],
  canary: { currentStepAnalysisRunStatus: { name: "run-1", status: "Inconclusive" } },
};

const patches = () => world.requests.filter(({ method }) => method === "PATCH");

describe("an action that is allowed", () => {
  it("writes intent and outcome, and patches as the user with the resourceVersion", async () => {
    const rollout = await world.addRollout({ status: inconclusive });
    world.requests.length = 0;
    const { resourceVersion } = rollout.read().metadata;
    const accepted = await world.act({ rollout, action: "accept-step", reason: "latency is known" });
    expect(accepted).toMatchObject({ state: "applied", links: { self: `/api/v1/actions/${accepted.id}` } });
    expect(await world.outcomesOf(rollout)).toEqual(["action.accept-step intent", "action.accept-step applied"]);
    expect(patches()).toEqual([
      expect.objectContaining({
        path: expect.stringMatching(/\/rollouts\/checkout\/status$/),
        query: { fieldManager: "gatehouse" },
        contentType: "application/merge-patch+json",
        as: { mode: "groups", username: "operator-person", groups: ["gatehouse:operators"] },
        body: {
          metadata: { resourceVersion },
          status: { pauseConditions: null, controllerPause: false, currentStepIndex: 3 },
        },
      }),
    ]);
    expect(world.requests.every(({ as }) => as?.username === "operator-person")).toBe(true);
    expect(rollout.read().status).toMatchObject({ currentStepIndex: 3, controllerPause: false });
    expect(await world.rowOf(accepted.id)).toMatchObject({
      state: "applied",
      reason: "latency is known",
      intent_seq: String(accepted.auditSeq),
      applied_at: expect.any(Date),
      deadline_at: expect.any(Date),
    });
  });

  it("freezes the evidence as seen", async () => {
    const rollout = await world.addRollout({ status: inconclusive });
    await addRun({ rollout, name: "run-1" });
    await world.act({ rollout, action: "measure-again" });
    const [intent] = await world.entriesOf(rollout);
    const { rows } = await world.owner.query("SELECT content FROM evidence WHERE digest = $1", [
      intent?.evidenceDigest,
    ]);
    expect(JSON.parse(rows[0].content)).toMatchObject({
      rollout: { view: { stepAnalysis: { name: "run-1", phase: "Inconclusive" } } },
      runs: [
        {
          name: "run-1",
          metrics: [
            { name: "success-rate", measurements: [{ seq: 1, value: "0.94", metadata: { "job-name": "check" } }] },
          ],
        },
      ],
      runsNotRecorded: [],
    });
  });

  it("keeps secrets in the rollout's message out of the evidence", async () => {
    const message = "Get http://oncall:s3cret@prom:9090/x?token=abc123: refused";
    const rollout = await world.addRollout({ status: { ...inconclusive, message, phase: "Paused" } });
    await world.act({ rollout, action: "measure-again" });
    const { rows } = await world.owner.query("SELECT content FROM evidence");
    const contents = rows.map(({ content }) => content).join("\n");
    expect(contents).not.toContain("s3cret");
    expect(contents).not.toContain("abc123");
  });

  it("sends both patches where the rollout is paused by a person too, the second on the first one's version", async () => {
    const rollout = await world.addRollout({ spec: { paused: true } });
    world.requests.length = 0;
    await expect(world.act({ rollout, action: "continue" })).resolves.toMatchObject({ state: "applied" });
    expect(rollout.read().spec.paused).toBe(false);
    const versions = patches().map(
      ({ body }) => (body as { metadata: { resourceVersion: string } }).metadata.resourceVersion,
    );
    expect(new Set(versions).size).toBe(2);
  });

  it("leaves a change-log row for the action and one for each entry", async () => {
    const rollout = await world.addRollout();
    const { id } = await world.act({ rollout, action: "continue" });
    const { rows } = await world.owner.query(
      "SELECT kind, count(*)::int AS rows FROM change_log WHERE namespace = $1 GROUP BY kind ORDER BY kind",
      [rollout.path.namespace],
    );
    expect(rows).toEqual([
      { kind: "action", rows: 3 },
      { kind: "audit", rows: 2 },
    ]);
    expect((await world.rowOf(id)).outcome_seq).not.toBeNull();
  });
});

describe("a refusal", () => {
  it("refuses without permission, and writes that down", async () => {
    const rollout = await world.addRollout();
    world.requests.length = 0;
    const viewer = actorOf("viewer");
    await expect(world.act({ rollout, action: "abort", actor: viewer })).rejects.toMatchObject({ code: "forbidden" });
    expect(await world.outcomesOf(rollout)).toEqual(["action.abort refused"]);
    expect(world.requests).toHaveLength(0);
  });

  it("writes down that something was asked of a rollout that is not there", async () => {
    const rollout = await world.addRollout();
    const { cluster, namespace } = rollout.path;
    const gone = { ...rollout, path: { ...rollout.path, name: "gone" } };
    await expect(world.act({ rollout: gone, action: "abort" })).rejects.toMatchObject({ code: "not_found" });
    expect(await world.entriesOf(gone)).toMatchObject([
      {
        code: "action.abort",
        outcome: "refused",
        target: { id: `${cluster}/${namespace}/Rollout/gone`, cluster, namespace, kind: "Rollout", name: "gone" },
        detail: { problem: "not_found" },
      },
    ]);
  });

  it("is the answer also where it cannot be written down", async () => {
    const rollout = await world.addRollout();
    const seen = { ...(await rollout.look()), viewDigest: "f".repeat(64) };
    await world.owner.query("REVOKE INSERT ON audit_entry FROM gatehouse_web");
    try {
      const viewer = actorOf("viewer");
      await expect(world.act({ rollout, action: "abort", actor: viewer })).rejects.toMatchObject({ code: "forbidden" });
      const failure = await failureOf(world.act({ rollout, action: "continue", expect: seen }));
      expect(failure).toMatchObject({ code: "stale_view" });
      expect(await world.rowOf(failure.extra.actionId as string)).toMatchObject({
        state: "refused",
        outcome_seq: null,
      });
    } finally {
      await world.owner.query("GRANT INSERT ON audit_entry TO gatehouse_web");
    }
    expect(await world.outcomesOf(rollout)).toEqual([]);
  });

  it("does not let refusals fill the log", async () => {
    const rollout = await world.addRollout();
    const viewer = actorOf("viewer", { preferred_username: "loop" });
    for (let index = 0; index < 25; index += 1)
      await failureOf(world.act({ rollout, action: "abort", actor: { ...viewer, subject: "loop" } }));
    expect(await world.outcomesOf(rollout)).toHaveLength(10);
  });

  it("does nothing when the audit store is down", async () => {
    const rollout = await world.addRollout();
    await world.owner.query("REVOKE INSERT ON audit_entry FROM gatehouse_web");
    world.requests.length = 0;
    try {
      await expect(world.act({ rollout, action: "abort" })).rejects.toMatchObject({ code: "audit_unavailable" });
    } finally {
      await world.owner.query("GRANT INSERT ON audit_entry TO gatehouse_web");
    }
    expect(patches()).toHaveLength(0);
    expect(rollout.read().status.abort).toBe(false);
  });

  it("does nothing when the database is away", async () => {
    const rollout = await world.addRollout();
    const pool = new Pool({ connectionString: "postgresql://nobody@127.0.0.1:1/none" });
    const runtime: Runtime = { ...world.runtime, pool };
    world.requests.length = 0;
    await expect(world.act({ rollout, action: "abort", runtime })).rejects.toMatchObject({ code: "audit_unavailable" });
    expect(world.requests).toHaveLength(0);
    await pool.end();
  });

  it.each([
    { name: "read-only cluster", code: "read_only", prepare: () => world.setAccess("read") },
    { name: "system: identity", code: "forbidden", claims: { preferred_username: "system:admin" } },
    { name: "empty identity", code: "forbidden", claims: { preferred_username: "" } },
    { name: "the cluster's own refusal", code: "cluster_refused", claims: { groups: ["nobody"] } },
    { name: "rights to read but not to patch", code: "cluster_refused", claims: { groups: ["gatehouse:viewers"] } },
  ])("$name: $code", async ({ code, prepare, claims }) => {
    const rollout = await world.addRollout();
    prepare?.();
    const failure = await failureOf(world.act({ rollout, action: "abort", actor: actorOf("operator", claims) }));
    expect(failure).toMatchObject({ code, extra: { actionId: expect.any(String) } });
    expect(await world.rowOf(failure.extra.actionId as string)).toMatchObject({ state: "refused" });
    expect((await world.outcomesOf(rollout)).at(-1)).toBe("action.abort refused");
    expect(rollout.read().status.abort).toBe(false);
  });

  it("asks for a reason where one is needed, and only there", async () => {
    const rollout = await world.addRollout();
    await expect(world.act({ rollout, action: "continue", reason: "  " })).rejects.toMatchObject({
      code: "reason_required",
    });
    await expect(world.act({ rollout, action: "abort", reason: "" })).resolves.toMatchObject({ state: "applied" });
  });

  it("refuses what the planner refuses, with its reason", async () => {
    const rollout = await world.addRollout();
    await expect(world.act({ rollout, action: "retry" })).rejects.toMatchObject({
      code: "not_allowed_now",
      message: "The rollout is not aborted; there is nothing to retry.",
    });
  });

  it("lets nothing advance on a stale source, but lets abort", async () => {
    const rollout = await world.addRollout();
    await world.owner.query("UPDATE source SET watch_contact_at = now() - interval '2 hours'");
    try {
      await expect(world.act({ rollout, action: "continue" })).rejects.toMatchObject({ code: "source_stale" });
      await expect(world.act({ rollout, action: "abort" })).resolves.toMatchObject({ state: "applied" });
    } finally {
      await world.owner.query("UPDATE source SET watch_contact_at = now()");
    }
  });
});

describe("what the recorder does not see", () => {
  it.each(["absent", "deleted"])(
    "does not advance while it is recorded as %s, but can be aborted if the cluster shows it",
    async (presence) => {
      const rollout = await world.addRollout();
      await world.owner.query("UPDATE rollout SET presence = $2 WHERE id = $1", [rollout.id, presence]);
      await expect(world.act({ rollout, action: "continue" })).rejects.toMatchObject({ code: "source_stale" });
      await expect(world.act({ rollout, action: "abort" })).resolves.toMatchObject({ state: "applied" });
    },
  );

  it("does not advance where it was created again under its name", async () => {
    const rollout = await world.addRollout();
    await world.owner.query("UPDATE rollout SET uid = 'the-one-before' WHERE id = $1", [rollout.id]);
    await expect(world.act({ rollout, action: "continue" })).rejects.toMatchObject({ code: "source_stale" });
    expect(rollout.read().status.pauseConditions).toHaveLength(1);
  });
});

describe("another cluster under the same name", () => {
  it("lets nothing be done, abort neither", async () => {
    const rollout = await world.addRollout();
    await world.owner.query("UPDATE source SET state = 'error', last_error = $1, error_code = 'other-cluster'", [
      otherClusterMessage,
    ]);
    try {
      for (const action of ["continue", "abort"] as const)
        await expect(world.act({ rollout, action })).rejects.toMatchObject({ code: "source_stale" });
    } finally {
      await world.owner.query("UPDATE source SET state = 'live', last_error = NULL, error_code = NULL");
    }
  });
});

describe("the view", () => {
  it("refuses a stale view with what changed and the rollout as it is", async () => {
    const rollout = await world.addRollout();
    const seen = await rollout.look();
    rollout.setStatus((status) => ({
      ...status,
      currentStepIndex: 2,
      pauseConditions: undefined,
      controllerPause: false,
    }));
    const failure = await failureOf(world.act({ rollout, action: "continue", expect: seen }));
    expect(failure.code).toBe("stale_view");
    expect(failure.extra.changes).toContainEqual(
      expect.objectContaining({ field: "status.currentStepIndex", seen: 1, now: 2 }),
    );
    expect(failure.extra.current).toMatchObject({
      viewDigest: (await rollout.look()).viewDigest,
      step: 2,
      stepCount: 4,
    });
    expect(await world.outcomesOf(rollout)).toEqual(["action.continue refused"]);
  });

  it("gives null as seen for a digest that nobody recorded", async () => {
    const rollout = await world.addRollout();
    const failure = await failureOf(world.act({ rollout, action: "continue", expect: { viewDigest: "made up" } }));
    expect(failure.code).toBe("stale_view");
    expect(failure.extra.changes).toContainEqual(expect.objectContaining({ field: "metadata.uid", seen: null }));
  });

  it("lets abort through a storm by uid and revision, but not for another revision", async () => {
    const rollout = await world.addRollout();
    const seen = await rollout.look();
    rollout.setStatus((status) => ({ ...status, currentStepIndex: 2 }));
    const abort = (expected: typeof seen | { viewDigest: string }) =>
      failureOf(world.act({ rollout, action: "abort", expect: expected })).then(({ code }) => code);
    expect(await abort({ viewDigest: seen.viewDigest })).toBe("stale_view");
    expect(await abort({ ...seen, revisionKey: "other" })).toBe("stale_view");
    expect(await abort({ ...seen, uid: "other" })).toBe("stale_view");
    await expect(world.act({ rollout, action: "abort", expect: seen })).resolves.toMatchObject({ state: "applied" });
  });

  it("tries again on a conflict that changed nothing of the view", async () => {
    const rollout = await world.addRollout();
    let conflicts = 0;
    world.setIntercept((request, send) => {
      if (request.method === "PATCH" && conflicts < 3) {
        conflicts += 1;
        rollout.setStatus((status) => ({ ...status, readyReplicas: conflicts }));
      }
      return send();
    });
    await expect(world.act({ rollout, action: "continue" })).resolves.toMatchObject({ state: "applied" });
    expect(conflicts).toBe(3);
  });

  it("gives up a storm of conflicts after five retries, abort after twenty", async () => {
    const rollout = await world.addRollout();
    let count = 0;
    world.setIntercept((request, send) => {
      if (request.method === "PATCH") {
        count += 1;
        rollout.setStatus((status) => ({ ...status, readyReplicas: count }));
      }
      return send();
    });
    await expect(world.act({ rollout, action: "continue" })).rejects.toMatchObject({ code: "conflict" });
    expect(count).toBe(6);
    count = 0;
    await expect(world.act({ rollout, action: "abort" })).rejects.toMatchObject({ code: "conflict" });
    expect(count).toBe(21);
    expect(await world.outcomesOf(rollout)).toEqual([
      "action.continue intent",
      "action.continue refused",
      "action.abort intent",
      "action.abort refused",
    ]);
  });

  it("ends as stale where the view changed between intent and patch", async () => {
    const rollout = await world.addRollout();
    world.setIntercept((request, send) => {
      if (request.method === "PATCH") rollout.setStatus((status) => ({ ...status, currentStepIndex: 2 }));
      return send();
    });
    await expect(world.act({ rollout, action: "continue" })).rejects.toMatchObject({ code: "stale_view" });
    expect(await world.outcomesOf(rollout)).toEqual(["action.continue intent", "action.continue refused"]);
  });
});

async function addRun({ rollout, name }: { rollout: TestRollout; name: string }): Promise<void> {
  const uid = `run-${rollout.id}`;
  await world.owner.query(
    `INSERT INTO analysis_run (uid, rollout_id, cluster, namespace, name, type, phase, message, spec, resource_version,
       created_at, updated_at)
     VALUES ($1, $2, 'prod-eu', $3, $4, 'Step', 'Inconclusive', '', '{"metrics":[]}', '1', now(), now())`,
    [uid, rollout.id, rollout.path.namespace, name],
  );
  await world.owner.query(
    `INSERT INTO metric (rollout_id, run_uid, name, phase, message)
     VALUES ($1, $2, 'success-rate', 'Inconclusive', '')`,
    [rollout.id, uid],
  );
  await world.owner.query(
    insertMeasured(
      ["seq", "started_at", "phase", "value", "parsed_kind", "parsed", "metadata"],
      `SELECT $1 AS run_uid, 'success-rate' AS metric, 1 AS seq, now() AS started_at, 'Inconclusive' AS phase, '0.94' AS value,
         'number' AS parsed_kind, 0.94::float8 AS parsed, '{"job-name":"check"}' AS metadata`,
    ),
    [uid],
  );
}
