import { describe, expect, it } from "vitest";
import type { StoreEvent } from "./store-types.ts";
import { addNamespace, analysisRun, rollout, STATUS_WRITER, testStore, WRITER } from "./testing/objects.ts";

function watched(store: ReturnType<typeof testStore>): StoreEvent[] {
  const events: StoreEvent[] = [];
  store.subscribe((event) => events.push(event));
  return events;
}

describe("create", () => {
  it("fills in what the server owns and drops status where that is a subresource", () => {
    const store = testStore();
    const made = store.create("rollouts", rollout("a", { status: { phase: "Healthy" } }), WRITER);
    expect(made.metadata).toMatchObject({ generation: 1, creationTimestamp: "2026-11-20T08:00:00Z" });
    expect(made.metadata.uid).toMatch(/^0000/);
    expect(Number(made.metadata.resourceVersion)).toBe(store.resourceVersion());
    expect(made.status).toBeUndefined();
  });

  it("keeps the status of an AnalysisRun", () => {
    const made = testStore().create("analysisruns", analysisRun("a", { phase: "Running" }), WRITER);
    expect(made.status).toEqual({ phase: "Running" });
  });

  it("refuses a taken name and a missing namespace in upstream's words", () => {
    const store = testStore();
    store.create("rollouts", rollout("a"), WRITER);
    expect(() => store.create("rollouts", rollout("a"), WRITER)).toThrow('rollouts.argoproj.io "a" already exists');
    const lost = rollout("a", { metadata: { name: "a", namespace: "nowhere" } });
    expect(() => store.create("rollouts", lost, WRITER)).toThrow('namespaces "nowhere" not found');
  });
});

describe("update", () => {
  it("ignores status on the main path, without a new version or an event", () => {
    const store = testStore();
    const made = store.create("rollouts", rollout("a"), WRITER);
    const events = watched(store);
    expect(store.update("rollouts", { ...made, status: { abort: true } }, WRITER)).toBe(made);
    expect(events).toEqual([]);
  });

  it("takes status alone on /status and leaves generation as it was", () => {
    const store = testStore();
    const made = store.create("rollouts", rollout("a"), WRITER);
    const metadata = { ...made.metadata, labels: { x: "y" } };
    const next = { ...made, metadata, spec: { replicas: 9 }, status: { abort: true } };
    const updated = store.update("rollouts", next, STATUS_WRITER);
    expect(updated).toMatchObject({ status: { abort: true }, metadata: { generation: 1 } });
    expect(updated.spec).toBe(made.spec);
    expect(updated.metadata.labels).toBeUndefined();
  });

  it.each([
    { change: { spec: { replicas: 0 } }, generation: 2 },
    { change: { metadata: { labels: { a: "b" } } }, generation: 1 },
  ])("a Rollout with $change is at generation $generation", ({ change, generation }) => {
    const store = testStore();
    const made = store.create("rollouts", rollout("a"), WRITER);
    const next = { ...made, ...change, metadata: { ...made.metadata, ...change.metadata } };
    expect(store.update("rollouts", next, WRITER).metadata.generation).toBe(generation);
  });

  it("raises the generation of an AnalysisRun for its status too", () => {
    const store = testStore();
    const made = store.create("analysisruns", analysisRun("a"), WRITER);
    expect(store.update("analysisruns", { ...made, status: { phase: "Failed" } }, WRITER).metadata.generation).toBe(2);
  });

  it("refuses a stale version with a conflict, and a missing object", () => {
    const store = testStore();
    const made = store.create("rollouts", rollout("a"), WRITER);
    store.update("rollouts", { ...made, spec: { replicas: 1 } }, WRITER);
    expect(() => store.update("rollouts", { ...made, spec: { replicas: 2 } }, WRITER)).toThrow(
      expect.objectContaining({ code: 409, reason: "Conflict" }),
    );
    const gone = { ...made, metadata: { ...made.metadata, name: "b" } };
    expect(() => store.update("rollouts", gone, WRITER)).toThrow(expect.objectContaining({ code: 404 }));
  });

  it("hands out frozen objects that a later write does not touch", () => {
    const store = testStore();
    const made = store.create("rollouts", rollout("a"), WRITER);
    store.update("rollouts", { ...made, spec: { replicas: 1 } }, WRITER);
    expect(made.spec?.replicas).toBe(3);
    expect(Object.isFrozen(made.spec)).toBe(true);
  });

  it("computes without storing on a dry run: the new generation, the old version", () => {
    const store = testStore();
    const made = store.create("rollouts", rollout("a"), WRITER);
    const dry = store.update("rollouts", { ...made, spec: { replicas: 1 } }, { ...WRITER, dryRun: true });
    expect(dry.metadata).toMatchObject({ generation: 2, resourceVersion: made.metadata.resourceVersion });
    expect(store.get("rollouts", "wire", "a")).toBe(made);
  });
});

