import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type SandboxServer, startSandboxServer } from "#test/sandbox-server.ts";
import { openWatch, send } from "./testing/http-client.ts";
import { addNamespace, rollout, WRITER } from "./testing/objects.ts";

const ARGO = "/apis/argoproj.io/v1alpha1";
const FAULTS = "/_sandbox/faults";

describe("faults", () => {
  let sandbox: SandboxServer;
  const path = `${ARGO}/namespaces/shop/rollouts`;
  beforeAll(async () => {
    sandbox = await startSandboxServer();
    addNamespace(sandbox.store, "shop");
    for (const name of ["a", "b", "c", "d"]) add(name);
  });
  afterAll(() => sandbox.close());
  afterEach(() => sandbox.fault({ fault: "none" }));

  function add(name: string) {
    return sandbox.store.create("rollouts", rollout(name, { metadata: { name, namespace: "shop" } }), WRITER);
  }
  const set = (body: unknown, token?: string | null) =>
    send(sandbox, { method: "POST", path: FAULTS, body, ...(token === undefined ? {} : { token }) });
  const count = async (): Promise<number> => (await send(sandbox, { path })).body.items.length;
  const watchFromNow = () => openWatch(sandbox, `${path}?watch=1&resourceVersion=${sandbox.store.resourceVersion()}`);

  it("drop cuts watches and refuses connections until it is taken back", async () => {
    const watch = await watchFromNow();
    expect((await set({ fault: "drop" })).status).toBe(200);
    expect(await watch.ended).toBe("cut");
    await expect(send(sandbox, { path })).rejects.toThrow();
    expect((await set({ fault: "none" })).body).toMatchObject({ active: [] });
    expect(await count()).toBe(4);
  });

  it("stall keeps watches open and silent while reads go on; what was missed comes after", async () => {
    const watch = await watchFromNow();
    sandbox.fault({ fault: "stall" });
    add("e");
    expect(await count()).toBe(5);
    expect(watch.lines).toEqual([]);
    sandbox.fault({ fault: "none" });
    await watch.waitForLines(1);
    expect(watch.events()[0].object.metadata.name).toBe("e");
    sandbox.store.delete("rollouts", "shop", "e");
    watch.close();
  });

  it.each([
    { fault: "500", status: 500, text: "InternalError" },
    { fault: "403", status: 403, text: "Forbidden" },
    { fault: "404", status: 404, text: "404 page not found\n" },
  ] as const)("$fault answers so, for the resource alone where one is named", async ({ fault, status, text }) => {
    sandbox.fault({ fault, resource: "rollouts" });
    const answer = await send(sandbox, { path });
    expect(answer.status).toBe(status);
    expect(answer.text).toContain(text);
    expect((await send(sandbox, { path: "/api/v1/namespaces" })).status).toBe(200);
  });

  it("410 ends watches with an ERROR event, also new ones", async () => {
    const watch = await watchFromNow();
    sandbox.fault({ fault: "410" });
    await watch.ended;
    const again = await watchFromNow();
    await again.ended;
    for (const { lines } of [watch, again]) expect(JSON.parse(lines[0] ?? "{}").object.code).toBe(410);
  });

  it("partial breaks the second page of a list", async () => {
    sandbox.fault({ fault: "partial" });
    const first = await send(sandbox, { path: `${path}?limit=500` });
    expect(first.body.items).toHaveLength(2);
    await expect(
      send(sandbox, { path: `${path}?limit=500&continue=${first.body.metadata.continue}` }),
    ).rejects.toThrow();
  });

  it.each([
    { fault: "empty", left: 0 },
    { fault: "shrink", left: 1 },
  ] as const)("$fault leaves $left of four and makes watches list again", async ({ fault, left }) => {
    const watch = await watchFromNow();
    sandbox.fault({ fault });
    expect(await count()).toBe(left);
    await watch.ended;
    expect(watch.events().at(-1).object.code).toBe(410);
  });

  it("wrong-cluster shows another kube-system uid", async () => {
    const identity = async () => (await send(sandbox, { path: "/api/v1/namespaces/kube-system" })).body.metadata.uid;
    const right = await identity();
    sandbox.fault({ fault: "wrong-cluster" });
    expect(await identity()).not.toBe(right);
    sandbox.fault({ fault: "none" });
    expect(await identity()).toBe(right);
  });

  it("skew puts the Date header five minutes off", async () => {
    sandbox.fault({ fault: "skew" });
    const { headers } = await send(sandbox, { path });
    expect(Math.abs(Date.parse(headers.date ?? "") - Date.now() - 300_000)).toBeLessThan(5000);
  });

  it("garbage puts an unparsable line into watches, between events that still come", async () => {
    const watch = await watchFromNow();
    sandbox.fault({ fault: "garbage" });
    add("f");
    await watch.waitForLines(7);
    expect(() => JSON.parse(watch.lines[0] ?? "")).toThrow(SyntaxError);
    expect(JSON.parse(watch.lines[1] ?? "").object.kind).toBe("Status");
    expect(JSON.parse(watch.lines[2] ?? "").object.kind).toBe("Stray");
    expect(JSON.parse(watch.lines[6] ?? "").object.metadata.name).toBe("f");
    sandbox.store.delete("rollouts", "shop", "f");
    watch.close();
  });

  it("ends by itself after the given seconds", async () => {
    sandbox.fault({ fault: "500", seconds: 0.05 });
    expect(sandbox.server.faults.list()).toHaveLength(1);
    await expect.poll(() => sandbox.server.faults.list()).toEqual([]);
    expect((await send(sandbox, { path })).status).toBe(200);
  });

  it.each([
    { body: { fault: "explode" }, where: "fault" },
    { body: { fault: "drop", seconds: 0 }, where: "seconds" },
    { body: { fault: "drop", seconds: "5" }, where: "seconds" },
    { body: { fault: "drop", resource: "trains" }, where: "resource" },
    { body: { fault: "drop", extra: 1 }, where: "extra" },
    { body: "{", where: "JSON" },
    { body: [], where: "fault" },
  ])("refuses $body with what is allowed", async ({ body, where }) => {
    const answer = await set(body);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ kind: "Status", reason: "BadRequest" });
    expect(answer.body.message).toContain(where);
    expect(answer.body.message).toContain("wrong-cluster");
  });

  it("needs the cluster token", async () => {
    expect((await set({ fault: "none" }, null)).status).toBe(403);
    expect((await set({ fault: "none" }, "other")).status).toBe(401);
  });

  it("is not there unless it was asked for at the start", async () => {
    const plain = await startSandboxServer({ faults: false });
    const answer = await send(plain, { method: "POST", path: FAULTS, body: { fault: "none" } });
    expect(answer).toMatchObject({ status: 404, body: { message: expect.stringContaining("--faults") } });
    await plain.close();
  });
});
