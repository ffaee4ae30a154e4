import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { InboxItem } from "#lib/contract/inbox.ts";
import { acknowledge } from "#lib/server/oversight/findings/acknowledge.ts";
import { getInbox } from "#lib/server/pages/inbox/get-inbox.ts";
import { withdrawAcknowledgement } from "#lib/server/pages/inbox/withdraw-acknowledgement.ts";
import type { Actor } from "#lib/server/platform/actor/actor.ts";
import { type ActingWorld, actorOf, createActingWorld, type TestRollout } from "#test/acting-world.ts";

let world: ActingWorld;
beforeAll(async () => {
  world = await createActingWorld();
});
afterAll(() => world.close());

type Row = { reason?: string; severity?: string; weight?: number | null; minutesAgo?: number };

async function addWaiting({ reason = "pause", severity = "info", weight = null, minutesAgo = 5 }: Row = {}) {
  const rollout = await world.addRollout();
  await world.owner.query(
    `UPDATE rollout SET attention_reason = $2, attention_severity = $3, weight_actual = $4,
       attention_since = now() - make_interval(mins => $5) WHERE id = $1`,
    [rollout.id, reason, severity, weight, minutesAgo],
  );
  return rollout;
}

async function listInbox(answered: "true" | "false" = "false", actor: Actor = actorOf("operator")) {
  const { items } = await getInbox({ ctx: world.contextOf(actor), input: { limit: 200, answered } });
  return items.map((item) => InboxItem.parse(item));
}

const find = (items: InboxItem[], { path }: TestRollout) =>
  items.find(({ rollout }) => rollout.namespace === path.namespace);

async function send(rollout: TestRollout, { actor = actorOf("operator"), viewDigest = "" } = {}) {
  const seen = viewDigest === "" ? (await rollout.look()).viewDigest : viewDigest;
  return acknowledge({ ctx: world.contextOf(actor), input: { ...rollout.path, reason: "known", viewDigest: seen } });
}

describe("acknowledging", () => {
  it("takes the row out of everybody's inbox, says who and why, and is audited", async () => {
    const rollout = await addWaiting();
    const answer = await send(rollout);
    expect(answer).toMatchObject({ kind: "acknowledged", who: "operator-person", reason: "known" });
    expect(find(await listInbox("false", actorOf("viewer")), rollout)).toBeUndefined();
    expect(find(await listInbox("true", actorOf("viewer")), rollout)?.answer).toEqual(answer);
    expect(await world.entriesOf(rollout)).toMatchObject([
      { code: "attention.acknowledge", reason: "known", outcome: "applied", detail: { attention: "pause" } },
    ]);
  });

  it.each([
    { name: "the view changes", sql: "UPDATE rollout SET view_digest = 'other' WHERE id = $1" },
    {
      name: "the same state comes again",
      sql: "UPDATE rollout SET attention_since = attention_since + interval '1 minute' WHERE id = $1",
    },
    { name: "it waits for something else", sql: "UPDATE rollout SET attention_reason = 'inconclusive' WHERE id = $1" },
  ])("lasts until $name", async ({ sql }) => {
    const rollout = await addWaiting();
    await send(rollout);
    await world.owner.query(sql, [rollout.id]);
    expect(find(await listInbox(), rollout)?.answer).toBeNull();
    expect(find(await listInbox("true"), rollout)).toBeUndefined();
  });

  it("can be withdrawn, once, and given again", async () => {
    const rollout = await addWaiting();
    await send(rollout);
    const withdraw = () => withdrawAcknowledgement({ ctx: world.contextOf(actorOf("operator")), input: rollout.path });
    await expect(withdraw()).resolves.toMatchObject({ who: "operator-person", reason: "known" });
    expect(find(await listInbox(), rollout)?.answer).toBeNull();
    await expect(withdraw()).rejects.toMatchObject({ code: "conflict" });
    await send(rollout);
    expect(await world.outcomesOf(rollout)).toEqual([
      "attention.acknowledge applied",
      "attention.withdraw applied",
      "attention.acknowledge applied",
    ]);
  });

  it("refuses another view than the present one, and writes nothing", async () => {
    const rollout = await addWaiting();
    await expect(send(rollout, { viewDigest: "older" })).rejects.toMatchObject({ code: "stale_view" });
    expect(await world.outcomesOf(rollout)).toEqual([]);
    expect(find(await listInbox(), rollout)).toBeDefined();
  });

  it("refuses what waits for nobody", async () => {
    const rollout = await world.addRollout();
    await world.owner.query("UPDATE rollout SET attention_reason = NULL WHERE id = $1", [rollout.id]);
    await expect(send(rollout)).rejects.toMatchObject({ code: "not_allowed_now" });
  });

  it("takes a right that bindings can name", async () => {
    const rollout = await addWaiting();
    const operator = actorOf("operator");
    const only = (actions: string[]): Actor => ({
      ...operator,
      rights: { ...operator.rights, grants: operator.rights.grants.map((grant) => ({ ...grant, actions })) },
    });
    for (const actor of [actorOf("viewer"), only(["abort"])]) {
      expect(find(await listInbox("false", actor), rollout)?.mayAcknowledge).toBe(false);
      await expect(send(rollout, { actor })).rejects.toMatchObject({ code: "forbidden" });
    }
    expect(find(await listInbox("false", only(["ack*"])), rollout)?.mayAcknowledge).toBe(true);
    await expect(send(rollout, { actor: only(["ack*"]) })).resolves.toMatchObject({ kind: "acknowledged" });
  });
});

