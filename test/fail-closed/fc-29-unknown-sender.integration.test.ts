import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type HookWorld, hookCluster, startHookWorld } from "#test/hook-world.ts";

let world: HookWorld;
beforeAll(async () => {
  world = await startHookWorld();
});
afterAll(() => world.close());

const metadata = { eventMessage: "Canary failed! Scaling down", eventType: "Warning", timestamp: String(Date.now()) };
const count = async (where: string) =>
  Number((await world.query<{ n: string }>(`SELECT count(*) AS n FROM controller_message WHERE ${where}`)).rows[0]?.n);

describe("FC-29 events of an unknown cluster or canary", () => {
  it("of an unknown canary are kept apart for a day, and change nothing that is shown", async () => {
    const canary = await world.addCanary();
    const { rows: before } = await world.query("SELECT * FROM rollout");
    const ghost = { ...canary, name: "ghost" };
    expect(await world.call(ghost, { type: "event", payload: { metadata } })).toMatchObject({ status: 202 });
    expect(await count("name = 'ghost' AND uid IS NULL AND rollout_id IS NULL")).toBe(1);
    expect((await world.query("SELECT * FROM rollout")).rows).toEqual(before);
    await world.query("UPDATE controller_message SET received_at = now() - interval '25 hours'");
    await world.query("SELECT delete_unmatched_messages()");
    expect(await count("true")).toBe(0);
  });

  it("of an unknown cluster are refused, and its gates are closed", async () => {
    const canary = await world.addCanary();
    const credential = await world.addCredential({ cluster: "elsewhere" });
    for (const type of ["event", "confirm-promotion", "rollback"])
      for (const cluster of ["elsewhere", hookCluster])
        expect(await world.call(canary, { type, cluster, credential, payload: { metadata } })).toMatchObject({
          passes: false,
          status: 403,
        });
    expect(await count("true")).toBe(0);
  });
});
