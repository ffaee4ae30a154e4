import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { InboxItem } from "#lib/contract/inbox.ts";
import { RolloutDetail } from "#lib/contract/rollout.ts";
import { claimWait, releaseClaim } from "#lib/server/pages/inbox/claim.ts";
import { getInbox } from "#lib/server/pages/inbox/get-inbox.ts";
import { getRollout } from "#lib/server/pages/rollout/get-rollout.ts";
import type { Actor } from "#lib/server/platform/actor/actor.ts";
import { type ActingWorld, actorOf, createActingWorld, type TestRollout } from "#test/acting-world.ts";

let world: ActingWorld;
beforeAll(async () => {
  world = await createActingWorld();
});
afterAll(() => world.close());

const since = "2026-11-20T10:00:00.000Z";
const operator = actorOf("operator");
const admin = actorOf("admin");

async function addWaiting(): Promise<TestRollout> {
  const rollout = await world.addRollout();
  await world.owner.query(
    "UPDATE rollout SET attention_reason = 'pause', attention_severity = 'info', attention_since = $2 WHERE id = $1",
    [rollout.id, since],
  );
  return rollout;
}

const claim = (
  rollout: TestRollout,
  {
    actor = operator,
    takesOver,
    at = since,
    minutes,
  }: { actor?: Actor; takesOver?: string; at?: string; minutes?: number } = {},
) =>
  claimWait({
    ctx: world.contextOf(actor),
    input: { ...rollout.path, since: at, ...(takesOver === undefined ? {} : { takesOver }) },
    ...(minutes === undefined ? {} : { minutes }),
  });
const release = (rollout: TestRollout, actor = operator) =>
  releaseClaim({ ctx: world.contextOf(actor), input: rollout.path });

async function handlingOf({ path }: TestRollout, actor: Actor = actorOf("viewer")) {
  const { items } = await getInbox({ ctx: world.contextOf(actor), input: { limit: 200, answered: "false" } });
  const item = items.find(({ rollout }) => rollout.namespace === path.namespace);
  return InboxItem.parse(item).handling;
}

const minutesOf = ({ at, expiresAt }: { at: string; expiresAt: string }) =>
  (Date.parse(expiresAt) - Date.parse(at)) / 60_000;