describe("delete", () => {
  it("takes what the object owns along, down to grandchildren, with one event each", () => {
    const store = testStore();
    const owner = store.create("rollouts", rollout("a"), WRITER);
    const ownedBy = (uid: string) => [{ apiVersion: "x", kind: "Rollout", name: "a", uid }];
    const set = store.create(
      "replicasets",
      rollout("rs", { metadata: { name: "rs", ownerReferences: ownedBy(owner.metadata.uid) } }),
      WRITER,
    );
    store.create(
      "pods",
      rollout("pod", { metadata: { name: "pod", ownerReferences: ownedBy(set.metadata.uid) } }),
      WRITER,
    );
    const events = watched(store);
    store.delete("rollouts", "wire", "a");
    expect(events.map(({ type, resource }) => `${type} ${resource}`)).toEqual([
      "DELETED rollouts",
      "DELETED replicasets",
      "DELETED pods",
    ]);
    const versions = events.map(({ object }) => Number(object.metadata.resourceVersion));
    expect(versions).toEqual([...versions].sort((a, b) => a - b));
  });

  it("leaves an object with another living owner", () => {
    const store = testStore();
    const owners = ["a", "b"].map((name) => store.create("rollouts", rollout(name), WRITER).metadata.uid);
    const ownerReferences = owners.map((uid) => ({ apiVersion: "x", kind: "Rollout", name: "n", uid }));
    store.create("pods", rollout("pod", { metadata: { name: "pod", ownerReferences } }), WRITER);
    store.delete("rollouts", "wire", "a");
    expect(store.list("pods")).toHaveLength(1);
    store.delete("rollouts", "wire", "b");
    expect(store.list("pods")).toHaveLength(0);
  });

  it("waits for finalizers, and goes with the last of them", () => {
    const store = testStore();
    store.create("rollouts", rollout("a", { metadata: { name: "a", finalizers: ["x/hold"] } }), WRITER);
    const marked = store.delete("rollouts", "wire", "a");
    expect(marked?.metadata).toMatchObject({ deletionTimestamp: "2026-11-20T08:00:00Z", generation: 2 });
    if (marked === undefined) throw new Error("nothing was deleted");
    store.update("rollouts", { ...marked, metadata: { ...marked.metadata, finalizers: [] } }, WRITER);
    expect(store.get("rollouts", "wire", "a")).toBeUndefined();
  });

  it("empties a namespace, and keeps kube-system", () => {
    const store = testStore();
    store.create("rollouts", rollout("a"), WRITER);
    store.delete("namespaces", undefined, "wire");
    expect(store.list("rollouts")).toEqual([]);
    expect(() => store.delete("namespaces", undefined, "kube-system")).toThrow(expect.objectContaining({ code: 403 }));
  });

  it("answers undefined where there is nothing", () => {
    expect(testStore().delete("rollouts", "wire", "nope")).toBeUndefined();
  });
});

describe("history", () => {
  it("lists the objects as they stood at an earlier version", () => {
    const store = testStore();
    const first = store.create("rollouts", rollout("a"), WRITER);
    store.create("rollouts", rollout("b"), WRITER);
    const rv = store.resourceVersion();
    store.update("rollouts", { ...first, spec: { replicas: 1 } }, WRITER);
    store.delete("rollouts", "wire", "b");
    store.create("rollouts", rollout("c"), WRITER);
    const names = store.listAt("rollouts", rv)?.map((object) => object.metadata.name);
    expect(names).toEqual(["a", "b"]);
    expect(store.listAt("rollouts", rv)?.[0]).toBe(first);
  });

  it("forgets events of more than five minutes ago", () => {
    let time = Date.parse("2026-11-20T08:00:00Z");
    const store = testStore({ now: () => new Date(time) });
    const first = store.create("rollouts", rollout("first"), WRITER);
    time += 4 * 60_000;
    for (let i = 0; i < 300; i += 1) store.create("rollouts", rollout(`early${i}`), WRITER);
    expect(store.floor()).toBeLessThan(Number(first.metadata.resourceVersion));
    time += 2 * 60_000;
    for (let i = 0; i < 300; i += 1) store.create("rollouts", rollout(`late${i}`), WRITER);
    expect(store.floor()).toBe(Number(first.metadata.resourceVersion));
  });

  it("forgets events beyond its limit and says so by its floor", () => {
    const store = testStore({ eventLimit: 10 });
    const start = store.resourceVersion();
    for (let i = 0; i < 40; i += 1) store.create("rollouts", rollout(`r${i}`), WRITER);
    expect(store.floor()).toBeGreaterThan(start);
    const events = store.eventsSince("rollouts", store.floor());
    expect(events[0]?.rv).toBe(store.floor() + 1);
    expect(events.at(-1)?.rv).toBe(store.resourceVersion());
  });
});

describe("subscribe", () => {
  it("tells every listener the events in order, also those that a listener causes", () => {
    const store = testStore();
    store.subscribe(({ resource }) => {
      if (resource === "rollouts") store.create("analysisruns", analysisRun("run"), WRITER);
    });
    const events = watched(store);
    store.create("rollouts", rollout("a"), WRITER);
    expect(events.map((event) => event.resource)).toEqual(["rollouts", "analysisruns"]);
  });

  it("goes on where one listener throws", () => {
    const errors: unknown[] = [];
    const store = testStore({ onError: (error) => errors.push(error) });
    store.subscribe(() => {
      throw new Error("broken listener");
    });
    const events = watched(store);
    store.create("rollouts", rollout("a"), WRITER);
    expect(events).toHaveLength(1);
    expect(errors).toHaveLength(1);
  });
});

describe("list", () => {
  it("is ordered by namespace and name, and keeps namespaces apart that begin alike", () => {
    const store = testStore();
    addNamespace(store, "wire-2");
    for (const [namespace, name] of [
      ["wire-2", "a"],
      ["wire", "b"],
      ["wire", "a"],
    ] as const) {
      store.create("rollouts", rollout(name, { metadata: { name, namespace } }), WRITER);
    }
    const places = (namespace?: string) =>
      store.list("rollouts", namespace).map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);
    expect(places()).toEqual(["wire-2/a", "wire/a", "wire/b"]);
    expect(places("wire")).toEqual(["wire/a", "wire/b"]);
  });
});
