import { WRITER } from "#sandbox/apiserver/testing/objects.ts";
import type { SandboxServer } from "#test/sandbox-server.ts";

type RunningSet = {
  namespace: string;
  name: string;
  kind?: "ReplicaSet" | "Job";
  hash: string;
  count: number;
  startedAt: string;
};

/** Adds a ReplicaSet, or a Job, with running pods of one container to the cluster. Those of one hash share a selector, whoever owns them. */
export function addRunningSet(
  store: SandboxServer["store"],
  { namespace, name, kind = "ReplicaSet", hash, count, startedAt }: RunningSet,
): void {
  const labels = { app: "checkout", hash };
  const apiVersion = kind === "Job" ? "batch/v1" : "apps/v1";
  const set = store.create(
    kind === "Job" ? "jobs" : "replicasets",
    {
      apiVersion,
      kind,
      metadata: { name, namespace },
      spec: { replicas: count, selector: { matchLabels: labels }, template: {} },
    },
    WRITER,
  );
  const owner = { apiVersion, kind, name, uid: set.metadata.uid, controller: true };
  const containerStatuses = [{ name: "app", restartCount: 0, state: { running: { startedAt } }, lastState: {} }];
  for (let index = 0; index < count; index += 1) {
    const pod = store.create(
      "pods",
      {
        apiVersion: "v1",
        kind: "Pod",
        metadata: { name: `${name}-${index}`, namespace, labels, ownerReferences: [owner] },
        spec: { nodeName: "node-1", containers: [{ name: "app", image: "shop:1" }] },
      },
      WRITER,
    );
    store.update(
      "pods",
      { ...pod, status: { phase: "Running", containerStatuses } },
      { ...WRITER, subresource: "status" },
    );
  }
}
