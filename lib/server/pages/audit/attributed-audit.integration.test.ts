import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { AuditDetail, AuditListQuery } from "#lib/contract/audit.ts";
import { judgeEvents } from "#lib/domain/kube-audit/judge-event-list.ts";
import { appendAudit } from "#lib/server/audit/append-audit.ts";
import { eventRulesOf, storeWrites } from "#lib/server/kube-audit/store-writes.ts";
import { getAuditEntry } from "#lib/server/pages/audit/get-audit-entry.ts";
import { listAudit } from "#lib/server/pages/audit/list-audit.ts";
import { inTransaction } from "#lib/server/platform/db/in-transaction.ts";
import { type ActingWorld, actorOf, createActingWorld } from "#test/acting-world.ts";
import { makeAuditEvent } from "#test/audit-events.ts";

let world: ActingWorld;
beforeAll(async () => {
  world = await createActingWorld();
});
afterAll(() => world.close());

const ctxOf = (role: "viewer" | "admin") => ({
  runtime: world.runtime,
  actor: actorOf(role),
  requestId: randomUUID(),
});
const read = async (seq: number, role: "viewer" | "admin" = "admin") =>
  AuditDetail.parse(await getAuditEntry({ ctx: ctxOf(role), input: { seq } }));

it("shows the person whom a later entry names with the entry that it explains", async () => {
  const { path } = await world.addRollout();
  const { cluster, namespace, name } = path;
  const target = { cluster, namespace, kind: "Rollout", name };
  const change = { source: "cluster" as const, action: "abort", target, outcome: "applied" as const };
  const { pool } = world.runtime;
  const actor = { type: "unknown" as const, name: "kubectl" };
  const former = await appendAudit({
    pool,
    entry: { ...change, actor, code: "cluster.abort", detail: { client: "kubectl" }, requestId: "1" },
  });
  const event = makeAuditEvent({ name, namespace });
  const [configured] = world.runtime.config().config.clusters;
  if (configured === undefined) throw new Error("the world has no cluster");
  const { writes } = judgeEvents([event], eventRulesOf({ ...configured, namespaces: ["*"] }));
  await inTransaction(pool, (tx) => storeWrites(tx, cluster, writes));
  const person = {
    found: true,
    type: "user",
    name: "alice",
    program: "kubectl",
    userAgent: "kubectl/v1",
    evidence: "time",
  };
  const later = await appendAudit({
    pool,
    entry: {
      ...{ ...change, code: "cluster.attributed", requestId: "2" },
      actor: { type: "kubernetes-user", name: "alice" },
      detail: { explains: former.seq, person },
    },
  });
  await world.owner.query(
    `INSERT INTO unasked_change (rollout_id, observation_id, audit_seq, cluster, namespace, kind, name, target_kind,
       target_name, action, window_from, window_to, at, state, attributed_seq, audit_event_id)
     SELECT gen_random_uuid(), 0, $1, $2, $3, 'Rollout', $4, 'Rollout', $4, 'abort', now(), now(), now(), 'named', $5, id
       FROM kubernetes_audit_event WHERE audit_id = $6`,
    [former.seq, cluster, namespace, name, later.seq, event.auditID],
  );

  const { items } = await listAudit({ ctx: ctxOf("viewer"), input: AuditListQuery.parse({ source: "cluster" }) });
  expect(items.map(({ seq, sentence, attributedBy }) => [seq, sentence, attributedBy])).toEqual([
    [later.seq, `alice, with kubectl, aborted ${namespace}/${name} (entry ${former.seq})`, null],
    [former.seq, `alice, with kubectl, aborted ${namespace}/${name}`, later.seq],
  ]);
  // The entry itself is as it was hashed.
  expect(items[1]?.actor).toEqual(actor);
  const detail = await read(former.seq);
  expect(detail.linkOk).toBe(true);
  expect(detail.entry).not.toContain("alice");
  for (const seq of [former.seq, later.seq])
    expect((await read(seq)).request).toMatchObject({
      auditId: event.auditID,
      username: "sre-oncall@example.com",
      groups: ["sre", "system:authenticated"],
      sourceAddresses: ["192.0.2.7"],
    });
  // Groups and addresses are for admins of the cluster, and only as long as they are kept.
  expect((await read(former.seq, "viewer")).request).toBeNull();
  await world.owner.query("DELETE FROM kubernetes_audit_event");
  expect(await read(former.seq)).toMatchObject({ request: null, attributedBy: later.seq });
});
