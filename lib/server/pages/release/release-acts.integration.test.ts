import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Release, type ReleaseAct } from "#lib/contract/rollout.ts";
import type { ReleaseListQuery } from "#lib/contract/rollout-lists.ts";
import { everywhere } from "#lib/domain/policy/rights.ts";
import { appendAudit } from "#lib/server/audit/append-audit.ts";
import { getRelease } from "#lib/server/pages/release/get-release.ts";
import { listReleases } from "#lib/server/pages/release/list-releases.ts";
import type { Actor } from "#lib/server/platform/actor/actor.ts";
import { actingTools } from "#test/acting-tools.ts";
import { type ActingWorld, actorOf, clusterName, createActingWorld, type TestRollout } from "#test/acting-world.ts";

let world: ActingWorld;
const { follow, loseAnswers } = actingTools(() => world);
beforeAll(async () => {
  world = await createActingWorld();
});
afterAll(() => world.close());

type NewRelease = { runKey: string; attempt?: number; minutesAgo: number; state?: string };

async function addRelease(
  rollout: TestRollout,
  { runKey, attempt = 1, minutesAgo, state }: NewRelease,
): Promise<string> {
  const id = randomUUID();
  await world.owner.query(
    `INSERT INTO release (id, rollout_id, run_key, attempt, state, message, started_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, '', now() - $6 * interval '1 minute', now())`,
    [id, rollout.id, runKey, attempt, state ?? "progressing", minutesAgo],
  );
  return id;
}

/** Records a change made without us, as the recorder does. */
async function observeChange(
  rollout: TestRollout,
  { action, client, minutesAgo = 0 }: { action: string; client?: string; minutesAgo?: number },
): Promise<void> {
  const { rows } = await world.owner.query<{ id: string; at: string }>(
    `SELECT max(id)::text AS id, to_char((now() - $2 * interval '1 minute') AT TIME ZONE 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS at
     FROM observation WHERE rollout_id = $1`,
    [rollout.id, minutesAgo],
  );
  const [observed] = rows;
  const { cluster, namespace, kind, name } = rollout.path;
  await appendAudit({
    pool: world.recorder,
    entry: {
      actor: { type: "unknown", name: client ?? "client unknown" },
      source: "cluster",
      code: `cluster.${action}`,
      action,
      target: { cluster, namespace, kind, name },
      outcome: "applied",
      detail: { observedAt: observed?.at, client: client ?? null, weight: 20 },
      requestId: randomUUID(),
    },
    within: async (connection, { seq }) => {
      await connection.query(
        `INSERT INTO unasked_change (rollout_id, observation_id, action, client, at, audit_seq, cluster, namespace, kind,
           name, target_kind, target_name)
         SELECT id, $2, $3, $4, $5, $6, cluster, namespace, kind, name, kind, name FROM rollout WHERE id = $1`,
        [rollout.id, observed?.id, `${action} ${seq}`, client ?? null, observed?.at, seq],
      );
    },
  });
}

async function actsOf(id: string, actor: Actor = actorOf("viewer")): Promise<Release["acts"]> {
  return Release.parse(await getRelease({ ctx: world.contextOf(actor), input: { id } })).acts;
}
const saidOf = ({ latest }: Release["acts"]) => latest.map(({ who, did }: ReleaseAct) => `${who} ${did}`);

