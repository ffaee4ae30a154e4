import { afterAll, beforeAll, expect, it } from "vitest";
import { followActions } from "#lib/server/acting/follow/follow-actions.ts";
import { reviewFindings } from "#lib/server/oversight/review-findings.ts";
import { createFakeClock } from "#sandbox/controllers/testing/fake-clock.ts";
import { createWorld } from "#sandbox/controllers/testing/sandbox-world.ts";
import { type ActingWorld, createActingWorld } from "#test/acting-world.ts";
import { markSettled } from "#test/mark-settled.ts";

let world: ActingWorld;

beforeAll(async () => {
  world = await createActingWorld();
});
afterAll(() => world.close());

const onError = (error: unknown): never => {
  throw error;
};
const follow = () => followActions({ pool: world.recorder, clusterFor: () => world.client, onError });
const stateOf = async (id: string): Promise<unknown> => (await world.rowOf(id)).state;

/** Makes the action an hour old, so that its deadline is over. */
async function age(id: string): Promise<void> {
  await world.owner.query(
    "UPDATE action SET requested_at = requested_at - interval '1 hour', deadline_at = deadline_at - interval '1 hour' WHERE id = $1",
    [id],
  );
}

it("an action whose effect never came has an entry that says so, and names who had asked; once, for several recorders", async () => {
  const rollout = await world.addRollout();
  const { id } = await world.act({ rollout, action: "abort" });
  await age(id);
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
  expect(await stateOf(id)).toBe("not-effective");
});

/** Returns the open findings that the rule about actions has of these rollouts, as "name: title". */
async function findings(): Promise<string[]> {
  await markSettled(world.recorder);
  await reviewFindings({ pool: world.recorder, scopes: [], onError });
  const { rows } = await world.owner.query<{ text: string }>(
    `SELECT concat(name, ': ', title) AS text FROM finding
     WHERE rule = $1 AND closed_at IS NULL AND namespace IN ('payments', 'storefront') ORDER BY 1`,
    ["action-without-effect"],
  );
  return rows.map(({ text }) => text);
}

it("a controller that does not act is a finding after the deadline; one that is slow is none", async () => {
  const clock = createFakeClock(Date.now() - 50_000);
  const only = ["payments/checkout", "storefront/catalog"];
  const cluster = createWorld({ store: world.sandbox.store, clock, only });
  cluster.controllers.startScenarios();
  clock.advance(50_000);
  const checkout = await world.adoptRollout({ namespace: "payments", name: "checkout" });
  const catalog = await world.adoptRollout({ namespace: "storefront", name: "catalog" });

  const slow = await world.act({ rollout: catalog, action: "abort" });
  await follow();
  expect(await stateOf(slow.id)).toBe("applied");
  expect(await findings()).toEqual([]);
  clock.advance(20_000);
  await catalog.record();
  await age(slow.id);
  await follow();
  expect(await stateOf(slow.id)).toBe("effective");
  cluster.controllers.stop();

  const { id } = await world.act({ rollout: checkout, action: "abort" });
  await checkout.record();
  await age(id);
  await follow();
  expect(await findings()).toEqual(["checkout: Abort has had no effect"]);
});
