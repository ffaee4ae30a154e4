import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createHookSecret, hashHookSecret } from "#lib/server/webhooks/hook-secret.ts";
import { deliverAudit, listAuditEvents, makeAuditEvent } from "#test/audit-events.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { type Credential, type HookWorld, hookCluster, startHookWorld } from "#test/hook-world.ts";
import { startTcpProxy, type TcpProxy } from "#test/tcp-proxy.ts";
import { createTestPool } from "#test/test-pool.ts";

let database: TestDatabase;
let proxy: TcpProxy;
let world: HookWorld;
let credential: Credential;

beforeAll(async () => {
  database = await createTestDatabase();
  proxy = await startTcpProxy({ port: Number(new URL(database.webUrl).port) });
  world = await startHookWorld({ database, databaseUrl: proxy.throughProxy(database.webUrl) });
  credential = await addCredential();
});
afterAll(async () => {
  proxy.resume();
  await world.close();
  await proxy.close();
  await database.drop();
});

async function addCredential(changes: { purpose?: string; cluster?: string; namespaces?: string[] } = {}) {
  const { purpose = "kubernetes-audit", cluster = hookCluster, namespaces = ["*"] } = changes;
  const made = { id: randomUUID(), secret: createHookSecret() };
  await world.query(
    `INSERT INTO hook_credential (id, name, cluster, namespaces, purpose, secret_hash, created_by)
     VALUES ($1, 'api server', $2, $3, $4, $5, 'test')`,
    [made.id, cluster, namespaces, purpose, hashHookSecret(made.secret)],
  );
  return made;
}

const bearer = ({ id, secret }: Credential) => `Bearer ${id}.${secret}`;
const basic = ({ id, secret }: Credential) => `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}`;

type Delivery = { authorization?: string | undefined; cluster?: string; body?: string; items?: unknown[] };
function deliver({ cluster = hookCluster, items = [makeAuditEvent({ name: "checkout" })], ...given }: Delivery = {}) {
  const authorization = "authorization" in given ? given.authorization : bearer(credential);
  const body = given.body ?? JSON.stringify(listAuditEvents(items));
  return deliverAudit(`${world.url}/hooks/kubernetes-audit/${cluster}`, { authorization, body });
}

const largest = 16 * 1024 * 1024;
function eventList(item: string, times: number): string {
  return `{"kind":"EventList","apiVersion":"audit.k8s.io/v1","items":[${item.repeat(times)}{}]}`;
}

const count = async () => {
  const { rows } = await world.query<{ count: number }>("SELECT count(*)::int AS count FROM kubernetes_audit_event");
  return rows[0]?.count;
};

