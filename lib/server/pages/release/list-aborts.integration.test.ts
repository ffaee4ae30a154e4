import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Abort, type AbortListQuery } from "#lib/contract/audit.ts";
import { everywhere } from "#lib/domain/policy/rights.ts";
import { listAborts } from "#lib/server/pages/release/list-aborts.ts";
import type { Actor } from "#lib/server/platform/actor/actor.ts";
import { type ActingWorld, actorOf, createActingWorld, type TestRollout } from "#test/acting-world.ts";

let world: ActingWorld;
beforeAll(async () => {
  world = await createActingWorld();
});
afterAll(() => world.close());

const onRequest = "RolloutAborted: Rollout aborted update to revision 2";
const byController =
  'RolloutAborted: Rollout aborted update to revision 2: Step-based analysis phase error/failed: Metric "error-rate" assessed Failed due to failed (2) > failureLimit (1)';

async function addAborted(
  rollout: TestRollout,
  {
    runKey,
    message,
    minutesAgo,
    attempt = 1,
  }: { runKey: string; message: string; minutesAgo: number; attempt?: number },
): Promise<string> {
  const id = randomUUID();
  await world.owner.query(
    `INSERT INTO release (id, rollout_id, run_key, attempt, state, message, images, started_at, ended_at, updated_at)
     VALUES ($1, $2, $3, $4, 'aborted', $5, '["registry/shop:v2"]', now() - ($6 + 5) * interval '1 minute',
       now() - $6 * interval '1 minute', now())`,
    [id, rollout.id, runKey, attempt, message, minutesAgo],
  );
  return id;
}

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);

async function addFailedRun(
  rollout: TestRollout,
  { createdAt, seenAt, completedAt, skewMs }: { createdAt: Date; seenAt: Date; completedAt: Date; skewMs?: number },
): Promise<string> {
  const uid = randomUUID();
  await world.owner.query(
    `INSERT INTO analysis_run (uid, cluster, namespace, name, kind, type, rollout_id, phase, message, spec, pod_hash,
       created_at, first_seen_at, completed_at, clock_skew_ms, updated_at, resource_version)
     SELECT $1, cluster, namespace, $1, 'AnalysisRun', 'Step', id, 'Failed', '', '{}', 'own', $3, $4, $5, $6, now(), '1'
     FROM rollout WHERE id = $2`,
    [uid, rollout.id, createdAt, seenAt, completedAt, skewMs],
  );
  return uid;
}

async function list(input: Partial<AbortListQuery> = {}, actor: Actor = actorOf("viewer")): Promise<Abort[]> {
  const { items } = await listAborts({ ctx: world.contextOf(actor), input: { limit: 200, ...input } });
  return items.map((item) => Abort.parse(item));
}

