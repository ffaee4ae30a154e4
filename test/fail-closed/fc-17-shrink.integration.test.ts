import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { plainEntries } from "#test/plain-entries.ts";
import { waitFor } from "#test/recorder-world.ts";
import { createFailClosedWorld, type FailClosedWorld } from "./world.ts";

let world: FailClosedWorld;
beforeEach(async () => {
  world = await createFailClosedWorld();
});
afterEach(() => world.close());

// A busy machine must not make a watch look as if it hung: the text of the hold is compared.
const slowly = { confirmAfterMs: [2500, 500], watchGraceMs: 20_000 };
const forLong = { confirmAfterMs: [600_000, 600_000] };

function addTen(): void {
  for (let index = 0; index < 10; index++) world.addRollout(`shop-${index}`);
}

/** Expects the hold. The fault hides the last objects: shop-4 to shop-9. */
async function expectHeld(): Promise<void> {
  expect(await world.act({ name: "shop-9", action: "continue" })).toMatchObject({
    status: 409,
    body: { code: "source_stale", detail: expect.stringContaining("no longer shows this Rollout") },
  });
  expect(await world.act({ name: "shop-0", action: "continue" })).toMatchObject({ status: 202 });
  const missing = await world.call("GET", "/api/v1/rollouts/test/shop/Rollout/shop-9", { as: "viewer" });
  expect(missing.body.source).toMatchObject({ state: "suspect", fresh: false });
  const other = await world.call("GET", "/api/v1/rollouts/test/shop/Rollout/shop-1", { as: "viewer" });
  expect(other.body.source).toMatchObject({ state: "suspect", fresh: true, reason: null });
  const inbox = await world.call("GET", "/api/v1/inbox", { as: "operator" });
  const items = inbox.body.items as { rollout: { name: string }; actions: { action: string; allowed: boolean }[] }[];
  const mayContinue = (name: string) =>
    items.find(({ rollout }) => rollout.name === name)?.actions.find(({ action }) => action === "continue")?.allowed;
  expect([mayContinue("shop-9"), mayContinue("shop-1")]).toEqual([false, true]);
}

