import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { judgeEvents } from "#lib/domain/kube-audit/judge-event-list.ts";
import { ClusterConfig } from "#lib/server/platform/config/cluster-schema.ts";
import { inTransaction } from "#lib/server/platform/db/in-transaction.ts";
import { makeAuditEvent } from "#test/audit-events.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { plainEntries } from "#test/plain-entries.ts";
import { createTestPool } from "#test/test-pool.ts";
import { eventRulesOf, storeWrites } from "./store-writes.ts";

const cluster = ClusterConfig.parse({ name: "prod", server: "http://127.0.0.1:1" });

let database: TestDatabase;
let owner: ReturnType<typeof createTestPool>;
let web: ReturnType<typeof createTestPool>;
let recorder: ReturnType<typeof createTestPool>;
beforeAll(async () => {
  database = await createTestDatabase();
  owner = createTestPool(database.ownerUrl, 1);
  web = createTestPool(database.webUrl, 1);
  recorder = createTestPool(database.recorderUrl, 1);
});
afterAll(async () => {
  await Promise.all([owner, web, recorder].map((pool) => pool.end()));
  await database.drop();
});

const at = new Date();
let seq = 0;

/** Adds an action of Gatehouse on an object in the namespace `shop`. Returns the audit id of its requests. */
async function addAction({ inCluster = "prod", requestedAt = at } = {}): Promise<string> {
  const [id, auditId] = [randomUUID(), randomUUID()];
  await owner.query(
    `INSERT INTO action (id, rollout_id, cluster, namespace, kind, name, action, state, actor_key, actor_name, view_digest,
       request_hash, request_id, requested_at, audit_id)
     VALUES ($1, $1, $2, 'shop', 'Rollout', 'checkout', 'abort', 'applied', 'k', 'n', '', '', 'r', $3, $4)`,
    [id, inCluster, requestedAt, auditId],
  );
  return auditId;
}

type Sent = { auditId: string; manager?: string; namespace?: string; changes?: Record<string, unknown> };

/** Makes the event of a request as Gatehouse sends it, or as a client that pretends to be Gatehouse. */
function eventOf({ auditId, manager = "gatehouse", namespace = "shop", changes = {} }: Sent) {
  const event = makeAuditEvent({ name: "checkout", namespace, at, agent: "gatehouse" });
  const requestURI = `${String(event.requestURI)}?fieldManager=${manager}`;
  return { ...event, auditID: auditId, requestURI, userAgent: "gatehouse", ...changes };
}

async function store(items: readonly unknown[], pool = web) {
  const { writes } = judgeEvents(items, eventRulesOf({ ...cluster, namespaces: ["*"] }));
  return inTransaction(pool, (tx) => storeWrites(tx, cluster.name, writes));
}

it("leaves out what Gatehouse sent itself, however many requests an action took", async () => {
  const auditId = await addAction();
  const later = { stageTimestamp: new Date(at.getTime() + 40_000).toISOString() };
  const items = [eventOf({ auditId }), eventOf({ auditId, changes: later })];
  expect(await store(items)).toEqual({ stored: 0, own: 2 });
  expect(await store(items, recorder)).toEqual({ stored: 0, own: 2 });
  expect(await store([eventOf({ auditId: auditId.toUpperCase() })])).toEqual({ stored: 0, own: 1 });
});

it.each<{ name: string; sent: () => Promise<Sent> }>([
  { name: "a random audit id", sent: async () => ({ auditId: randomUUID() }) },
  { name: "an audit id that is no UUID", sent: async () => ({ auditId: "gatehouse" }) },
  { name: "another client", sent: async () => ({ auditId: await addAction(), manager: "kubectl" }) },
  { name: "another namespace", sent: async () => ({ auditId: await addAction(), namespace: "billing" }) },
  {
    name: "the id of an action at another cluster",
    sent: async () => ({ auditId: await addAction({ inCluster: "b" }) }),
  },
  {
    name: "the id of an action that ended before",
    sent: async () => ({ auditId: await addAction({ requestedAt: new Date(at.getTime() - 301_000) }) }),
  },
])("keeps what pretends to be Gatehouse's, with $name", async ({ sent }) => {
  expect(await store([eventOf(await sent())])).toEqual({ stored: 1, own: 0 });
});

it("names the person of a request of Gatehouse's account whose audit id was lost on the way, and of no other", async () => {
  const accounts = ["system:serviceaccount:gatehouse:gatehouse-web", "system:serviceaccount:elsewhere:gatehouse-web"];
  await web.query("INSERT INTO cluster_account (cluster, username) VALUES ('prod', $1), ('other', $2)", accounts);
  const extra = { "gatehouse.dev/person": ["oidc:ada"] };
  const impersonatedUser = { username: "gatehouse:person", groups: ["oidc:dev"], extra };
  const sentBy = (username: string | undefined) =>
    eventOf({ auditId: randomUUID(), changes: { user: { username }, impersonatedUser } });
  for (const pool of [web, recorder]) expect(await store(accounts.map(sentBy), pool)).toEqual({ stored: 2, own: 0 });
  const sql = "SELECT DISTINCT username, impersonated_by FROM kubernetes_audit_event WHERE impersonated_by = ANY($1)";
  expect((await owner.query(`${sql} ORDER BY 1`, [accounts])).rows).toEqual([
    { username: "gatehouse:person", impersonated_by: accounts[1] },
    { username: "oidc:ada", impersonated_by: accounts[0] },
  ]);
});

it("keeps each request, if a client uses one audit id for several", async () => {
  const changes = { auditID: "mine", stageTimestamp: "2026-11-23T06:00:39.033362Z" };
  const next = { ...changes, stageTimestamp: "2026-11-23T06:00:39.033363Z" };
  const items = [changes, next].map((each) => makeAuditEvent({ name: "checkout", changes: each }));
  expect(await store(items)).toEqual({ stored: 2, own: 0 });
  expect(await store(items, recorder)).toEqual({ stored: 0, own: 0 });
});

it.each([
  { name: "one in its time", isDue: true },
  { name: "one that made its version", changes: { stageTimestamp: "2026-11-01T06:00:00Z" }, version: "7", isDue: true },
  { name: "one of another time", changes: { stageTimestamp: "2026-11-01T06:00:00Z" }, version: "8", isDue: false },
  { name: "one of another object", of: "cart", version: "7", isDue: false },
  { name: "one of another cluster", inCluster: "elsewhere", version: "7", isDue: false },
  { name: "one that is closed", state: "unknown", version: "7", isDue: false },
])("makes an open change due with an event, $name: $isDue", async (given) => {
  const { changes = {}, version, of = "web", inCluster = "prod", state = "open", isDue } = given;
  seq += 1;
  const auditSeq = seq;
  await owner.query(
    `WITH entry AS (${plainEntries(auditSeq)})
     INSERT INTO unasked_change (rollout_id, observation_id, audit_seq, cluster, namespace, kind, name, target_kind,
       target_name, action, client, window_from, window_to, version_after, at, look_at, state)
     VALUES (gen_random_uuid(), 0, $1, $2, 'shop', 'Rollout', $3, 'Rollout', 'web', 'abort', 'kubectl', $4, $4, '7', $4,
       'infinity', $5)`,
    [auditSeq, inCluster, of, at, state],
  );
  const responseObject = { metadata: { resourceVersion: version } };
  await store([makeAuditEvent({ name: "web", at, changes: { ...changes, responseObject } })]);
  const sql = "SELECT look_at <= clock_timestamp() AS due FROM unasked_change WHERE audit_seq = $1";
  expect((await owner.query(sql, [auditSeq])).rows).toEqual([{ due: isDue }]);
});
