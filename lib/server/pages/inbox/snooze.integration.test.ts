import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { InboxItem } from "#lib/contract/inbox.ts";
import { getInbox } from "#lib/server/pages/inbox/get-inbox.ts";
import { snooze, wake } from "#lib/server/pages/inbox/snooze.ts";
import type { Actor } from "#lib/server/platform/actor/actor.ts";
import { isBegun, lockWaits, noWait } from "#lib/server/records/rollout-wait.ts";
import { type ActingWorld, actorOf, createActingWorld, type TestRollout } from "#test/acting-world.ts";

let world: ActingWorld;
beforeAll(async () => {
  world = await createActingWorld();
});
afterAll(() => world.close());

async function addWaiting({ reason = "pause", severity = "info" } = {}): Promise<TestRollout> {
  const rollout = await world.addRollout();
  await world.owner.query(
    `UPDATE rollout SET attention_reason = $2, attention_severity = $3,
       attention_since = now() - interval '5 minutes' WHERE id = $1`,
    [rollout.id, reason, severity],
  );
  return rollout;
}

const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();

async function put(
  rollout: TestRollout,
  { until, actor = actorOf("operator"), viewDigest }: { until: string | null; actor?: Actor; viewDigest?: string },
) {
  const seen = viewDigest ?? (await rollout.look()).viewDigest;
  return snooze({
    ctx: world.contextOf(actor),
    input: { ...rollout.path, reason: "load test", viewDigest: seen, until },
  });
}
const end = (rollout: TestRollout, actor = actorOf("operator")) =>
  wake({ ctx: world.contextOf(actor), input: rollout.path });

async function list(input: { snoozed?: "true" | "false" } = {}, actor: Actor = actorOf("viewer")) {
  const { items } = await getInbox({ ctx: world.contextOf(actor), input: { limit: 200, answered: "false", ...input } });
  return items.map((item) => InboxItem.parse(item));
}
const find = (items: InboxItem[], { path }: TestRollout) =>
  items.find(({ rollout }) => rollout.namespace === path.namespace);
const isSnoozed = async (rollout: TestRollout) => find(await list(), rollout)?.handling.snooze !== null;

