import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { deleteUnmatchedMessages } from "#lib/server/webhooks/store-messages.ts";
import { type HookWorld, hookCluster, type LiveCanary, startHookWorld } from "#test/hook-world.ts";

let world: HookWorld;
beforeAll(async () => {
  world = await startHookWorld();
});
afterAll(() => world.close());

const now = () => String(Date.now());
const event = (changes: Record<string, unknown> = {}) => ({
  metadata: {
    eventMessage: "Advance podinfo.test canary weight 10",
    eventType: "Normal",
    timestamp: now(),
    ...changes,
  },
});

async function tell(canary: LiveCanary, payload: Record<string, unknown>) {
  const { status } = await world.call(canary, { type: "event", payload });
  await world.flush();
  const { rows } = await world.query<{ reason: string }>(
    "SELECT reason FROM hook_call WHERE namespace = $1 ORDER BY id DESC LIMIT 1",
    [canary.namespace],
  );
  return `${status} ${rows[0]?.reason}`;
}

async function storedOf({ namespace }: LiveCanary) {
  const { rows } = await world.query("SELECT * FROM controller_message WHERE namespace = $1 ORDER BY id", [namespace]);
  return rows;
}

describe("an event", () => {
  it("is stored once, with the canary that it is about and both clocks", async () => {
    const canary = await world.addCanary();
    const payload = event({ environment: "test", cluster: "not ours" });
    expect(await tell(canary, payload)).toBe("202 new");
    expect(await tell(canary, payload)).toBe("202 same_name_message_timestamp");
    expect(await tell(canary, event({ timestamp: String(Date.now() + 5) }))).toBe("202 new");
    const rows = await storedOf(canary);
    expect(rows).toHaveLength(2);
    expect(rows[0]).toMatchObject({
      cluster: hookCluster,
      name: "podinfo",
      uid: canary.uid,
      rollout_id: canary.rolloutId,
      source: "webhook",
      type: "Normal",
      message: payload.metadata.eventMessage,
      controller_time: new Date(Number(payload.metadata.timestamp)),
      received_at: expect.any(Date),
      phase: "Progressing",
      checksum: canary.checksum,
    });
  });

  it("that is sent many times at once is stored once", async () => {
    const canary = await world.addCanary();
    const payload = event();
    const sent = await Promise.all(Array.from({ length: 20 }, () => world.call(canary, { type: "event", payload })));
    expect(new Set(sent.map(({ status }) => status))).toEqual(new Set([202]));
    expect(await storedOf(canary)).toHaveLength(1);
  });

  it("of an unknown phase is kept as it is", async () => {
    const canary = await world.addCanary();
    expect(await tell(canary, { ...event(), phase: "WaitingTrafficIncrease" })).toBe("202 unknown_phase_kept_verbatim");
    expect(await storedOf(canary)).toMatchObject([{ phase: "WaitingTrafficIncrease" }]);
  });

  it.each([
    [3_600_000, "202 source_clock_ahead"],
    [-3_600_000, "202 source_clock_behind"],
  ])("of a clock that differs by %s ms is answered so, and stored", async (ms, expected) => {
    const canary = await world.addCanary();
    expect(await tell(canary, event({ timestamp: String(Date.now() + ms) }))).toBe(expected);
    expect(await storedOf(canary)).toHaveLength(1);
  });

  it("has its secrets redacted, and what cannot be stored is escaped", async () => {
    const canary = await world.addCanary();
    const eventMessage = "Halt advancement POST https://me:hunter2hunter2@host/?token=abcdef123456 \u0000\ud800";
    expect(await tell(canary, event({ eventMessage }))).toBe("202 new");
    const [row] = await storedOf(canary);
    expect(row?.message).toBe("Halt advancement POST https://[redacted]@host/?token=[redacted] \\u0000\\ud800");
  });

  it.each([
    ["a message", { eventMessage: undefined }],
    ["a type", { eventType: undefined }],
    ["a time", { timestamp: undefined }],
    ["a usable time", { timestamp: "99999999999999" }],
  ])("without %s is refused", async (_, changes) => {
    const canary = await world.addCanary();
    expect((await world.call(canary, { type: "event", payload: event(changes) })).status).toBe(400);
    expect(await storedOf(canary)).toEqual([]);
  });

  it("does not come in through the name of another canary", async () => {
    const canary = await world.addCanary();
    const credential = await world.addCredential({ namespaces: ["elsewhere"] });
    expect((await world.call(canary, { type: "event", payload: event(), credential })).status).toBe(403);
    expect(await storedOf(canary)).toEqual([]);
  });
});

describe("an event of a canary that nobody knows", () => {
  it("is kept for a day, and no other message goes with it", async () => {
    const canary = await world.addCanary();
    const ghost = { ...canary, name: "ghost" };
    expect(await tell(ghost, event())).toBe("202 unknown_canary");
    expect(await tell(canary, event())).toBe("202 new");
    expect(await storedOf(canary)).toMatchObject([{ name: "ghost", uid: null, rollout_id: null }, { name: "podinfo" }]);
    const { pool } = world.web.runtime;
    expect(await deleteUnmatchedMessages(pool)).toBe(0);
    await world.query("UPDATE controller_message SET received_at = now() - interval '25 hours' WHERE namespace = $1", [
      canary.namespace,
    ]);
    expect(await deleteUnmatchedMessages(pool)).toBe(1);
    expect(await storedOf(canary)).toMatchObject([{ name: "podinfo" }]);
  });
});