describe("who aborted what", () => {
  it("names the person of an abort through Gatehouse, with the reason and the entry", async () => {
    const rollout = await world.addRollout();
    await world.act({ rollout, action: "abort", reason: "errors rise" });
    await addAborted(rollout, { runKey: "new", message: onRequest, minutesAgo: 0 });
    const [found] = await list({ namespace: rollout.path.namespace });
    expect(found).toMatchObject({
      by: "person",
      who: "operator-person",
      reason: "errors rise",
      release: { revision: null, attempt: 1, images: ["registry/shop:v2"] },
      runUid: null,
    });
    expect(found?.auditSeq).toBeGreaterThan(0);
  });

  it("gives the controller's own abort to the controller, with its cause and the failed run", async () => {
    const rollout = await world.addRollout();
    const began = minutesAgo(4);
    const uid = await addFailedRun(rollout, { createdAt: began, seenAt: began, completedAt: minutesAgo(3) });
    await addAborted(rollout, { runKey: "own", message: byController, minutesAgo: 2 });
    expect(await list({ namespace: rollout.path.namespace })).toMatchObject([
      {
        by: "controller",
        who: "Argo Rollouts controller",
        reason: null,
        why: "Aborted by the controller: error-rate failed 2 times (1 allowed)",
        auditSeq: null,
        runUid: uid,
      },
    ]);
  });

  it("gives the failed run to the attempt that it aborted, though the next began within the same second", async () => {
    const rollout = await world.addRollout();
    const first = await addAborted(rollout, { runKey: "own", message: byController, minutesAgo: 2 });
    const second = await addAborted(rollout, { runKey: "own", attempt: 2, message: byController, minutesAgo: 1 });
    const at = (ms: number) => new Date(Math.floor(Date.now() / 1000) * 1000 - 120_000 + ms);
    const begin = at(700);
    await world.owner.query("UPDATE release SET started_at = $2 WHERE id = $1", [second, begin]);
    const ofFirst = await addFailedRun(rollout, { createdAt: at(0), seenAt: at(200), completedAt: at(0) });
    const ofSecond = await addFailedRun(rollout, { createdAt: at(0), seenAt: at(800), completedAt: at(0) });
    const found = await list({ namespace: rollout.path.namespace });
    expect(found.map(({ release, runUid }) => [release.id, runUid])).toEqual([
      [second, ofSecond],
      [first, ofFirst],
    ]);
  });

  it.each([
    { clock: "2 s behind", skewMs: -2000 },
    { clock: "5 minutes ahead", skewMs: 300_000 },
    { clock: "5 minutes behind", skewMs: -300_000 },
  ])("gives runs to their attempts by a cluster's clock that is $clock", async ({ skewMs }) => {
    const rollout = await world.addRollout();
    const first = await addAborted(rollout, { runKey: "own", message: byController, minutesAgo: 4 });
    const second = await addAborted(rollout, { runKey: "own", attempt: 2, message: byController, minutesAgo: 1 });
    const begin = minutesAgo(2);
    await world.owner.query("UPDATE release SET started_at = $2 WHERE id = $1", [second, begin]);
    /** The cluster writes whole seconds. */
    const there = (ms: number) => new Date(Math.floor((begin.getTime() + ms + skewMs) / 1000) * 1000);
    const here = (ms: number) => new Date(begin.getTime() + ms);
    const ofFirst = await addFailedRun(rollout, {
      ...{ createdAt: there(-60_000), seenAt: here(-59_000), completedAt: there(-20_000), skewMs },
    });
    const ofSecond = await addFailedRun(rollout, {
      ...{ createdAt: there(100), seenAt: here(200), completedAt: there(20_000), skewMs },
    });
    const found = await list({ namespace: rollout.path.namespace });
    expect(found.map(({ release, runUid }) => [release.id, runUid])).toEqual([
      [second, ofSecond],
      [first, ofFirst],
    ]);
  });

  it("invents nobody for a request that left no trace", async () => {
    const rollout = await world.addRollout();
    await addAborted(rollout, { runKey: "lost", message: onRequest, minutesAgo: 600 });
    expect(await list({ namespace: rollout.path.namespace })).toMatchObject([
      { by: "unknown", who: "Client unknown", auditSeq: null, runUid: null },
    ]);
  });

  it("lists the last aborted first, page by page, within a time", async () => {
    const rollout = await world.addRollout();
    const { namespace } = rollout.path;
    const old = await addAborted(rollout, { runKey: "a", message: onRequest, minutesAgo: 300 });
    const recent = await addAborted(rollout, { runKey: "b", message: onRequest, minutesAgo: 100 });
    const middle = await addAborted(rollout, { runKey: "c", message: onRequest, minutesAgo: 200 });
    const idsOf = (items: readonly Abort[]) => items.map(({ release }) => release.id);
    expect(idsOf(await list({ namespace }))).toEqual([recent, middle, old]);
    const ctx = world.contextOf(actorOf("viewer"));
    const first = await listAborts({ ctx, input: { namespace, limit: 2 } });
    const rest = await listAborts({ ctx, input: { namespace, limit: 2, cursor: first.nextCursor ?? "" } });
    expect([idsOf(first.items), idsOf(rest.items), rest.nextCursor]).toEqual([[recent, middle], [old], null]);
    const [from, to] = [minutesAgo(250).toISOString(), minutesAgo(150).toISOString()];
    expect(idsOf(await list({ namespace, from, to }))).toEqual([middle]);
  });

  it("shows only rollouts within reach", async () => {
    const rollout = await world.addRollout();
    await addAborted(rollout, { runKey: "a", message: onRequest, minutesAgo: 1 });
    const scope = { ...everywhere, namespaces: ["another"] };
    const outsider: Actor = {
      ...actorOf("viewer"),
      rights: { grants: [{ role: "viewer", scope, actions: ["*"], breakGlass: false }], cap: "admin" },
    };
    expect(await list({ namespace: rollout.path.namespace }, outsider)).toEqual([]);
  });
});
