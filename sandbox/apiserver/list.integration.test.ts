import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type SandboxServer, startSandboxServer } from "#test/sandbox-server.ts";
import { openWatch, send, until } from "./testing/http-client.ts";
import { addNamespace, rollout, WRITER } from "./testing/objects.ts";

const ARGO = "/apis/argoproj.io/v1alpha1";

describe("list", () => {
  let sandbox: SandboxServer;
  let next = 0;
  beforeAll(async () => {
    sandbox = await startSandboxServer();
  });
  afterAll(() => sandbox.close());

  /** Makes a separate namespace with rollouts r0, r1 ... */
  function fill(count: number): string {
    const namespace = `list-${next++}`;
    addNamespace(sandbox.store, namespace);
    for (let i = 0; i < count; i += 1) {
      const metadata = { name: `r${i}`, namespace, labels: { half: String(i % 2) } };
      sandbox.store.create("rollouts", rollout(`r${i}`, { metadata }), WRITER);
    }
    return `${ARGO}/namespaces/${namespace}/rollouts`;
  }
  const get = (path: string, headers = {}) => send(sandbox, { path, headers });
  const namesOf = (body: { items: { metadata: { name: string } }[] }) => body.items.map((item) => item.metadata.name);

  it("pages through one state, whatever is written in between", async () => {
    const path = fill(5);
    const namespace = path.split("/")[5];
    const first = (await get(`${path}?limit=2`)).body;
    expect(namesOf(first)).toEqual(["r0", "r1"]);
    expect(first.metadata).toMatchObject({ remainingItemCount: 3 });
    sandbox.store.delete("rollouts", namespace, "r3");
    const metadata = { name: "r2b", namespace };
    sandbox.store.create("rollouts", rollout("r2b", { metadata }), WRITER);
    const second = (await get(`${path}?limit=2&continue=${first.metadata.continue}`)).body;
    const third = (await get(`${path}?limit=2&continue=${second.metadata.continue}`)).body;
    expect([...namesOf(second), ...namesOf(third)]).toEqual(["r2", "r3", "r4"]);
    expect(third.metadata.resourceVersion).toBe(first.metadata.resourceVersion);
    expect(third.metadata.continue).toBe("");
    expect(third.metadata).not.toHaveProperty("remainingItemCount");
  });

  it("answers an expired token with 410 and one for the inconsistent rest", async () => {
    const path = fill(3);
    const first = (await get(`${path}?limit=1`)).body;
    sandbox.store.create(
      "rollouts",
      rollout("r0b", { metadata: { name: "r0b", namespace: path.split("/")[5] } }),
      WRITER,
    );
    sandbox.store.forgetHistory();
    const expired = await get(`${path}?limit=1&continue=${first.metadata.continue}`);
    expect(expired).toMatchObject({ status: 410, body: { reason: "Expired", code: 410 } });
    const rest = (await get(`${path}?continue=${expired.body.metadata.continue}`)).body;
    expect(namesOf(rest)).toEqual(["r0b", "r1", "r2"]);
    expect(Number(rest.metadata.resourceVersion)).toBeGreaterThan(Number(first.metadata.resourceVersion));
  });

  it.each([
    { query: "limit=2&resourceVersion=0", names: ["r0", "r1", "r2"] },
    { query: "limit=0", names: ["r0", "r1", "r2"] },
    { query: "limit=-1", names: ["r0", "r1", "r2"] },
    { query: "limit=3", names: ["r0", "r1", "r2"] },
    { query: "labelSelector=half%3D1", names: ["r1"] },
    { query: "labelSelector=half+in+(0)&limit=1", names: ["r0"] },
    { query: "fieldSelector=metadata.name%3Dr2", names: ["r2"] },
    { query: "fieldSelector=metadata.name%3Dnope", names: [] },
  ])("with $query holds $names", async ({ query, names }) => {
    const { status, body } = await get(`${fill(3)}?${query}`);
    expect(status).toBe(200);
    expect(namesOf(body)).toEqual(names);
  });

  it("leaves the count of the rest out where a selector is used", async () => {
    const { body } = await get(`${fill(4)}?limit=1&labelSelector=half%3D1`);
    expect(body.metadata.continue).not.toBe("");
    expect(body.metadata).not.toHaveProperty("remainingItemCount");
  });

  it("gives an exact earlier state", async () => {
    const path = fill(2);
    const rv = sandbox.store.resourceVersion();
    sandbox.store.delete("rollouts", path.split("/")[5], "r0");
    const { body } = await get(`${path}?resourceVersion=${rv}&resourceVersionMatch=Exact`);
    expect(namesOf(body)).toEqual(["r0", "r1"]);
    expect(body.metadata.resourceVersion).toBe(String(rv));
  });

  it("waits for a version to come, in vain after three seconds", async () => {
    const { status, body } = await get(`${fill(0)}?resourceVersion=99999999`);
    expect(status).toBe(504);
    expect(body.details.causes[0].reason).toBe("ResourceVersionTooLarge");
  });

  it("packs large bodies where the client takes gzip, and no others", async () => {
    const path = fill(400);
    const packed = await get(path, { "Accept-Encoding": "gzip" });
    expect(packed.headers).toMatchObject({ "content-encoding": "gzip", vary: "Accept-Encoding" });
    expect(packed.body.items).toHaveLength(400);
    expect((await get(path)).headers).not.toHaveProperty("content-encoding");
    expect((await get(`${path}?limit=1`, { "Accept-Encoding": "gzip" })).headers).not.toHaveProperty(
      "content-encoding",
    );
  });

  it("leaves kind and apiVersion out of the items of built-in lists only", async () => {
    const namespaces = (await get("/api/v1/namespaces")).body;
    expect(namespaces).toMatchObject({ kind: "NamespaceList", apiVersion: "v1" });
    expect(namespaces.items[0]).not.toHaveProperty("kind");
    expect(namespaces.items[0].metadata.name).toBeDefined();
    expect((await get(fill(1))).body.items[0]).toMatchObject({ kind: "Rollout", apiVersion: "argoproj.io/v1alpha1" });
  });

  it("makes a Table and metadata alone", async () => {
    const path = fill(1);
    const table = await get(path, { Accept: "application/json;as=Table;v=v1;g=meta.k8s.io,application/json" });
    const columns = table.body.columnDefinitions.map((column: { name: string }) => column.name);
    expect(columns).toEqual(["Name", "Desired", "Current", "Up-to-date", "Available", "Age"]);
    expect(table.body.rows[0].cells.slice(0, 3)).toEqual(["r0", 3, null]);
    const partial = await get(path, { Accept: "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io" });
    expect(partial.body.items[0]).toMatchObject({ kind: "PartialObjectMetadata" });
    expect(partial.body.items[0]).not.toHaveProperty("spec");
  });

  it("says the time in a Date header", async () => {
    const { headers } = await get(fill(0));
    expect(Math.abs(Date.parse(headers.date ?? "") - Date.now())).toBeLessThan(5000);
  });
});

