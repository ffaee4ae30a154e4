import { afterAll, beforeAll, expect, it } from "vitest";
import { followActions } from "#lib/server/acting/follow-actions.ts";
import { type ActingWorld, createActingWorld } from "#test/acting-world.ts";

let world: ActingWorld;

beforeAll(async () => {
  world = await createActingWorld();
});
afterAll(() => world.close());

it("an action whose effect never came has an entry that says so, and names who had asked; once, for several recorders", async () => {
  const rollout = await world.addRollout();
  const { id } = await world.act({ rollout, action: "abort" });
  await world.owner.query(
    "UPDATE action SET requested_at = requested_at - interval '1 hour', deadline_at = deadline_at - interval '1 hour' WHERE id = $1",
    [id],
  );
  const follow = () =>
    followActions({
      pool: world.recorder,
      clusterFor: () => world.client,
      onError: (error) => {
        throw error;
      },
    });
  await Promise.all([follow(), follow()]);
  await follow();

  const entries = (await world.entriesOf(rollout)).filter(({ code }) => code === "action.without-effect");
  expect(entries).toMatchObject([
    {
      source: "system",
      action: "abort",
      actionId: id,
      detail: {
        message: "The controller has not picked it up.",
        requestedBy: { issuer: "https://issuer.example", subject: "operator-person" },
      },
    },
  ]);
  expect(entries[0]).not.toHaveProperty("outcome");
  const { rows } = await world.owner.query("SELECT state FROM action WHERE id = $1", [id]);
  expect(rows).toEqual([{ state: "not-effective" }]);
});
