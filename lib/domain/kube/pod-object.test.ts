import { describe, expect, it } from "vitest";
import { parsePod } from "./pod-object.ts";

const metadata = {
  name: "shop-1-a",
  namespace: "shop",
  uid: "u1",
  resourceVersion: "7",
  labels: { "rollouts-pod-template-hash": "1", secretish: "x" },
  annotations: { note: "large" },
  managedFields: [{ manager: "kubelet" }],
  ownerReferences: [{ apiVersion: "apps/v1", kind: "ReplicaSet", name: "shop-1", uid: "rs1", controller: true }],
};
const env = [{ name: "TOKEN", value: "planted" }];
const pod = (status: object, spec: object = { containers: [{ name: "app", env }], nodeName: "node-1" }) => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata,
  spec,
  status,
});
const container = (more: object) => ({ name: "app", ready: false, restartCount: 0, ...more });

type Case = { name: string; object: object; facts: object };
const cases: Case[] = [
  {
    name: "one that runs",
    object: pod({
      phase: "Running",
      startTime: "2026-01-01T00:00:00Z",
      conditions: [{ type: "Ready", status: "True" }],
      containerStatuses: [container({ ready: true, restartCount: 2, state: { running: {} } })],
    }),
    facts: {
      phase: "Running",
      reason: undefined,
      ready: true,
      containers: 1,
      readyContainers: 1,
      restarts: 2,
      node: "node-1",
      podHash: "1",
      ownerKind: "ReplicaSet",
      ownerUid: "rs1",
      startedAt: "2026-01-01T00:00:00Z",
    },
  },
  {
    name: "one whose container waits for a reason",
    object: pod({
      phase: "Pending",
      containerStatuses: [
        container({ state: { waiting: { reason: "ImagePullBackOff", message: "Back-off pulling image" } } }),
      ],
    }),
    facts: { phase: "Pending", reason: "ImagePullBackOff", message: "Back-off pulling image", ready: false },
  },
  {
    name: "one whose container ended badly without a reason",
    object: pod({ phase: "Running", containerStatuses: [container({ state: { terminated: { exitCode: 137 } } })] }),
    facts: { reason: "ExitCode:137" },
  },
  {
    name: "one whose init container fails before the others start",
    object: pod({
      phase: "Pending",
      initContainerStatuses: [container({ restartCount: 3, state: { waiting: { reason: "CrashLoopBackOff" } } })],
      containerStatuses: [container({ state: { waiting: { reason: "PodInitializing" } } })],
    }),
    facts: { reason: "CrashLoopBackOff", restarts: 3, containers: 1, readyContainers: 0 },
  },
  {
    name: "one whose init container ended well",
    object: pod({
      phase: "Running",
      initContainerStatuses: [container({ ready: true, state: { terminated: { exitCode: 0, reason: "Completed" } } })],
      containerStatuses: [container({ ready: true, state: { running: {} } })],
    }),
    facts: { reason: undefined, readyContainers: 1 },
  },
  {
    name: "one with a sidecar",
    object: pod(
      {
        phase: "Running",
        initContainerStatuses: [container({ ready: true, state: { running: {} } })],
        containerStatuses: [container({ ready: true, state: { running: {} } })],
      },
      { containers: [{}], initContainers: [{ restartPolicy: "Always" }, {}] },
    ),
    facts: { containers: 2, readyContainers: 2 },
  },
  {
    name: "one that the node evicted",
    object: pod({ phase: "Failed", reason: "Evicted", message: "The node was low on memory." }),
    facts: { phase: "Failed", reason: "Evicted", message: "The node was low on memory." },
  },
  { name: "one without any status yet", object: { kind: "Pod", metadata }, facts: { phase: "Unknown", containers: 0 } },
];

describe("parsePod", () => {
  it.each(cases)("reads $name", ({ object, facts }) => {
    expect(parsePod(object)).toEqual({ ok: true, value: expect.objectContaining(facts) });
  });

  it("leaves nothing of what is not shown", () => {
    const text = JSON.stringify(parsePod(pod({ phase: "Running" })));
    for (const dropped of ["planted", "TOKEN", "annotations", "managedFields", "secretish"])
      expect(text).not.toContain(dropped);
  });

  it("says what does not fit", () => {
    expect(parsePod({ kind: "Pod", metadata: { ...metadata, uid: 1 } })).toMatchObject({
      ok: false,
      reason: expect.stringContaining("metadata.uid"),
    });
  });
});