describe("an abort on purpose", () => {
  it("asks for no answer, and names who did it through Gatehouse", async () => {
    const rollout = await addWaiting();
    await world.act({ rollout, action: "abort", reason: "load test" });
    await world.owner.query(
      `UPDATE rollout SET attention_reason = 'degraded', attention_severity = 'info', attention_since = now() WHERE id = $1`,
      [rollout.id],
    );
    expect(find(await listInbox(), rollout)).toBeUndefined();
    expect(find(await listInbox("true"), rollout)?.answer).toMatchObject({
      kind: "aborted",
      who: "operator-person",
      reason: "load test",
    });
  });

  it("names nobody if nobody is known, and not who aborted an earlier update", async () => {
    const rollout = await addWaiting();
    await world.act({ rollout, action: "abort", reason: "earlier" });
    await world.owner.query("UPDATE action SET requested_at = now() - interval '1 hour' WHERE rollout_id = $1", [
      rollout.id,
    ]);
    await world.owner.query(
      `UPDATE rollout SET attention_reason = 'degraded', attention_severity = 'info', attention_since = now() WHERE id = $1`,
      [rollout.id],
    );
    expect(find(await listInbox("true"), rollout)?.answer).toMatchObject({ kind: "aborted", who: null, reason: null });
  });

  it("is no answer while the new version still has traffic", async () => {
    const rollout = await addWaiting({ reason: "degraded", severity: "info", weight: 25 });
    expect(find(await listInbox(), rollout)?.answer).toBeNull();
    expect(find(await listInbox("true"), rollout)).toBeUndefined();
    await world.owner.query("UPDATE rollout SET weight_actual = 0 WHERE id = $1", [rollout.id]);
    expect(find(await listInbox(), rollout)).toBeUndefined();
  });

  it("differs from an abort by the controller, which waits for an answer", async () => {
    const rollout = await addWaiting({ reason: "degraded", severity: "critical" });
    expect(find(await listInbox(), rollout)?.answer).toBeNull();
  });
});

it("ranks repairs of live traffic before decisions, others after, and first what serves the new version", async () => {
  const degraded = await addWaiting({ reason: "degraded", severity: "critical", weight: 0, minutesAgo: 600 });
  const waiting = await addWaiting({ reason: "inconclusive", severity: "warning", weight: 0, minutesAgo: 500 });
  const paused = await addWaiting({ weight: 20, minutesAgo: 2 });
  const live = await addWaiting({ reason: "degraded", severity: "critical", weight: 100, minutesAgo: 1 });
  const order = (await listInbox()).map(({ rollout }) => rollout.namespace);
  const wanted = [live, paused, waiting, degraded].map(({ path }) => path.namespace);
  expect(order.filter((namespace) => wanted.includes(namespace))).toEqual(wanted);
});
