import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Role } from "#lib/contract/common.ts";
import { CreatedHookCredential, HookCredential, RolloutGates } from "#lib/contract/hook.ts";
import { deliverAudit, listAuditEvents, makeAuditEvent } from "#test/audit-events.ts";
import { type HookWorld, hookCluster, type LiveCanary, startHookWorld } from "#test/hook-world.ts";
import { GET as listGates } from "../rollouts/[cluster]/[namespace]/[kind]/[name]/gates/route.ts";
import { DELETE as revoke } from "./[id]/route.ts";
import { POST as create, GET as list } from "./route.ts";

let world: HookWorld;
beforeAll(async () => {
  world = await startHookWorld();
});
afterAll(() => world.close());

const path = "/api/v1/hook-credentials";
const asked = { name: "flagger", cluster: hookCluster, namespaces: ["shop-*"], expiresInDays: 30 };

const send = (body: object, as: Role = "admin") =>
  create(world.web.request(path, { as, method: "POST", body: JSON.stringify(body) }));
const withdraw = (id: string, as: Role = "admin") =>
  revoke(world.web.request(`${path}/${id}`, { as, method: "DELETE" }), { params: Promise.resolve({ id }) });
const auditOf = async (code: string) => {
  const sql = "SELECT entry FROM audit_entry WHERE code = $1 ORDER BY seq DESC LIMIT 1";
  return JSON.parse((await world.query<{ entry: string }>(sql, [code])).rows[0]?.entry ?? "null");
};

describe("credentials of controllers", () => {
  it("are created by an admin, work at once, and stop when they are revoked", async () => {
    const response = await send(asked);
    expect(response.status).toBe(201);
    const { secret, ...credential } = CreatedHookCredential.parse(await response.json());
    expect(credential).toMatchObject({ name: "flagger", namespaces: ["shop-*"], createdBy: "admin", revokedAt: null });
    expect(await auditOf("hook-credential.create")).toMatchObject({
      actor: { name: "admin" },
      outcome: "applied",
      target: { cluster: hookCluster },
      detail: { id: credential.id, name: "flagger", namespaces: ["shop-*"], expiresInDays: 30 },
    });
    const everything = JSON.stringify((await world.query("SELECT * FROM hook_credential, audit_entry")).rows);
    expect(everything).not.toContain(secret);

    const canary = { ...(await world.addCanary()), namespace: "shop-eu" };
    const call = () => world.call(canary, { type: "pre-rollout", credential: { id: credential.id, secret } });
    expect((await call()).status).toBe(200);
    const listed = await (await list(world.web.request(path, { as: "admin" }))).json();
    expect(listed.items.map((item: unknown) => HookCredential.parse(item))).toContainEqual(
      expect.objectContaining({ id: credential.id }),
    );
    expect(JSON.stringify(listed)).not.toMatch(/secret|hash/i);

    for (let times = 0; times < 2; times += 1) {
      const revoked = HookCredential.parse(await (await withdraw(credential.id)).json());
      expect(revoked.revokedAt).not.toBeNull();
    }
    expect((await call()).status).toBe(401);
    expect(await auditOf("hook-credential.revoke")).toMatchObject({ detail: { id: credential.id } });
  });

  it("for audit events send these, and open no gate", async () => {
    const response = await send({ ...asked, purpose: "kubernetes-audit", namespaces: ["*"] });
    const { id, secret, purpose } = CreatedHookCredential.parse(await response.json());
    expect(purpose).toBe("kubernetes-audit");
    expect(await auditOf("hook-credential.create")).toMatchObject({ detail: { id, purpose } });
    const url = `${world.url}/hooks/kubernetes-audit/${hookCluster}`;
    const body = JSON.stringify(listAuditEvents([makeAuditEvent({ name: "checkout" })]));
    expect((await deliverAudit(url, { authorization: `Bearer ${id}.${secret}`, body })).reported).toBe("200 stored");
    const canary = await world.addCanary();
    expect(await world.call(canary, { type: "rollback", credential: { id, secret } })).toMatchObject({ status: 403 });
  });

  it.each(["viewer", "operator"] as const)("are nothing for a person with the role %s", async (role) => {
    expect((await send(asked, role)).status).toBe(403);
    expect(await auditOf("hook-credential.create")).toMatchObject({ actor: { name: role }, outcome: "refused" });
    expect((await list(world.web.request(path, { as: role }))).status).toBe(403);
    expect((await withdraw((await world.addCredential()).id, role)).status).toBe(403);
  });

  it.each([
    ["a cluster that nobody knows", { cluster: "nowhere" }, 404],
    ["a purpose that nobody knows", { purpose: "other" }, 400],
    ["no namespaces", { namespaces: [] }, 400],
    ["a namespace with a slash", { namespaces: ["a/b"] }, 400],
    ["no name", { name: "" }, 400],
    ["an endless life", { expiresInDays: 367 }, 400],
    ["a field that is not known", { secret: "mine" }, 400],
  ])("are refused with %s", async (_, changes, status) => {
    expect((await send({ ...asked, ...changes })).status).toBe(status);
  });

  it("that do not exist are not found", async () => {
    for (const id of [randomUUID(), "x", "'"]) expect((await withdraw(id)).status).toBe(404);
  });
});

describe("the gates of a canary", () => {
  const read = async ({ namespace, name }: LiveCanary) => {
    const params = { cluster: hookCluster, namespace, kind: "Canary", name };
    const response = await listGates(world.web.request("/any", { as: "viewer" }), { params: Promise.resolve(params) });
    return RolloutGates.parse(await response.json()).gates;
  };

  it("say when they were last asked, what was told, and what was decided", async () => {
    const canary = await world.addCanary();
    const nothing = { wired: false, lastAskedAt: null, lastAnswer: null, decision: null };
    expect((await read(canary)).map(({ gate: _, ...rest }) => rest)).toEqual(Array.from({ length: 4 }, () => nothing));
    await world.call(canary, { type: "confirm-promotion" });
    const id = await world.decide(canary, { gate: "confirm-promotion" });
    await world.flush();
    const of = async (gate: string) => (await read(canary)).find((one) => one.gate === gate);
    expect(await of("confirm-promotion")).toMatchObject({
      lastAskedAt: expect.any(String),
      lastAnswer: { status: 403, reason: "not_approved" },
      decision: { id, verdict: "approve", state: "requested", timesServed: 0, actorName: "Oncall", upToWeight: 100 },
    });
    await world.call(canary, { type: "confirm-promotion" });
    await world.call(canary, { type: "confirm-promotion" });
    await world.flush();
    expect(await of("confirm-promotion")).toMatchObject({
      lastAnswer: { status: 200, reason: "approved" },
      decision: { id, state: "served", timesServed: 2 },
    });
    await world.decide(canary, { gate: "confirm-promotion", verdict: "hold", expiresInSeconds: undefined });
    expect(await of("confirm-promotion")).toMatchObject({ decision: { verdict: "hold", expiresAt: null } });
    expect(await of("rollback")).toMatchObject({ lastAskedAt: null, decision: null });
  });

  it("leave out what has expired", async () => {
    const canary = await world.addCanary();
    await world.decide(canary, { gate: "rollback", expiresInSeconds: -1 });
    expect((await read(canary)).every(({ decision }) => decision === null)).toBe(true);
  });
});
