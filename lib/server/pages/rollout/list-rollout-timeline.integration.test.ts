import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listOf } from "#lib/contract/common.ts";
import { TimelineEvent } from "#lib/contract/timeline.ts";
import { type ActingWorld, actorOf, createActingWorld } from "#test/acting-world.ts";
import { listRolloutTimeline } from "./list-rollout-timeline.ts";

let world: ActingWorld;
let path: { cluster: string; namespace: string; kind: "Rollout"; name: string };
const at = (second: number): Date => new Date(Date.UTC(2026, 10, 20, 8, 0, second));

beforeAll(async () => {
  world = await createActingWorld();
  const rollout = await world.addRollout();
  path = { ...rollout.path, kind: "Rollout" };
  const { rows: ids } = await world.owner.query<{ id: string }>("SELECT id FROM rollout WHERE name = $1", [path.name]);
  const rolloutId = ids[0]?.id ?? "";
  await world.owner.query("DELETE FROM timeline_event WHERE rollout_id = $1", [rolloutId]);
  await world.owner.query("DELETE FROM release WHERE rollout_id = $1", [rolloutId]);
  for (const [revision, startedAt] of [
    [1, at(10)],
    [2, at(20)],
  ] as const)
    await world.owner.query(
      `INSERT INTO release (id, rollout_id, run_key, attempt, revision, state, message, images, started_at, updated_at)
       VALUES ($1, $2, $3, 1, $4, 'aborted', '', $5, $6::timestamptz + interval '400 microseconds', now())`,
      [randomUUID(), rolloutId, `hash-${revision}`, revision, JSON.stringify([`shop:${revision}`]), startedAt],
    );
  const events = [
    { second: 5, kind: "phase", text: "First seen: Healthy" },
    { second: 10, kind: "revision", text: "Revision 1 begins: shop:1" },
    { second: 20, kind: "revision", text: "Revision 2 begins: shop:2" },
    { second: 30, kind: "abort", text: "Aborted" },
  ];
  for (const { second, kind, text } of events)
    await world.owner.query(
      `INSERT INTO timeline_event (id, rollout_id, at, ord, kind, text, phase)
       VALUES ($1, $2, $3::timestamptz + interval '400 microseconds', 0, $4, $5, 'Healthy')`,
      [randomUUID(), rolloutId, at(second), kind, text],
    );
  for (const [second, state, reason] of [
    [25, "refused", null],
    [29, "effective", "errors"],
  ] as const)
    await world.owner.query(
      `INSERT INTO action (id, rollout_id, cluster, namespace, kind, name, action, state, actor_key, actor_name,
         actor_username, view_digest, request_hash, request_id, reason, message, requested_at)
       VALUES ($1, $2, $3, $4, 'Rollout', $5, 'abort', $6, 'k', 'Oncall', 'Oncall', 'd', 'h', 'r', $7, $8, $9)`,
      [
        randomUUID(),
        rolloutId,
        path.cluster,
        path.namespace,
        path.name,
        state,
        reason,
        state === "refused" ? "No rights." : "",
        at(second),
      ],
    );
});
afterAll(() => world.close());

async function list(limit: number, cursor?: string) {
  const ctx = world.contextOf(actorOf("viewer"));
  const page = await listRolloutTimeline({ ctx, input: { ...path, limit, cursor } });
  return listOf(TimelineEvent).parse(page);
}

describe("the timeline of a rollout", () => {
  it("says of each event which release was the newest, and of each act its reason and its refusal", async () => {
    const { items } = await list(50);
    expect(
      items.map(({ text, release, reason, isRefused }) => [text, release?.revision ?? null, reason, isRefused]),
    ).toEqual([
      ["Aborted", 2, null, false],
      ["Oncall aborted it: “errors”", 2, "errors", false],
      ["Oncall was not allowed to abort it: No rights.", 2, null, true],
      ["Revision 2 begins: shop:2", 2, null, false],
      ["Revision 1 begins: shop:1", 1, null, false],
      ["First seen: Healthy", null, null, false],
    ]);
    expect(items[0]?.release).toMatchObject({ state: "aborted", attempt: 1, images: ["shop:2"] });
  });

  it("says the same page by page", async () => {
    const whole = (await list(50)).items.map(({ id, release }) => [id, release?.id]);
    const pages: unknown[] = [];
    let cursor: string | undefined;
    do {
      const page = await list(2, cursor);
      pages.push(...page.items.map(({ id, release }) => [id, release?.id]));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(pages).toEqual(whole);
  });
});