describe("watch", () => {
  let sandbox: SandboxServer;
  let next = 0;
  beforeAll(async () => {
    sandbox = await startSandboxServer({ bookmarksMs: 50 });
  });
  afterAll(() => sandbox.close());

  function scene() {
    const namespace = `watch-${next++}`;
    addNamespace(sandbox.store, namespace);
    const place = (name: string, labels: Record<string, string> = {}) =>
      rollout(name, { metadata: { name, namespace, labels } });
    return {
      path: `${ARGO}/namespaces/${namespace}/rollouts?watch=true`,
      namespace,
      add: (name: string, labels?: Record<string, string>) =>
        sandbox.store.create("rollouts", place(name, labels), WRITER),
    };
  }
  const summary = (events: { type: string; object: { metadata: { name: string } } }[]) =>
    events.map(({ type, object }) => `${type} ${object.metadata.name}`);

  it("starts with what is there when no version is given, and goes on live", async () => {
    const { path, namespace, add } = scene();
    const made = add("a");
    const watch = await openWatch(sandbox, path);
    await watch.waitForLines(1);
    const changed = sandbox.store.update("rollouts", { ...made, spec: { replicas: 0 } }, WRITER);
    sandbox.store.update("rollouts", changed, WRITER);
    sandbox.store.delete("rollouts", namespace, "a");
    await watch.waitForLines(3);
    expect(summary(watch.events())).toEqual(["ADDED a", "MODIFIED a", "DELETED a"]);
    expect(watch.events()[2].object.metadata.resourceVersion).toBe(String(sandbox.store.resourceVersion()));
    watch.close();
  });

  it("resumes from a version without a gap or a repetition", async () => {
    const { path, add } = scene();
    add("a");
    const rv = sandbox.store.resourceVersion();
    add("b");
    const watch = await openWatch(sandbox, `${path}&resourceVersion=${rv}`);
    add("c");
    await watch.waitForLines(2);
    expect(summary(watch.events())).toEqual(["ADDED b", "ADDED c"]);
    watch.close();
  });

  it("answers a version that is too old with 200, an ERROR event and the end", async () => {
    const { path, add } = scene();
    const rv = sandbox.store.resourceVersion();
    add("a");
    sandbox.store.forgetHistory();
    const watch = await openWatch(sandbox, `${path}&resourceVersion=${rv - 1}`);
    expect(await watch.ended).toBe("end");
    expect(watch.events()).toEqual([
      { type: "ERROR", object: expect.objectContaining({ kind: "Status", code: 410, reason: "Expired" }) },
    ]);
  });

  it("shows leaving a selector as DELETED with the object of before, coming back as ADDED", async () => {
    const { path, add } = scene();
    const made = add("a", { app: "x" });
    const rv = sandbox.store.resourceVersion();
    const watch = await openWatch(sandbox, `${path}&resourceVersion=${rv}&labelSelector=app%3Dx`);
    const relabel = (object: typeof made, app: string) =>
      sandbox.store.update("rollouts", { ...object, metadata: { ...object.metadata, labels: { app } } }, WRITER);
    const other = relabel(made, "y");
    relabel(other, "x");
    await watch.waitForLines(2);
    expect(summary(watch.events())).toEqual(["DELETED a", "ADDED a"]);
    expect(watch.events()[0].object.metadata).toMatchObject({
      labels: { app: "x" },
      resourceVersion: other.metadata.resourceVersion,
    });
    watch.close();
  });

  it("sends bookmarks when asked, none when not, and ends at its time-out", async () => {
    const { path } = scene();
    const rv = sandbox.store.resourceVersion();
    const [asked, plain] = await Promise.all(
      ["&allowWatchBookmarks=true", ""].map((extra) =>
        openWatch(sandbox, `${path}&resourceVersion=${rv}&timeoutSeconds=1${extra}`),
      ),
    );
    expect(await Promise.all([asked?.ended, plain?.ended])).toEqual(["end", "end"]);
    expect(plain?.lines).toEqual([]);
    expect(asked?.events()[0]).toEqual({
      type: "BOOKMARK",
      object: {
        apiVersion: "argoproj.io/v1alpha1",
        kind: "Rollout",
        metadata: { resourceVersion: expect.any(String) },
      },
    });
  });

  it("marks the end of the initial events where they are asked for", async () => {
    const { path, add } = scene();
    add("a");
    const query = "sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan";
    const watch = await openWatch(sandbox, `${path}&${query}`);
    await watch.waitForLines(2);
    expect(watch.events()[1].object.metadata.annotations).toEqual({ "k8s.io/initial-events-end": "true" });
    watch.close();
  });

  it("forgets watches whose client is gone", async () => {
    const { path } = scene();
    await until(() => sandbox.server.watchCount() === 0, "the watches of other tests to be forgotten");
    const watch = await openWatch(sandbox, path);
    expect(sandbox.server.watchCount("rollouts")).toBe(1);
    watch.close();
    await until(() => sandbox.server.watchCount() === 0, "the watch to be forgotten");
  });
});
