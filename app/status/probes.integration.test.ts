import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Status } from "#lib/contract/system.ts";
import { configOf, createToken } from "#test/hardening/people.ts";
import { connectRecorded, type Recorded } from "#test/recorded.ts";
import { startTestWeb, type TestWeb, testOrigin } from "#test/web-runtime.ts";
import { GET as getLiveness } from "../livez/route.ts";
import { GET as getMetrics } from "../metrics/route.ts";
import { GET as getReadiness } from "../readyz/route.ts";
import { GET as getStatus } from "./route.ts";

let web: TestWeb;
let recorded: Recorded;
beforeEach(async () => {
  web = await startTestWeb();
  recorded = await connectRecorded(web.database.ownerUrl);
});
afterEach(async () => {
  await recorded.close();
  await web.close();
});

describe("probes", () => {
  it("are ready on the schema of this program", async () => {
    expect(getLiveness().status).toBe(200);
    const response = await getReadiness();
    expect([response.status, await response.text()]).toEqual([200, "ok\n"]);
  });

  it.each([
    {
      name: "newer than this program",
      sql: `INSERT INTO "_prisma_migrations" (id, checksum, migration_name, finished_at) VALUES ('x', 'y', '29990101000000_later', now())`,
      reason: "newer than this program (29990101000000_later)",
    },
    { name: "not migrated yet", sql: `DELETE FROM "_prisma_migrations"`, reason: "migrations are pending" },
    { name: "no schema at all", sql: `DROP TABLE "_prisma_migrations"`, reason: "the database is empty" },
  ])("are not ready on a schema that is $name, while the process lives", async ({ sql, reason }) => {
    await recorded.client.query(sql);
    const response = await getReadiness();
    expect(response.status).toBe(503);
    expect(await response.text()).toContain(reason);
    expect(getLiveness().status).toBe(200);
    expect(await (await getStatus(web.request("/status"))).json()).toEqual({ ready: false });
  });

  it("are not ready while pages are answered with 503, which depends on the change log", async () => {
    let isReachable = false;
    web.runtime.changes.isDatabaseReachable = () => isReachable;
    const response = await getReadiness();
    expect([response.status, await response.text()]).toEqual([503, "not ready: the change log cannot be read\n"]);
    expect(await (await getStatus(web.request("/status"))).json()).toEqual({ ready: false });
    isReachable = true;
    expect((await getReadiness()).status).toBe(200);
  });

  it("show the status to whoever has a token, and one word to all others", async () => {
    await recorded.addSource({ state: "live", contactSecondsAgo: 61 });
    expect(await (await getStatus(web.request("/status"))).json()).toEqual({ ready: true });
    const status = Status.parse(await (await getStatus(web.request("/status", { as: "viewer" }))).json());
    expect(status).toMatchObject({
      ready: true,
      config: { state: "ok" },
      database: { ok: true, grantsEnforced: true },
      sources: [{ cluster: "demo", kind: "Rollout", namespace: null, state: "stale" }],
    });
  });

  it("show how far audit streams have come to whoever may read everything", async () => {
    const auditStreams = [{ name: "siem", type: "otlp", url: "https://o.example" }];
    const narrow = await startTestWeb({ config: configOf({ auditStreams }) });
    const row = await connectRecorded(narrow.database.ownerUrl);
    await row.client.query(
      "INSERT INTO audit_stream (name, seq, failing_since, error) VALUES ('siem', 0, now(), 'answered 503'), ('old', 9, NULL, NULL)",
    );
    await row.close();
    const read = async (token: string) => {
      const request = new Request(`${testOrigin}/status`, { headers: { authorization: `Bearer ${token}` } });
      return Status.parse(await (await getStatus(request)).json());
    };
    const whole = await read((await createToken(narrow, { username: "admin" })).token);
    expect(whole.auditStreams).toMatchObject([
      { name: "siem", type: "otlp", seq: 0, error: "answered 503", failingSince: expect.any(String) },
    ]);
    const part = await read((await createToken(narrow, { username: "outsider" })).token);
    expect(part.auditStreams).toBeUndefined();
    await narrow.close();
  });

  it("give metrics to whoever has a token", async () => {
    expect((await getMetrics(web.request("/metrics"))).status).toBe(401);
    const response = await getMetrics(web.request("/metrics", { as: "viewer" }));
    expect(response.status).toBe(200);
    expect(await response.text()).toContain("gatehouse_db_errors_total 0");
  });

  it("stay alive with a file that cannot be used, and do not tell anybody what is wrong in it", async () => {
    const { runtime } = web;
    const at = new Date();
    const trouble = { state: "error", error: "/etc/gatehouse.yaml:3 names token file /run/secret", fault: "invalid" };
    runtime.configStatus = () =>
      ({ state: "error", digest: "", loadedAt: at, trouble, needsRestart: [] }) as unknown as ReturnType<
        typeof runtime.configStatus
      >;
    const response = getLiveness();
    expect([response.status, await response.text()]).toEqual([200, "ok\n"]);
  });

  it("are open to all where the config says so", async () => {
    web.runtime.config().config.probes.public = true;
    expect((await getMetrics(web.request("/metrics"))).status).toBe(200);
    expect(Status.safeParse(await (await getStatus(web.request("/status"))).json()).success).toBe(true);
  });
});
