import { describe, expect, it } from "vitest";
import type { ClusterReader } from "./cluster-reader.ts";
import { findOwnedPods, formatSelector, type PodOwner } from "./find-owned-pods.ts";

const meta = (name: string, owner?: { kind: string; uid: string }, createdAt = "2026-11-20T08:00:00Z") => ({
  name,
  namespace: "shop",
  uid: `uid-${name}`,
  resourceVersion: "1",
  creationTimestamp: createdAt,
  ...(owner === undefined ? {} : { ownerReferences: [{ ...owner, name: "x", controller: true }] }),
});
const podOf = (name: string, ownerUid: string, createdAt?: string) => ({
  kind: "Pod",
  metadata: meta(name, { kind: "ReplicaSet", uid: ownerUid }, createdAt),
  spec: {
    containers: [{ name: "app" }],
    initContainers: [{ name: "migrate" }, { name: "proxy", restartPolicy: "Always" }],
  },
  status: {
    phase: "Running",
    containerStatuses: [
      {
        name: "app",
        restartCount: 2,
        state: { waiting: { reason: "CrashLoopBackOff" } },
        lastState: { terminated: { exitCode: 2 } },
      },
    ],
    initContainerStatuses: [{ name: "migrate", restartCount: 0, state: { terminated: { reason: "Completed" } } }],
  },
});

type World = { objects?: Record<string, unknown>; sets?: unknown[]; pods?: unknown[] };

function readerOf({ objects = {}, sets = [], pods = [] }: World): ClusterReader & { asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    get: async ({ resource, name }) => {
      const object = objects[`${resource.name}/${name}`];
      return object === undefined ? { kind: "missing" } : { kind: "found", object };
    },
    list: async ({ resource, labelSelector }) => {
      asked.push(`${resource.name} ${labelSelector}`);
      return { kind: "found", items: resource.name === "pods" ? pods : sets };
    },
  };
}

const selector = { matchLabels: { app: "checkout" } };
const owner: PodOwner = { kind: "ReplicaSet", name: "checkout-1" };
const namesOf = (found: Awaited<ReturnType<typeof findOwnedPods>>) =>
  found.kind === "found" ? found.pods.map(({ name }) => name) : found;

describe("findOwnedPods", () => {
  it("takes only pods whose owner it is, newest first", async () => {
    const reader = readerOf({
      objects: { "replicasets/checkout-1": { metadata: meta("checkout-1"), spec: { selector } } },
      pods: [
        podOf("a", "uid-checkout-1"),
        podOf("b", "uid-checkout-1", "2026-11-20T09:00:00Z"),
        podOf("foreign", "uid-other"),
        { kind: "Pod", metadata: meta("orphan"), spec: { containers: [] } },
      ],
    });
    expect(namesOf(await findOwnedPods(reader, { namespace: "shop", owner }))).toEqual(["b", "a"]);
    expect(reader.asked).toEqual(["pods app=checkout"]);
  });

  it("goes from a Deployment to its pods by way of its own ReplicaSets", async () => {
    const reader = readerOf({
      objects: { "deployments/cart": { metadata: meta("cart"), spec: { selector } } },
      sets: [
        { kind: "ReplicaSet", metadata: meta("cart-1", { kind: "Deployment", uid: "uid-cart" }) },
        { kind: "ReplicaSet", metadata: meta("other-1", { kind: "Deployment", uid: "uid-other" }) },
      ],
      pods: [podOf("a", "uid-cart-1"), podOf("b", "uid-other-1")],
    });
    const found = await findOwnedPods(reader, { namespace: "shop", owner: { kind: "Deployment", name: "cart" } });
    expect(namesOf(found)).toEqual(["a"]);
  });

  it("describes containers: the main ones first, and whether there was an instance before", async () => {
    const reader = readerOf({
      objects: { "replicasets/checkout-1": { metadata: meta("checkout-1"), spec: { selector } } },
      pods: [podOf("a", "uid-checkout-1")],
    });
    const found = await findOwnedPods(reader, { namespace: "shop", owner });
    expect(found.kind === "found" && found.pods[0]?.containers).toMatchObject([
      { name: "app", role: "container", state: "waiting", reason: "CrashLoopBackOff", restarts: 2, hasPrevious: true },
      { name: "proxy", role: "sidecar", state: "unknown", restarts: 0, hasPrevious: false },
      { name: "migrate", role: "init", state: "terminated", reason: "Completed", hasPrevious: false },
    ]);
  });

  it("has no pods if the owner is gone, and never lists a whole namespace", async () => {
    expect(await findOwnedPods(readerOf({}), { namespace: "shop", owner })).toEqual({ kind: "found", pods: [] });
    const reader = readerOf({
      objects: { "replicasets/checkout-1": { metadata: meta("checkout-1"), spec: { selector: {} } } },
    });
    expect(await findOwnedPods(reader, { namespace: "shop", owner })).toMatchObject({ kind: "unusable" });
    expect(reader.asked).toEqual([]);
  });

  it("passes on what the cluster refuses", async () => {
    const refused = { kind: "refused", message: "no" } as const;
    const reader = { ...readerOf({}), get: async () => refused };
    expect(await findOwnedPods(reader, { namespace: "shop", owner })).toEqual(refused);
  });
});

describe("formatSelector", () => {
  it.each([
    { selector: { matchLabels: { app: "checkout", "a.b/c": "d" } }, text: "app=checkout,a.b/c=d" },
    {
      selector: {
        matchExpressions: [
          { key: "a", operator: "In", values: ["x", "y"] },
          { key: "b", operator: "NotIn", values: ["z"] },
          { key: "c", operator: "Exists" },
          { key: "d", operator: "DoesNotExist", values: null },
        ],
      },
      text: "a in (x,y),b notin (z),c,!d",
    },
    { selector: {}, text: "" },
    { selector: undefined, text: "" },
    { selector: null, text: "" },
  ])("asks for $text", ({ selector, text }) => {
    expect(formatSelector(selector)).toBe(text);
  });
});
