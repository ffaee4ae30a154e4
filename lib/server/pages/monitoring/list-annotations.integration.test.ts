import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Annotation, AnnotationQuery } from "#lib/contract/monitoring.ts";
import type { Rights } from "#lib/domain/policy/rights.ts";
import { actorOf } from "#test/acting-world.ts";
import { connectRecorded, type Recorded, type RecordedRollout } from "#test/recorded.ts";
import { createTestPool } from "#test/test-pool.ts";
import { startTestWeb, type TestWeb } from "#test/web-runtime.ts";
import { listAnnotations } from "./list-annotations.ts";

const minute = (at: number) => new Date(Date.UTC(2026, 10, 20, 10, at));
const day = { from: "2026-11-20T10:00:00Z", to: "2026-11-20T11:00:00Z" };

let web: TestWeb;
let recorded: Recorded;
let owner: Pool;
let checkout: RecordedRollout;

beforeAll(async () => {
  web = await startTestWeb({ config: { publicUrl: "https://gatehouse.example.com/desk" } });
  recorded = await connectRecorded(web.database.recorderUrl);
  owner = createTestPool(web.database.ownerUrl);
  checkout = await recorded.addRollout({ namespace: "pay", name: "checkout" });
  const cart = await recorded.addRollout({ namespace: "shop", name: "cart" });
  await addRelease(checkout, { from: minute(10), to: minute(20), state: "promoted" });
  await addRelease(cart, { from: minute(30), state: "paused" });
  // Under way at the beginning of the span; ended before it; under way for too long.
  await addRelease(cart, { from: minute(-60), to: minute(5), state: "aborted" });
  await addRelease(cart, { from: minute(-60), to: minute(-30), state: "superseded" });
  await addRelease(cart, { from: minute(-9 * 24 * 60), to: minute(5), state: "unknown" });
  await addEvent(checkout, { at: minute(12), kind: "step", text: "Step 1 of 4 completed" });
  await addEvent(checkout, { at: minute(13), kind: "run", text: "Analysis x began" });
  await addEvent(cart, { at: minute(31), kind: "step", text: "Step 1 of 4 completed" });
  await addAction(checkout, { at: minute(15), state: "effective", reason: "errors, many" });
  await addAction(checkout, { at: minute(60), state: "effective", reason: "late" });
  await addAction(cart, { at: new Date(Date.now() - 60_000), state: "refused", reason: "now" });
});
afterAll(async () => {
  await Promise.all([owner.end(), recorded.close()]);
  await web.close();
});

async function addRelease(
  { id }: RecordedRollout,
  { from, to, state }: { from: Date; to?: Date; state: string },
): Promise<void> {
  const release = await recorded.addRelease({ rolloutId: id, runKey: randomUUID(), startedAt: from, state });
  await owner.query("UPDATE release SET ended_at = $2, revision = 3 WHERE id = $1", [release.id, to ?? null]);
}

async function addEvent({ id }: RecordedRollout, event: { at: Date; kind: string; text: string }): Promise<void> {
  await owner.query("INSERT INTO timeline_event (id, rollout_id, at, kind, text) VALUES ($1, $2, $3, $4, $5)", [
    ...[randomUUID(), id, event.at, event.kind, event.text],
  ]);
}

async function addAction(
  { id, cluster, namespace, name }: RecordedRollout,
  { at, state, reason }: { at: Date; state: string; reason: string },
): Promise<void> {
  await owner.query(
    `INSERT INTO action (id, rollout_id, cluster, namespace, kind, name, action, state, reason, actor_key, actor_name, view_digest, request_hash, request_id, requested_at)
     VALUES ($1, $2, $3, $4, 'Rollout', $5, 'abort', $6, $7, 'x', 'Jane', 'd', 'h', 'r', $8)`,
    [randomUUID(), id, cluster, namespace, name, state, reason, at],
  );
}

async function list(input: Record<string, unknown>, rights?: Rights): Promise<Annotation[]> {
  const actor = { ...actorOf("viewer"), ...(rights === undefined ? {} : { rights }) };
  const ctx = { runtime: web.runtime, actor, requestId: "test" };
  const items: Annotation[] = [];
  let cursor: string | undefined;
  do {
    const page = await listAnnotations({ ctx, input: AnnotationQuery.parse({ ...day, ...input, cursor }) });
    items.push(...page.items);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return items;
}

const inShort = (items: readonly Annotation[]) =>
  items.map(({ time, kind, title }) => `${time.slice(11, 16)} ${kind} ${title}`);

describe("annotations", () => {
  it("are releases and actions of the span, newest first, with the releases that were under way", async () => {
    expect(inShort(await list({}))).toEqual([
      "10:30 release cart: paused",
      "10:15 action checkout",
      "10:10 release checkout: promoted",
      "09:00 release cart: aborted",
    ]);
  });

  it("have the fields of Grafana's annotations, and the address of a page", async () => {
    const [action, release] = await list({ namespace: "pay", cluster: "demo" });
    expect(action).toMatchObject({
      time: minute(15).toISOString(),
      timeEnd: null,
      text: "Jane aborted it: “errors, many”",
      tags: "action,effective,demo,pay,checkout",
      url: "https://gatehouse.example.com/desk/rollouts/demo/pay/Rollout/checkout",
    });
    expect(release).toMatchObject({
      timeEnd: minute(20).toISOString(),
      text: "revision 3, shop:2",
      tags: "release,promoted,demo,pay,checkout",
      rollout: { id: checkout.path },
      url: expect.stringMatching(/^https:\/\/gatehouse\.example\.com\/desk\/releases\/[\da-f-]{36}$/),
    });
  });

  it("are steps as well for one rollout", async () => {
    const all = await list({ name: "checkout" });
    expect(inShort(all)).toEqual(["10:15 action checkout", "10:12 step checkout", "10:10 release checkout: promoted"]);
    expect(all[1]?.text).toBe("Step 1 of 4 completed");
    expect(await list({ name: "checkout", kind: "step" })).toEqual(all.slice(1, 2));
    await expect(list({ kind: "step" })).rejects.toMatchObject({ code: "invalid_request" });
  });

  it("are the same over pages of one", async () => {
    expect(await list({ limit: 1 })).toEqual(await list({}));
    expect(await list({ limit: 1, name: "checkout" })).toEqual(await list({ name: "checkout" }));
  });

  it("are those of the last day until `to`, if no beginning is given", async () => {
    expect(await list({ from: undefined })).toHaveLength(5);
    expect(await list({ from: undefined, to: "2026-11-20T10:12:00Z", kind: "action" })).toEqual([]);
    expect(await list({ from: undefined, to: undefined, kind: "action" })).toHaveLength(1);
  });

  it("leave out rollouts that the caller may not read", async () => {
    const scope = { clusters: ["demo"], namespaces: ["shop"], rollouts: ["*"] };
    const rights: Rights = { grants: [{ role: "viewer", scope, actions: [], breakGlass: false }], cap: "viewer" };
    expect(inShort(await list({}, rights))).toEqual(["10:30 release cart: paused", "09:00 release cart: aborted"]);
    expect(await list({ name: "checkout" }, rights)).toEqual([]);
  });
});