describe("a claim", () => {
  it("tells everybody who is on it, in the inbox and on the rollout's page, and is audited", async () => {
    const rollout = await addWaiting();
    const answer = await claim(rollout);
    expect(answer).toMatchObject({ who: "operator-person", isMine: true });
    expect(minutesOf(answer)).toBe(30);
    expect((await handlingOf(rollout)).claim).toEqual({ ...answer, isMine: false });
    expect((await handlingOf(rollout, operator)).claim).toEqual(answer);
    const page = RolloutDetail.parse(await getRollout({ ctx: world.contextOf(admin), input: rollout.path }));
    expect(page.handling?.claim).toEqual({ ...answer, isMine: false });
    expect(await world.entriesOf(rollout)).toMatchObject([
      { code: "inbox.claimed", outcome: "applied", detail: { attention: "pause", since, minutes: 30 } },
    ]);
  });

  it("is told to open pages: a row of the change log names the rollout", async () => {
    const rollout = await addWaiting();
    await claim(rollout);
    const { rows } = await world.owner.query(
      "SELECT kind, namespace, name FROM change_log WHERE namespace = $1 ORDER BY id DESC LIMIT 1",
      [rollout.path.namespace],
    );
    expect(rows).toEqual([{ kind: "rollout", namespace: rollout.path.namespace, name: rollout.path.name }]);
  });

  it("lasts for its minutes, and is extended by the same person", async () => {
    const rollout = await addWaiting();
    const first = await claim(rollout, { minutes: 5 });
    expect(minutesOf(first)).toBe(5);
    await world.owner.query(
      "UPDATE wait_mark SET until = until - interval '4 minutes' WHERE kind = 'claim' AND rollout_id = $1",
      [rollout.id],
    );
    const second = await claim(rollout, { minutes: 5 });
    expect({ ...second, expiresAt: "" }).toEqual({ ...first, expiresAt: "" });
    expect(Date.parse(second.expiresAt)).toBeGreaterThanOrEqual(Date.parse(first.expiresAt));
    expect(await world.outcomesOf(rollout)).toEqual(["inbox.claimed applied", "inbox.claim-extended applied"]);
  });

  it("is taken over only by whoever names it, and the log says from whom", async () => {
    const rollout = await addWaiting();
    const { id } = await claim(rollout);
    await expect(claim(rollout, { actor: admin })).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining("operator-person is on it"),
    });
    const taken = await claim(rollout, { actor: admin, takesOver: id });
    expect(taken.id).not.toBe(id);
    expect((await handlingOf(rollout)).claim?.who).toBe("admin-person");
    await expect(claim(rollout, { takesOver: id }), "an outdated id").rejects.toMatchObject({ code: "conflict" });
    expect((await world.entriesOf(rollout)).map(({ code, detail }) => [code, detail?.from])).toEqual([
      ["inbox.claimed", undefined],
      ["inbox.claim-taken-over", expect.objectContaining({ subject: "operator-person", name: "operator-person" })],
    ]);
  });

  it("goes to one of two who claim at once", async () => {
    const rollout = await addWaiting();
    const both = await Promise.allSettled([claim(rollout), claim(rollout, { actor: admin })]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(await world.outcomesOf(rollout)).toEqual(["inbox.claimed applied"]);
  });

  it.each([
    {
      name: "it expires by the database's clock",
      sql: "UPDATE wait_mark SET until = now() WHERE kind = 'claim' AND rollout_id = $1",
    },
    {
      name: "the same state comes again",
      sql: "UPDATE rollout SET attention_since = attention_since + interval '1 minute' WHERE id = $1",
    },
    { name: "it waits for something else", sql: "UPDATE rollout SET attention_reason = 'inconclusive' WHERE id = $1" },
    { name: "another revision waits", sql: "UPDATE rollout SET revision_key = 'newer' WHERE id = $1" },
  ])("ends when $name, and then anybody may claim", async ({ sql }) => {
    const rollout = await addWaiting();
    await claim(rollout);
    await world.owner.query(sql, [rollout.id]);
    expect((await handlingOf(rollout)).claim).toBeNull();
    const { rows } = await world.owner.query<{ at: Date }>("SELECT attention_since AS at FROM rollout WHERE id = $1", [
      rollout.id,
    ]);
    const at = rows[0]?.at.toISOString() ?? "";
    await expect(claim(rollout, { actor: admin, at })).resolves.toMatchObject({ who: "admin-person" });
    expect(await world.outcomesOf(rollout)).toEqual(["inbox.claimed applied", "inbox.claimed applied"]);
  });

  it("outlasts what changes the view but not the wait", async () => {
    const rollout = await addWaiting();
    await claim(rollout);
    await world.owner.query("UPDATE rollout SET view_digest = 'other' WHERE id = $1", [rollout.id]);
    expect((await handlingOf(rollout)).claim?.who).toBe("operator-person");
  });

  it("is given up only by its own person", async () => {
    const rollout = await addWaiting();
    await claim(rollout);
    await expect(release(rollout, admin)).rejects.toMatchObject({ code: "conflict" });
    await expect(release(rollout)).resolves.toMatchObject({ who: "operator-person" });
    expect((await handlingOf(rollout)).claim).toBeNull();
    await expect(release(rollout)).rejects.toMatchObject({ code: "conflict" });
    expect(await world.outcomesOf(rollout)).toEqual(["inbox.claimed applied", "inbox.claim-released applied"]);
  });

  it("keeps nobody from acting", async () => {
    const rollout = await addWaiting();
    await claim(rollout);
    await world.act({ rollout, action: "abort", actor: admin });
    expect(await world.outcomesOf(rollout)).toEqual([
      "inbox.claimed applied",
      "action.abort intent",
      "action.abort applied",
    ]);
  });

  it("is refused for another wait than the present one, and for none, and writes nothing", async () => {
    const rollout = await addWaiting();
    await expect(claim(rollout, { at: "2026-11-20T09:00:00.000Z" })).rejects.toMatchObject({ code: "stale_view" });
    await world.owner.query("UPDATE rollout SET attention_reason = NULL WHERE id = $1", [rollout.id]);
    await expect(claim(rollout)).rejects.toMatchObject({ code: "not_allowed_now" });
    expect(await world.outcomesOf(rollout)).toEqual([]);
  });

  it("takes any right to act there", async () => {
    const rollout = await addWaiting();
    const only = (actions: string[]): Actor => ({
      ...operator,
      rights: { ...operator.rights, grants: operator.rights.grants.map((grant) => ({ ...grant, actions })) },
    });
    for (const actor of [actorOf("viewer"), only(["nothing-of-this-name"])]) {
      expect((await handlingOf(rollout, actor)).mayClaim).toBe(false);
      await expect(claim(rollout, { actor })).rejects.toMatchObject({ code: "forbidden" });
    }
    expect((await handlingOf(rollout, only(["abort"]))).mayClaim).toBe(true);
    await expect(claim(rollout, { actor: only(["abort"]) })).resolves.toMatchObject({ isMine: true });
  });
});