describe("what was done to a release", () => {
  it("is told with who, when, and the audit entry, and only with the release that it was done to", async () => {
    const rollout = await world.addRollout();
    const before = await addRelease(rollout, { runKey: "old", minutesAgo: 60, state: "promoted" });
    const release = await addRelease(rollout, { runKey: "new", minutesAgo: 5, state: "aborted" });
    const { id } = await world.act({ rollout, action: "abort", reason: "errors rise" });
    const acts = await actsOf(release);
    expect(acts).toMatchObject({
      total: 1,
      latest: [
        {
          seq: Number((await world.rowOf(id)).outcome_seq),
          action: "abort",
          who: "operator-person",
          did: "aborted it with the weight set to 20 %",
          reason: "errors rise",
          source: "gatehouse",
          outcome: "applied",
          effect: { state: "applied" },
        },
      ],
    });
    expect(await actsOf(before)).toEqual({ total: 0, latest: [] });
    const idsBy = async (filters: Partial<ReleaseListQuery>) => {
      const input = { namespace: rollout.path.namespace, limit: 50, ...filters };
      return (await listReleases({ ctx: world.contextOf(actorOf("viewer")), input })).items.map((item) => item.id);
    };
    expect(await idsBy({ person: "OPERATOR-pers" })).toEqual([release]);
    expect(await idsBy({ person: "somebody" })).toEqual([]);
    expect(await idsBy({ person: "%" })).toEqual([]);
    expect(await idsBy({ state: "aborted" })).toEqual([release]);
    expect(await idsBy({ state: "promoted" })).toEqual([before]);
    const halfAnHourAgo = new Date(Date.now() - 1_800_000).toISOString();
    expect(await idsBy({ from: halfAnHourAgo })).toEqual([release]);
    expect(await idsBy({ to: halfAnHourAgo })).toEqual([before]);
    expect(await idsBy({ version: "no-such-image" })).toEqual([]);
    const page = await listReleases({
      ctx: world.contextOf(actorOf("viewer")),
      input: { namespace: rollout.path.namespace, limit: 50 },
    });
    expect(page.items.map((item) => [item.id, item.acts.total])).toEqual([
      [release, 1],
      [before, 0],
    ]);
    expect(page.items[0]?.acts).toEqual(acts);
  });

  it("goes by the revision before the time: a release that has begun since does not take it", async () => {
    const rollout = await world.addRollout();
    const release = await addRelease(rollout, { runKey: "new", minutesAgo: 5 });
    const later = await addRelease(rollout, { runKey: "newer", minutesAgo: 1 });
    await world.act({ rollout, action: "abort" });
    expect([(await actsOf(release)).total, (await actsOf(later)).total]).toEqual([1, 0]);
  });

  it("belongs to the revision's first attempt where the recorder's clock is ahead", async () => {
    const rollout = await world.addRollout();
    const release = await addRelease(rollout, { runKey: "new", minutesAgo: -0.5 });
    await world.act({ rollout, action: "abort" });
    expect((await actsOf(release)).total).toBe(1);
  });

  it("belongs to the attempt that stood; a retry to the one that it ended", async () => {
    const rollout = await world.addRollout();
    const first = await addRelease(rollout, { runKey: "new", minutesAgo: 30, state: "aborted" });
    const second = await addRelease(rollout, { runKey: "new", attempt: 2, minutesAgo: 10 });
    await observeChange(rollout, { action: "abort", client: "kubectl-argo-rollouts", minutesAgo: 20 });
    await observeChange(rollout, { action: "retry", client: "kubectl-argo-rollouts", minutesAgo: 10 });
    await observeChange(rollout, { action: "continue", minutesAgo: 5 });
    await world.owner.query(
      "UPDATE release SET started_at = (SELECT at FROM unasked_change WHERE rollout_id = $1 AND action LIKE 'retry%') WHERE id = $2",
      [rollout.id, second],
    );
    await world.owner.query("UPDATE unasked_change SET action = split_part(action, ' ', 1) WHERE rollout_id = $1", [
      rollout.id,
    ]);
    expect(saidOf(await actsOf(first))).toEqual([
      "kubectl-argo-rollouts, outside Gatehouse retried it",
      "kubectl-argo-rollouts, outside Gatehouse aborted it with the weight set to 20 %",
    ]);
    expect(saidOf(await actsOf(second))).toEqual([
      "client unknown, outside Gatehouse continued it with the weight set to 20 %",
    ]);
  });

  it("leaves out what was refused, and names the person where the recorder found out what became of it", async () => {
    const rollout = await world.addRollout();
    const release = await addRelease(rollout, { runKey: "new", minutesAgo: 5 });
    await world.act({ rollout, action: "abort", actor: actorOf("viewer") }).catch(() => {});
    const stale = { ...(await rollout.look()), viewDigest: "of-an-hour-ago" };
    await world.act({ rollout, action: "continue", expect: stale }).catch(() => {});
    expect(await world.outcomesOf(rollout)).toEqual(["action.abort refused", "action.continue refused"]);
    expect((await actsOf(release)).total).toBe(0);
    loseAnswers(true);
    await world.act({ rollout, action: "abort" });
    expect(saidOf(await actsOf(release))).toEqual(["operator-person asked to abort it with the weight set to 20 %"]);
    world.setIntercept(undefined);
    await follow();
    const acts = await actsOf(release);
    expect(saidOf(acts)).toEqual(["operator-person aborted it with the weight set to 20 %"]);
    expect(acts.latest[0]?.actor.type).toBe("user");
  });

  it("shows the ten newest of many, and how many there are", async () => {
    const rollout = await world.addRollout();
    const release = await addRelease(rollout, { runKey: "new", minutesAgo: 5 });
    for (let count = 0; count < 12; count += 1)
      await observeChange(rollout, { action: "pause", client: `client-${count}` });
    const { total, latest } = await actsOf(release);
    expect(total).toBe(12);
    expect(latest.map(({ actor }) => actor.name)).toEqual(
      Array.from({ length: 10 }, (_, index) => `client-${11 - index}`),
    );
  });

  it("keeps an override among the ten of many, however old", async () => {
    const rollout = await world.addRollout();
    const release = await addRelease(rollout, { runKey: "new", minutesAgo: 5 });
    await observeChange(rollout, { action: "promote-full", client: "first" });
    for (let count = 0; count < 11; count += 1)
      await observeChange(rollout, { action: "pause", client: `client-${count}` });
    const { latest } = await actsOf(release);
    expect(latest.map(({ actor }) => actor.name)).toEqual([
      ...Array.from({ length: 9 }, (_, index) => `client-${10 - index}`),
      "first",
    ]);
  });

  it("is nothing to those who may not read the rollout", async () => {
    const rollout = await world.addRollout();
    const release = await addRelease(rollout, { runKey: "new", minutesAgo: 5 });
    await world.act({ rollout, action: "abort" });
    const stranger: Actor = {
      ...actorOf("viewer"),
      rights: {
        grants: [
          { role: "viewer", scope: { ...everywhere, namespaces: ["elsewhere"] }, actions: [], breakGlass: false },
        ],
        cap: "admin",
      },
    };
    await expect(actsOf(release, stranger)).rejects.toMatchObject({ code: "not_found" });
    const ctx = world.contextOf(stranger);
    expect((await listReleases({ ctx, input: { cluster: clusterName, limit: 50 } })).items).toEqual([]);
  });
});
