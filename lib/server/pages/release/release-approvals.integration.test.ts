import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { requestApproval } from "#lib/server/acting/act/request-approval.ts";
import { decideApproval } from "#lib/server/acting/approvals/approvals.ts";
import { getRelease } from "#lib/server/pages/release/get-release.ts";
import { listRolloutTimeline } from "#lib/server/pages/rollout/list-rollout-timeline.ts";
import { type ActingWorld, actorOf, createActingWorld } from "#test/acting-world.ts";

let world: ActingWorld;
beforeAll(async () => {
  world = await createActingWorld();
});
afterAll(() => world.close());

it("tells a request for approval and its answer, each once with its entry, on the timeline and of the release", async () => {
  world.setPolicies({ secondPerson: [{ name: "four eyes", actions: ["continue"] }] });
  const rollout = await world.addRollout();
  const release = randomUUID();
  await world.owner.query(
    `INSERT INTO release (id, rollout_id, run_key, attempt, state, message, started_at, updated_at)
     VALUES ($1, $2, 'new', 1, 'promoted', '', now() - interval '5 minutes', now())`,
    [release, rollout.id],
  );
  const [operator, admin] = [actorOf("operator"), actorOf("admin")];
  const { id, viewDigest } = await requestApproval({
    ctx: world.contextOf(operator),
    input: { ...rollout.path, action: "continue", reason: "fine", expect: await rollout.look() },
  });
  const decision = { id, decision: "approve" as const, viewDigest, reason: "looks good" };
  await decideApproval({ ctx: world.contextOf(admin), input: decision });

  const ctx = world.contextOf(actorOf("viewer"));
  const { items } = await listRolloutTimeline({ ctx, input: { ...rollout.path, limit: 50 } });
  const told = items.filter(({ kind }) => kind === "approval");
  expect(told.map(({ text }) => text)).toEqual([
    "admin-person approved the request to continue it: “looks good”",
    "operator-person requested approval to continue it: “fine”",
  ]);
  const { acts } = await getRelease({ ctx, input: { id: release } });
  expect(acts.latest.map(({ who, did, reason, action }) => [who, did, reason, action])).toEqual([
    ["admin-person", "approved the request to continue it", "looks good", ""],
    ["operator-person", "requested approval to continue it", "fine", ""],
  ]);
  expect(told.map(({ auditSeq }) => auditSeq)).toEqual(acts.latest.map(({ seq }) => seq));
});