describe("a snooze", () => {
  it("puts the row last for everybody, says who, until when and why, and is audited", async () => {
    const rollout = await addWaiting({ reason: "degraded", severity: "critical" });
    const later = await addWaiting();
    const until = inMinutes(60);
    const answer = await put(rollout, { until });
    expect(answer).toMatchObject({ who: "operator-person", until, reason: "load test" });
    const items = await list();
    expect(find(items, rollout)?.handling.snooze).toEqual(answer);
    expect(items.at(-1)?.rollout.namespace).toBe(rollout.path.namespace);
    expect(find(await list({ snoozed: "false" }), rollout)).toBeUndefined();
    expect(find(await list({ snoozed: "true" }), later)).toBeUndefined();
    expect(find(await list({ snoozed: "true" }), rollout)).toBeDefined();
    expect(await world.entriesOf(rollout)).toMatchObject([
      { code: "inbox.snoozed", reason: "load test", outcome: "applied", detail: { attention: "degraded", until } },
    ]);
  });

  const worse = [
    {
      name: "its time comes, by the database's clock",
      sql: "UPDATE wait_mark SET until = now() WHERE kind = 'snooze' AND rollout_id = $1",
    },
    { name: "it waits for something else", sql: "UPDATE rollout SET attention_reason = 'inconclusive' WHERE id = $1" },
    { name: "it gets worse", sql: "UPDATE rollout SET attention_severity = 'warning' WHERE id = $1" },
    { name: "the same state comes again", sql: "UPDATE rollout SET attention_since = now() WHERE id = $1" },
    { name: "another revision waits", sql: "UPDATE rollout SET revision_key = 'newer' WHERE id = $1" },
  ];
  it.each(worse)("until a time ends when $name", async ({ sql }) => {
    const rollout = await addWaiting();
    await put(rollout, { until: inMinutes(60) });
    expect(await isSnoozed(rollout)).toBe(true);
    await world.owner.query(sql, [rollout.id]);
    expect(await isSnoozed(rollout)).toBe(false);
  });

  it.each([
    { set: "message = 'other', step = 3, updated_at = now()", tells: false },
    { set: "view_digest = 'other'", tells: false },
    { set: "attention_severity = 'warning'", tells: false },
    { set: "attention_severity = 'critical'", tells: true },
    { set: "attention_reason = 'inconclusive'", tells: true },
    { set: "attention_since = now()", tells: true },
  ])("has ended if people are told of the wait once more: $set", async ({ set, tells }) => {
    const rollout = await addWaiting();
    await put(rollout, { until: inMinutes(60) });
    const readWait = async () => (await lockWaits(world.owner, [rollout.id])).get(rollout.id);
    const before = await readWait();
    await world.owner.query(`UPDATE rollout SET ${set} WHERE id = $1`, [rollout.id]);
    expect(isBegun((await readWait()) ?? noWait, before)).toBe(tells);
    if (tells) expect(await isSnoozed(rollout)).toBe(false);
  });

  it("until a time outlasts a change of the view; one until a change does not", async () => {
    const [timed, open] = [await addWaiting(), await addWaiting()];
    await put(timed, { until: inMinutes(60) });
    await put(open, { until: null });
    expect([await isSnoozed(timed), await isSnoozed(open)]).toEqual([true, true]);
    await world.owner.query("UPDATE rollout SET view_digest = 'other' WHERE id = ANY($1)", [[timed.id, open.id]]);
    expect([await isSnoozed(timed), await isSnoozed(open)]).toEqual([true, false]);
  });

  it.each([
    { reason: "inconclusive", severity: "warning" },
    { reason: "degraded", severity: "critical" },
  ])("of $reason, $severity, takes a time", async (wait) => {
    const rollout = await addWaiting(wait);
    expect(find(await list({}, actorOf("operator")), rollout)?.handling.maySnooze).toEqual({
      maxHours: 24,
      untilChange: false,
    });
    await expect(put(rollout, { until: null })).rejects.toMatchObject({ code: "not_allowed_now" });
    await expect(put(rollout, { until: inMinutes(15) })).resolves.toMatchObject({ who: "operator-person" });
  });

  it("is limited, and has no time that has passed", async () => {
    const rollout = await addWaiting();
    await expect(put(rollout, { until: inMinutes(24 * 60 + 5) })).rejects.toMatchObject({
      code: "invalid_request",
      message: expect.stringContaining("at most 24 hours"),
    });
    await expect(put(rollout, { until: inMinutes(-1) })).rejects.toMatchObject({ code: "invalid_request" });
    await expect(put(rollout, { until: inMinutes(24 * 60 - 5) })).resolves.toBeDefined();
    expect(await world.outcomesOf(rollout)).toEqual(["inbox.snoozed applied"]);
  });

  it("is replaced by a later one, and ended by anybody with the right", async () => {
    const rollout = await addWaiting();
    await put(rollout, { until: inMinutes(60) });
    const until = inMinutes(15);
    await put(rollout, { until, actor: actorOf("admin") });
    expect(find(await list(), rollout)?.handling.snooze).toMatchObject({ who: "admin-person", until });
    await expect(end(rollout)).resolves.toMatchObject({ who: "admin-person" });
    expect(await isSnoozed(rollout)).toBe(false);
    await expect(end(rollout)).rejects.toMatchObject({ code: "conflict" });
    expect(await world.outcomesOf(rollout)).toEqual([
      "inbox.snoozed applied",
      "inbox.snoozed applied",
      "inbox.woken applied",
    ]);
  });

  it("that has ended by itself cannot be ended again", async () => {
    const rollout = await addWaiting();
    await put(rollout, { until: inMinutes(60) });
    await world.owner.query("UPDATE wait_mark SET until = now() WHERE kind = 'snooze' AND rollout_id = $1", [
      rollout.id,
    ]);
    await expect(end(rollout)).rejects.toMatchObject({ code: "conflict" });
  });

  it("refuses another view than the present one, and what waits for nobody", async () => {
    const rollout = await addWaiting();
    await expect(put(rollout, { until: inMinutes(15), viewDigest: "older" })).rejects.toMatchObject({
      code: "stale_view",
    });
    await world.owner.query("UPDATE rollout SET attention_reason = NULL WHERE id = $1", [rollout.id]);
    await expect(put(rollout, { until: inMinutes(15) })).rejects.toMatchObject({ code: "not_allowed_now" });
    expect(await world.outcomesOf(rollout)).toEqual([]);
  });

  it("takes the right to acknowledge, since it hides a row from everybody", async () => {
    const rollout = await addWaiting();
    const operator = actorOf("operator");
    const only = (actions: string[]): Actor => ({
      ...operator,
      rights: { ...operator.rights, grants: operator.rights.grants.map((grant) => ({ ...grant, actions })) },
    });
    for (const actor of [actorOf("viewer"), only(["abort"])]) {
      expect(find(await list({}, actor), rollout)?.handling.maySnooze).toBeNull();
      await expect(put(rollout, { until: inMinutes(15), actor })).rejects.toMatchObject({ code: "forbidden" });
      await expect(end(rollout, actor)).rejects.toMatchObject({ code: "forbidden" });
    }
    await expect(put(rollout, { until: inMinutes(15), actor: only(["acknowledge"]) })).resolves.toBeDefined();
  });
});