describe("the audit webhook", () => {
  it("stores what concerns us, once however often it is delivered", async () => {
    const event = makeAuditEvent({ name: "checkout" });
    const items = [event, event, makeAuditEvent({ name: "x", resource: "analysistemplates" }), "no event"];
    const first = await deliver({ items });
    expect([first.reported, first.answer.events]).toEqual(["200 stored", { stored: 1, received: 4 }]);
    const again = await deliver({ items: [...items, makeAuditEvent({ name: "cart" })] });
    expect([again.reported, again.answer.events]).toEqual(["200 stored", { stored: 1, received: 5 }]);
    const { rows } = await world.query(
      "SELECT audit_id, cluster, kind, username, user_groups, source_ips, fields FROM kubernetes_audit_event WHERE audit_id = $1",
      [event.auditID],
    );
    expect(rows).toEqual([
      {
        audit_id: event.auditID,
        cluster: hookCluster,
        kind: "Rollout",
        username: "sre-oncall@example.com",
        user_groups: ["sre", "system:authenticated"],
        source_ips: ["192.0.2.7"],
        fields: ["status.abort"],
      },
    ]);
  });

  it("stores the same event of two deliveries at once one time", async () => {
    const items = Array.from({ length: 50 }, () => makeAuditEvent({ name: "checkout" }));
    const before = (await count()) ?? 0;
    const answers = await Promise.all([deliver({ items }), deliver({ items: items.toReversed() })]);
    expect(answers.map(({ reported }) => reported)).toEqual(["200 stored", "200 stored"]);
    expect(await count()).toBe(before + 50);
  });

  it("takes the credential as a token or as user and password", async () => {
    expect((await deliver({ authorization: basic(credential) })).reported).toBe("200 stored");
    await expect
      .poll(async () => {
        const sql = "SELECT last_used_at FROM hook_credential WHERE id = $1";
        return (await world.query<{ last_used_at: Date | null }>(sql, [credential.id])).rows[0]?.last_used_at;
      })
      .toBeInstanceOf(Date);
  });

  it("keeps only events of the credential's namespaces", async () => {
    const authorization = bearer(await addCredential({ namespaces: ["shop-*"] }));
    const items = ["shop", "shop-eu"].map((namespace) => makeAuditEvent({ name: "checkout", namespace }));
    expect((await deliver({ authorization, items })).answer.events).toEqual({ stored: 1, received: 2 });
  });

  it("answers what it cannot take, and stores nothing of it", async () => {
    const before = await count();
    const bodies: [name: string, body: string, reported: string][] = [
      ["nothing", "", "400 bad_payload"],
      ["no JSON", "{", "400 bad_payload"],
      ["an event that is in no list", JSON.stringify(makeAuditEvent({ name: "x" })), "400 bad_payload"],
      ["another version", JSON.stringify({ ...listAuditEvents([]), apiVersion: "audit.k8s.io/v2" }), "400 bad_payload"],
      ["deep nesting", "[".repeat(60_000), "400 bad_payload"],
      ["16 MiB", JSON.stringify(listAuditEvents([])).padEnd(16 * 1024 * 1024), "200 stored"],
      ["more", " ".repeat(16 * 1024 * 1024 + 1), "413 payload_too_large"],
    ];
    for (const [name, body, reported] of bodies)
      expect([name, (await deliver({ body })).reported]).toEqual([name, reported]);
    expect(await count()).toBe(before);
  });

  it.each([
    ["arrays that stay open", "[".repeat(largest)],
    ["arrays in each other", "[".repeat(largest / 2) + "]".repeat(largest / 2)],
    ["events without anything", eventList("{},", 5_000_000)],
    ["one object of all names", `{${Array.from({ length: 300_000 }, (_, index) => `"name${index}":1`).join(",")}}`],
  ])("parses none of %s on its own loop, and refuses it", async (_, body) => {
    const parse = vi.spyOn(JSON, "parse");
    try {
      expect((await deliver({ body })).reported).toBe("400 bad_payload");
      expect(Math.max(0, ...parse.mock.calls.map(([text]) => text.length))).toBeLessThan(64 * 1024);
    } finally {
      parse.mockRestore();
    }
    expect((await deliver({ items: [makeAuditEvent({ name: "checkout" })] })).reported).toBe("200 stored");
  });

  it("takes no other method or path", async () => {
    const url = `${world.url}/hooks/kubernetes-audit/${hookCluster}`;
    for (const method of ["GET", "PUT", "DELETE"]) {
      const response = await fetch(url, { method, headers: { authorization: bearer(credential) } });
      expect(response.status).toBe(405);
    }
    expect((await fetch(`${url}/more`, { method: "POST" })).status).toBe(404);
  });
});