describe("FC-17 more than half gone at once", () => {
  it("in one list: the missing are held and do not advance, the others do", async () => {
    addTen();
    let may = false;
    await world.start({ mayMarkAbsent: () => may });
    const before = await world.rows();
    const held = await world.metricDelta("gatehouse_snapshot_held_total", { kind: "Rollout", reason: "shrink" });
    const absent = await world.metricDelta("gatehouse_objects_marked_absent_total", { kind: "Rollout" });
    world.fault("shrink", "rollouts");
    await world.relist("rollouts");
    const source = await world.becomes("Rollout", "suspect");
    expect(source.hold).toMatchObject({ reason: "shrink", count: 6 });
    expect(await world.rows()).toEqual(before);
    expect(await held()).toBe(1);
    await expectHeld();
    const { web, recorder } = await world.probes();
    expect([web.livez, web.readyz, recorder.livez, recorder.readyz]).toEqual([200, 200, 200, 200]);
    may = true;
    await world.becomes("Rollout", "live");
    expect(await world.presences()).toMatchObject({ "shop-0": "live", "shop-3": "live", "shop-4": "absent" });
    expect(await absent()).toBe(6);
  });

  it("in a watch: all of the burst are held, also those that went before it was one", async () => {
    addTen();
    await world.start({ timing: slowly });
    const held = await world.metricDelta("gatehouse_snapshot_held_total", { kind: "Rollout", reason: "shrink" });
    for (const index of [4, 5, 6, 7, 8, 9]) world.deleteRollout(`shop-${index}`);
    const source = await world.becomes("Rollout", "suspect");
    expect(await held()).toBe(1);
    await waitFor("all six held", async () => (await world.source("Rollout")).hold?.count === 6);
    expect(new Set(Object.values(await world.presences()))).toEqual(new Set(["live"]));
    expect(source.lastError).toContain("deleted within a minute");
    await world.becomes("Rollout", "live");
    expect(await world.presences()).toMatchObject({ "shop-3": "live", "shop-4": "deleted", "shop-9": "deleted" });
  });

  it("few deletions pass at once", async () => {
    addTen();
    await world.start({ timing: forLong });
    for (const index of [6, 7, 8, 9]) world.deleteRollout(`shop-${index}`);
    await waitFor("four deletions", async () => {
      const gone = Object.values(await world.presences()).filter((presence) => presence === "deleted");
      return gone.length === 4;
    });
    expect(await world.source("Rollout")).toMatchObject({ state: "live", hold: null });
    expect(await world.metric("gatehouse_snapshot_held_total")).toBe(0);
  });

  it("an admin can release it, with a reason, audited; the recorder then marks the objects at once", async () => {
    addTen();
    await world.start({ timing: forLong });
    const release = (as: "viewer" | "operator" | "admin", body: unknown) =>
      world.call("POST", "/api/v1/sources/release", { as, body });
    const asked = { source: "test/rollouts", reason: "the shop was closed" };
    expect(await release("admin", asked)).toMatchObject({ status: 409, body: { code: "not_allowed_now" } });
    world.fault("shrink", "rollouts");
    await world.relist("rollouts");
    await world.becomes("Rollout", "suspect");
    const { body: listed } = await world.call("GET", "/api/v1/sources/held?source=test%2Frollouts", { as: "viewer" });
    const names = (listed.items as { name: string }[]).map(({ name }) => name);
    expect(names.sort()).toEqual(["shop-4", "shop-5", "shop-6", "shop-7", "shop-8", "shop-9"]);
    expect((await release("viewer", asked)).status).toBe(403);
    expect((await release("operator", asked)).status).toBe(403);
    expect((await release("admin", { source: "test/rollouts" })).status).toBe(400);
    expect((await release("admin", { ...asked, reason: " " })).status).toBe(400);
    expect((await release("admin", { ...asked, source: "test/nothing" })).status).toBe(404);
    expect(await world.query("SELECT 1 FROM source_release")).toEqual([]);
    const absent = await world.metricDelta("gatehouse_objects_marked_absent_total", { presence: "absent" });
    const [one, other] = await Promise.all([release("admin", asked), release("admin", asked)]);
    expect([one.status, other.status].sort()).toEqual([202, 409]);
    const source = await world.becomes("Rollout", "live");
    expect(source.hold).toBeNull();
    expect(await world.presences()).toMatchObject({ "shop-3": "live", "shop-4": "absent", "shop-9": "absent" });
    expect(await absent()).toBe(6);
    await waitFor("the release as done", async () => {
      const rows = await world.query("SELECT 1 FROM source_release WHERE done_at IS NOT NULL");
      return rows.length === 1;
    });
    const { body: audit } = await world.call("GET", "/api/v1/audit", { as: "viewer" });
    const entries = (audit.items as { code: string }[]).filter(({ code }) => code === "source.hold-released");
    const { reason } = asked;
    expect(entries.toReversed()).toEqual([
      expect.objectContaining({ reason, outcome: "refused", actor: expect.objectContaining({ type: "token" }) }),
      expect.objectContaining({ reason, outcome: "refused" }),
      expect.objectContaining({ reason, outcome: "applied" }),
    ]);
    expect(await release("admin", asked)).toMatchObject({ status: 409, body: { code: "not_allowed_now" } });
  });

  it("a release is of one hold and of what was held then: it settles no other", async () => {
    addTen();
    await world.start({ timing: forLong });
    world.fault("shrink", "rollouts");
    await world.relist("rollouts");
    await world.becomes("Rollout", "suspect");
    // Requested when the same objects were held once before.
    await world.query(
      `WITH entry AS (${plainEntries(1)})
       INSERT INTO source_release (id, source_id, hold_id, uids, reason, audit_seq)
       SELECT gen_random_uuid(), source_id, gen_random_uuid(), ARRAY(SELECT jsonb_object_keys(objects)), 'old', 1
         FROM source_hold`,
    );
    const isDone = async () =>
      (await world.query("SELECT 1 FROM source_release WHERE done_at IS NOT NULL")).length === 1;
    await waitFor("the old release as done", isDone);
    expect((await world.source("Rollout")).hold).toMatchObject({ count: 6, releasing: false });
    expect(new Set(Object.values(await world.presences()))).toEqual(new Set(["live"]));
  });

  it("a release waits while nothing may be marked absent", async () => {
    addTen();
    let may = false;
    await world.start({ mayMarkAbsent: () => may, timing: { confirmAfterMs: [100, 600_000] } });
    world.fault("shrink", "rollouts");
    await world.relist("rollouts");
    await world.becomes("Rollout", "suspect");
    const body = { source: "test/rollouts", reason: "closed" };
    expect(await world.call("POST", "/api/v1/sources/release", { as: "admin", body })).toMatchObject({ status: 202 });
    const watches = await world.metricDelta("gatehouse_watch_restarts_total", { kind: "Rollout", reason: "closed" });
    await waitFor("another watch", async () => (await watches()) >= 1);
    expect((await world.source("Rollout")).hold).toMatchObject({ count: 6, releasing: true });
    may = true;
    await world.becomes("Rollout", "live");
    expect(await world.presences()).toMatchObject({ "shop-3": "live", "shop-4": "absent" });
  });

  it("can be released while the source is denied, when no read could confirm it", async () => {
    addTen();
    await world.start({ timing: forLong });
    world.fault("403", "rollouts", { verb: "list" });
    await world.becomes("Rollout", "denied");
    for (const index of [0, 1, 2, 3, 4, 5, 6]) world.deleteRollout(`shop-${index}`);
    // The list is allowed once, and refused from then on. The deletions are among the events replayed before it.
    world.fault("none");
    await waitFor("the hold", async () => (await world.source("Rollout")).hold !== null);
    world.fault("403", "rollouts", { verb: "list" });
    await world.becomes("Rollout", "denied");
    const body = { source: "test/rollouts", reason: "closed" };
    expect((await world.source("Rollout")).hold).toMatchObject({ count: 7 });
    expect(await world.call("POST", "/api/v1/sources/release", { as: "admin", body })).toMatchObject({ status: 202 });
    await waitFor("their end", async () => (await world.presences())["shop-0"] === "deleted");
    expect(await world.source("Rollout")).toMatchObject({ state: "denied", hold: null });
  });
});
