import { afterEach, beforeEach, expect, it } from "vitest";
import type { ActionParams } from "#lib/contract/action.ts";
import type { ActionName } from "#lib/contract/rollout.ts";
import { followActions } from "#lib/server/acting/follow-actions.ts";
import { actOnSubject } from "#lib/server/services/acting/act-on-subject.ts";
import { createFakeClock } from "#sandbox/controllers/testing/fake-clock.ts";
import { createWorld, type World } from "#sandbox/controllers/testing/sandbox-world.ts";
import { type ActingWorld, actorOf, createActingWorld, type TestRollout } from "#test/acting-world.ts";

let acting: ActingWorld;
let cluster: World;

/** Scenarios stand in their waiting states 50 s after their start. */
beforeEach(async () => {
  acting = await createActingWorld();
  cluster = createWorld({ store: acting.sandbox.store, clock: createFakeClock() });
  cluster.controllers.startScenarios();
  cluster.clock.advance(50_000);
});
afterEach(() => acting.close());

async function stateAfter(id: string, rollout: TestRollout): Promise<string> {
  await rollout.record();
  await followActions({ pool: acting.recorder, clusterFor: () => acting.client });
  const { rows } = await acting.owner.query("SELECT state FROM action WHERE id = $1", [id]);
  return rows[0].state;
}

const tracking = { namespace: "logistics", name: "tracking" };
const checkout = { namespace: "payments", name: "checkout" };
const cases: { action: ActionName; namespace: string; name: string; params?: ActionParams }[] = [
  { action: "undo", ...checkout },
  { action: "undo", ...tracking },
  { action: "set-image", ...checkout, params: { container: "*", image: "shop/other:9" } },
  { action: "set-image", ...tracking, params: { container: "*", image: "shop/other:9" } },
  { action: "restart", ...checkout },
  { action: "continue", namespace: "platform", name: "gateway" },
  { action: "accept-step", namespace: "payments", name: "checkout" },
  { action: "measure-again", namespace: "payments", name: "checkout" },
  { action: "continue-waive", namespace: "storefront", name: "catalog" },
  { action: "abort", namespace: "payments", name: "checkout" },
  { action: "retry", namespace: "search", name: "query-api" },
];

it.each(cases)(
  "$action on $namespace/$name is effective once the controller has acted, and not before",
  async (row) => {
    const rollout = await acting.adoptRollout(row);
    const { id, state } = await acting.act({ rollout, action: row.action, params: row.params ?? {} });
    expect(state).toBe("applied");
    expect(await stateAfter(id, rollout)).toBe("applied");
    cluster.clock.advance(3_000);
    expect(await stateAfter(id, rollout)).toBe("effective");
  },
);

it("terminate on a running run is effective once the controller has ended it", async () => {
  const { store } = acting.sandbox;
  const run = store.list("analysisruns").find(({ status }) => status?.phase === "Running");
  if (run === undefined) throw new Error("no run is running");
  const { namespace = "", name, uid, resourceVersion, ownerReferences } = run.metadata;
  const owner = ownerReferences?.[0]?.name ?? "";
  const rollout = await acting.adoptRollout({ namespace, name: owner });
  await acting.owner.query(
    `INSERT INTO analysis_run (uid, rollout_id, cluster, namespace, name, type, phase, message, spec, resource_version,
       created_at, updated_at, owner_kind, owner_name)
     VALUES ($1, $2, 'prod-eu', $3, $4, 'Step', 'Running', '', '{"metrics":[]}', $5, now(), now(), 'Rollout', $6)`,
    [uid, rollout.id, namespace, name, resourceVersion, owner],
  );
  const input = { uid, action: "terminate" as const, reason: "noise", expect: await rollout.look() };
  const ctx = acting.contextOf(actorOf("operator"));
  const { id, state } = await actOnSubject({ ctx, kind: "AnalysisRun", input });
  expect(state).toBe("applied");
  cluster.clock.advance(3_000);
  await acting.owner.query("UPDATE action SET deadline_at = now() - interval '1 second' WHERE id = $1", [id]);
  expect(await stateAfter(id, rollout)).toBe("effective");
});