describe("a sender", () => {
  it("without a valid credential is refused", async () => {
    const revoked = await addCredential();
    await world.query("UPDATE hook_credential SET revoked_at = now() WHERE id = $1", [revoked.id]);
    const wrong: [name: string, authorization: string | undefined][] = [
      ["none", undefined],
      ["an API token", `Bearer ${world.web.tokens.admin}`],
      ["another secret", bearer({ ...credential, secret: "wrong" })],
      ["an unknown id", bearer({ ...credential, id: randomUUID() })],
      ["a revoked one", bearer(revoked)],
      ["no id", "Bearer x.y"],
    ];
    for (const [name, authorization] of wrong)
      expect([name, (await deliver({ authorization })).reported]).toEqual([name, "401 bad_credential"]);
  });

  it("sends only for its own cluster and purpose", async () => {
    expect((await deliver({ cluster: "elsewhere" })).reported).toBe("403 out_of_scope");
    const elsewhere = bearer(await addCredential({ cluster: "elsewhere" }));
    expect((await deliver({ authorization: elsewhere })).reported).toBe("403 out_of_scope");
    expect((await deliver({ authorization: elsewhere, cluster: "elsewhere" })).reported).toBe("403 unknown_cluster");
    const flagger = await addCredential({ purpose: "flagger" });
    expect((await deliver({ authorization: bearer(flagger) })).reported).toBe("403 out_of_scope");
    const canary = await world.addCanary();
    expect(await world.call(canary, { type: "rollback", credential })).toMatchObject({ status: 403 });
  });

  it("is refused before its body is read", async () => {
    const socket = open("content-length: 16000000", bearer({ ...credential, secret: "wrong" }));
    expect(await firstLine(socket)).toBe("HTTP/1.1 401 Unauthorized");
    socket.destroy();
  });

  it("gets its place whoever else sends wrong credentials meanwhile", async () => {
    const locker = createTestPool(database.ownerUrl, 1);
    await locker.query("BEGIN");
    await locker.query("LOCK TABLE hook_credential IN ACCESS EXCLUSIVE MODE");
    const wrong = Array.from({ length: 12 }, () =>
      open("content-length: 16000000", bearer({ ...credential, secret: "wrong" })),
    );
    try {
      const answers = wrong.map(firstLine);
      const right = deliver();
      await expect
        .poll(async () => {
          const sql = "SELECT count(*)::int AS count FROM pg_locks WHERE NOT granted";
          return (await world.query<{ count: number }>(sql)).rows[0]?.count;
        })
        .toBeGreaterThan(0);
      await locker.query("COMMIT");
      expect((await right).reported).toBe("200 stored");
      expect(new Set(await Promise.all(answers))).toEqual(new Set(["HTTP/1.1 401 Unauthorized"]));
    } finally {
      for (const socket of wrong) socket.destroy();
      await locker.end();
    }
  });

  it("without a valid credential cannot keep its connection", async () => {
    const socket = open("content-length: 16000000", bearer({ ...credential, secret: "wrong" }));
    const closed = once(socket, "close");
    expect(await firstLine(socket)).toBe("HTTP/1.1 401 Unauthorized");
    const sending = setInterval(() => socket.write("x".repeat(1000)), 20);
    await closed;
    clearInterval(sending);
  });

  it("is told to come again while others are being read, so that memory stays bounded", async () => {
    const sending = Array.from({ length: 5 }, () => open("content-length: 1000", bearer(credential)));
    try {
      expect(await Promise.race(sending.map(firstLine))).toBe("HTTP/1.1 429 Too Many Requests");
      const refused = await deliver();
      expect([refused.reported, refused.headers.get("retry-after")]).toEqual(["429 busy", "1"]);
    } finally {
      for (const socket of sending) socket.destroy();
    }
    await expect.poll(async () => (await deliver()).reported).toBe("200 stored");
  });
});

describe("without the database", () => {
  it("the sender is told so within a second, and its events are stored when it sends them again", async () => {
    const items = [makeAuditEvent({ name: "checkout" })];
    for (const [take, give] of [
      [() => proxy.shut(), () => proxy.open()],
      [async () => proxy.silence(), async () => proxy.resume()],
    ] as const) {
      await take();
      try {
        const startedAt = performance.now();
        const answer = await deliver({ items });
        expect([answer.reported, answer.headers.get("retry-after")]).toEqual(["503 store_unavailable", "1"]);
        expect(performance.now() - startedAt).toBeLessThan(1000);
      } finally {
        await give();
      }
      await expect.poll(async () => (await deliver({ items })).reported).toBe("200 stored");
    }
  });

  it("that is locked, neither", async () => {
    const locker = createTestPool(database.ownerUrl, 1);
    await locker.query("BEGIN");
    await locker.query("LOCK TABLE kubernetes_audit_event IN ACCESS EXCLUSIVE MODE");
    try {
      const startedAt = performance.now();
      expect((await deliver()).reported).toBe("503 store_unavailable");
      expect(performance.now() - startedAt).toBeLessThan(1500);
    } finally {
      await locker.end();
    }
  });
});

function open(header: string, authorization: string): Socket {
  const { hostname, port } = new URL(world.url);
  const socket = connect(Number(port), hostname).on("error", () => {});
  socket.write(
    `POST /hooks/kubernetes-audit/${hookCluster} HTTP/1.1\r\nhost: x\r\nauthorization: ${authorization}\r\n${header}\r\n\r\n`,
  );
  return socket;
}

async function firstLine(socket: Socket): Promise<string | undefined> {
  const [answer] = (await once(socket, "data")) as [Buffer];
  return answer.toString().split("\r\n")[0];
}
