import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type SandboxServer, startSandboxServer } from "#test/sandbox-server.ts";
import { isPlainObject } from "./shared-copy.ts";
import { openWatch, patch, send, until } from "./testing/http-client.ts";
import { addNamespace, rollout, WRITER } from "./testing/objects.ts";

const ARGO = "/apis/argoproj.io/v1alpha1";
const PATH = `${ARGO}/namespaces/shop/rollouts`;

/** The ways in which each fault can show, and their scopes. */
describe("ways of faults", () => {
  let sandbox: SandboxServer;
  beforeAll(async () => {
    sandbox = await startSandboxServer();
    for (const name of ["shop", "yard"]) addNamespace(sandbox.store, name);
  });
  afterAll(() => sandbox.close());
  beforeEach(() => {
    for (const name of ["a", "b", "c", "d", "e", "f"]) add("shop", name);
    add("yard", "y");
  });
  afterEach(() => {
    sandbox.fault({ fault: "none" });
    for (const { metadata } of sandbox.store.list("rollouts")) {
      sandbox.store.delete("rollouts", metadata.namespace, metadata.name);
    }
  });

  const add = (namespace: string, name: string) =>
    sandbox.store.create("rollouts", rollout(name, { metadata: { name, namespace } }), WRITER);
  const change = (name: string, replicas: number) => {
    const object = sandbox.store.get("rollouts", "shop", name);
    if (object !== undefined) sandbox.store.update("rollouts", { ...object, spec: { replicas } }, WRITER);
  };
  const list = async (path = PATH) => (await send(sandbox, { path })).body;
  const watchFromNow = (path = PATH) =>
    openWatch(sandbox, `${path}?watch=1&resourceVersion=${sandbox.store.resourceVersion()}`);
  const statusOf = async (path: string) => (await send(sandbox, { path })).status;

  it("403 in one namespace leaves the others, and lists of the whole cluster, alone", async () => {
    sandbox.fault({ fault: "403", resource: "rollouts", namespace: "shop" });
    expect(await statusOf(PATH)).toBe(403);
    expect(await statusOf(`${ARGO}/namespaces/yard/rollouts`)).toBe(200);
    expect(await statusOf(`${ARGO}/rollouts`)).toBe(200);
  });

  it("a verb alone can fail: lists do, while watches and objects are served", async () => {
    sandbox.fault({ fault: "500", verb: "list" });
    expect(await statusOf(PATH)).toBe(500);
    expect(await statusOf(`${PATH}/a`)).toBe(200);
    const watch = await watchFromNow();
    change("a", 7);
    await watch.waitForLines(1);
    watch.close();
  });

  it("faults of different scopes stand side by side; none ends one of them, or all", () => {
    const { faults } = sandbox.server;
    sandbox.fault({ fault: "500", resource: "rollouts", verb: "list" });
    sandbox.fault({ fault: "403", resource: "rollouts", namespace: "shop" });
    sandbox.fault({ fault: "404", resource: "rollouts", namespace: "shop" });
    expect(faults.list().map(({ fault }) => fault)).toEqual(["500", "404"]);
    sandbox.fault({ fault: "none", resource: "rollouts", verb: "list" });
    expect(faults.list().map(({ fault }) => fault)).toEqual(["404"]);
    sandbox.fault({ fault: "none" });
    expect(faults.list()).toEqual([]);
  });

  it("the endpoint lists what is on, since when and until when, and what there is", async () => {
    const path = "/_sandbox/faults";
    const body = { fault: "skew", seconds: 60, offsetSeconds: -120, resource: "events" };
    expect((await send(sandbox, { method: "POST", path, body })).status).toBe(200);
    const { active, faults, ways } = (await send(sandbox, { path })).body;
    expect(active).toEqual([
      {
        fault: "skew",
        resource: "events",
        offsetSeconds: -120,
        since: expect.stringMatching(/Z$/),
        until: expect.stringMatching(/Z$/),
      },
    ]);
    expect(Date.parse(active[0].until) - Date.parse(active[0].since)).toBe(60_000);
    expect(faults).toEqual(expect.arrayContaining(["429", "none"]));
    expect(ways.partial).toEqual(["cut", "500", "410"]);
  });

  it("drop at a rate cuts watches now and then, and takes new ones and lists at once", async () => {
    sandbox.fault({ fault: "drop", rate: 50 });
    for (let i = 0; i < 3; i += 1) {
      const watch = await watchFromNow();
      expect(await watch.ended).toBe("cut");
    }
    expect(await statusOf(PATH)).toBe(200);
  });

  it("drop of watches alone leaves lists to be read", async () => {
    const watch = await watchFromNow();
    sandbox.fault({ fault: "drop", verb: "watch" });
    expect(await watch.ended).toBe("cut");
    await expect(watchFromNow()).rejects.toThrow();
    expect(await statusOf(PATH)).toBe(200);
  });

  it("429 is plain text with Retry-After", async () => {
    sandbox.fault({ fault: "429" });
    const { status, headers, text } = await send(sandbox, { path: PATH });
    expect({ status, type: headers["content-type"], retry: headers["retry-after"] }).toEqual({
      status: 429,
      type: "text/plain; charset=utf-8",
      retry: "1",
    });
    expect(text).toContain("Too many requests");
  });

  it.each([
    { how: "500", status: 500, reason: "InternalError" },
    { how: "410", status: 410, reason: "Expired" },
  ])("partial answers a later page with $how", async ({ how, status, reason }) => {
    sandbox.fault({ fault: "partial", how });
    const first = await list(`${PATH}?limit=500`);
    expect(first.items).toHaveLength(3);
    const next = `${PATH}?limit=500&continue=${first.metadata.continue}`;
    expect(await send(sandbox, { path: next })).toMatchObject({ status, body: { reason } });
  });

  it("a continue token that got 410 has one for the rest, which works", async () => {
    const first = await list(`${PATH}?limit=2`);
    sandbox.fault({ fault: "410" });
    const refused = await send(sandbox, { path: `${PATH}?limit=2&continue=${first.metadata.continue}` });
    expect(refused).toMatchObject({ status: 410, body: { reason: "Expired" } });
    const rest = await list(`${PATH}?continue=${refused.body.metadata.continue}`);
    expect(rest.items.map((item: { metadata: { name: string } }) => item.metadata.name)).toEqual(["c", "d", "e", "f"]);
  });

  it("shrink hides more than half, keeps hiding them, and shows what is new", async () => {
    sandbox.fault({ fault: "shrink", resource: "rollouts" });
    const names = async () => (await list()).items.map((item: { metadata: { name: string } }) => item.metadata.name);
    expect(await names()).toEqual(["a", "b"]);
    const watch = await watchFromNow();
    change("f", 9);
    add("shop", "new");
    await watch.waitForLines(1);
    expect(watch.events()[0].object.metadata.name).toBe("new");
    expect(await names()).toEqual(["a", "b", "new"]);
    sandbox.fault({ fault: "none" });
    await watch.ended;
    expect(watch.events().at(-1).object.code).toBe(410);
    expect(await names()).toHaveLength(7);
  });

  it("shrink on watches tells of deletions that never happened", async () => {
    const watch = await watchFromNow();
    sandbox.fault({ fault: "shrink", how: "watches", resource: "rollouts", namespace: "shop" });
    await watch.waitForLines(4);
    expect(watch.events().map(({ type, object }) => `${type} ${object.metadata.name}`)).toEqual([
      "DELETED c",
      "DELETED d",
      "DELETED e",
      "DELETED f",
    ]);
    expect(sandbox.store.list("rollouts", "shop")).toHaveLength(6);
    watch.close();
  });

  it("empty lists lead to watches that say nothing of what is hidden", async () => {
    sandbox.fault({ fault: "empty", resource: "rollouts" });
    expect((await list()).items).toEqual([]);
    const watch = await openWatch(sandbox, `${PATH}?watch=1&timeoutSeconds=0.2`);
    change("a", 9);
    expect(await watch.ended).toBe("end");
    expect(watch.lines).toEqual([]);
  });

  it("wrong-cluster can have other objects under the same names", async () => {
    const before = (await list()).items[0].metadata.uid;
    sandbox.fault({ fault: "wrong-cluster", how: "objects" });
    expect((await list()).items[0].metadata).toMatchObject({ name: "a", uid: expect.not.stringMatching(before) });
    const watch = await openWatch(sandbox, `${PATH}?watch=1`);
    await watch.waitForLines(6);
    expect(watch.events()[0].object.metadata.uid).not.toBe(before);
    watch.close();
  });

  it("wrong-cluster can go back in its versions with the same identity", async () => {
    const identity = async () => (await list("/api/v1/namespaces/kube-system")).metadata.uid;
    const [uid, before] = [await identity(), await list()];
    sandbox.fault({ fault: "wrong-cluster", how: "backwards" });
    const after = await list();
    expect(Number(after.metadata.resourceVersion)).toBeLessThan(Number(before.metadata.resourceVersion));
    expect(Number(after.items[0].metadata.resourceVersion)).toBeLessThan(
      Number(before.items[0].metadata.resourceVersion),
    );
    expect(await identity()).toBe(uid);
  });

  it.each([{ offsetSeconds: 300 }, { offsetSeconds: -120 }])(
    "skew of $offsetSeconds s is in Date, in creation times and in Events",
    async ({ offsetSeconds }) => {
      sandbox.fault({ fault: "skew", offsetSeconds });
      const isOff = (time: string) => Math.abs(Date.parse(time) - Date.now() - offsetSeconds * 1000) < 5000;
      const body = {
        apiVersion: "v1",
        kind: "Event",
        metadata: { name: `e${offsetSeconds}`, namespace: "shop" },
        lastTimestamp: new Date().toISOString(),
      };
      const answer = await send(sandbox, { method: "POST", path: "/api/v1/namespaces/shop/events", body });
      expect(answer.status).toBe(201);
      const times = [answer.headers.date, answer.body.metadata.creationTimestamp, answer.body.lastTimestamp];
      expect(times.map((time) => isOff(String(time)))).toEqual([true, true, true]);
      sandbox.fault({ fault: "none" });
      expect(isOff(add("shop", `after${offsetSeconds}`).metadata.creationTimestamp)).toBe(false);
    },
  );

  it("garbage puts a Status and a stray kind among the items", async () => {
    sandbox.fault({ fault: "garbage" });
    const kinds = (await list()).items.map((item: { kind: string }) => item.kind);
    expect(kinds).toEqual([...Array(6).fill("Rollout"), "Status", "Stray"]);
  });

  it("garbage can be objects of another shape, in lists and in watches", async () => {
    const watch = await watchFromNow();
    sandbox.fault({ fault: "garbage", how: "drift" });
    change("b", 9);
    await watch.waitForLines(2);
    const shapes = [...(await list()).items, ...watch.events().map(({ object }) => object)];
    expect(shapes.filter(({ spec }) => isPlainObject(spec))).toEqual([]);
    expect(watch.events().map(({ object }) => object.metadata.name)).toEqual(["a", "b"]);
    watch.close();
  });

  it("stalled requests do nothing and get no answer", async () => {
    sandbox.fault({ fault: "stall", how: "requests" });
    const read = send(sandbox, { path: `${PATH}?timeout=50ms` });
    await expect(read).rejects.toThrow();
    const write = await patch(sandbox, `${PATH}/a?timeout=50ms`, { spec: { replicas: 9 } });
    expect(write).toMatchObject({ status: 504, body: { reason: "Timeout" } });
    expect(sandbox.store.get("rollouts", "shop", "a")?.spec?.replicas).toBe(3);
  });

  it("stalled answers leave their writes done", async () => {
    sandbox.fault({ fault: "stall", how: "answers", verb: "patch" });
    const write = patch(sandbox, `${PATH}/a`, { spec: { replicas: 9 } });
    await until(() => sandbox.store.get("rollouts", "shop", "a")?.spec?.replicas === 9, "the write");
    expect(await statusOf(`${PATH}/a`)).toBe(200);
    sandbox.fault({ fault: "none" });
    expect(await write).toMatchObject({ status: 504, body: { kind: "Status", reason: "Timeout" } });
  });

  it.each([
    { body: { fault: "drop", how: "cut" }, where: "how" },
    { body: { fault: "500", rate: 1 }, where: "rate" },
    { body: { fault: "drop", rate: 0 }, where: "rate" },
    { body: { fault: "drop", offsetSeconds: 5 }, where: "offsetSeconds" },
    { body: { fault: "drop", verb: "steal" }, where: "verb" },
    { body: { fault: "drop", namespace: "" }, where: "namespace" },
    { body: { fault: "none", how: "cut" }, where: "how" },
  ])("refuses $body", async ({ body, where }) => {
    const answer = await send(sandbox, { method: "POST", path: "/_sandbox/faults", body });
    expect(answer.status).toBe(400);
    expect(answer.body.message).toContain(`at ${where}`);
  });
});
