import { z } from "zod";
import { OwnedMeta, optional, type Parsed, parseKubeObject } from "#lib/domain/kube/kube-object.ts";

const Text = optional(z.string()).transform((text) => text ?? "");
const Spec = z.object({ name: z.string(), restartPolicy: optional(z.string()) });
const Moment = z.object({ reason: Text, startedAt: optional(z.string()), finishedAt: optional(z.string()) });
const State = optional(
  z.object({ waiting: optional(Moment), running: optional(Moment), terminated: optional(Moment) }),
);
const Status = z.object({
  name: z.string(),
  restartCount: optional(z.number()).transform((count) => count ?? 0),
  state: State,
  lastState: State,
});
const Specs = optional(z.array(Spec)).transform((list) => list ?? []);
const Statuses = optional(z.array(Status)).transform((list) => list ?? []);

const Pod = z.object({
  kind: z.literal("Pod"),
  metadata: OwnedMeta,
  spec: z.object({ containers: Specs, initContainers: Specs }),
  status: optional(
    z.object({
      phase: Text,
      reason: Text,
      containerStatuses: Statuses,
      initContainerStatuses: Statuses,
    }),
  ),
});

/** A container of a pod, as far as its log goes. */
export type PodContainer = {
  name: string;
  /** A sidecar is an init container that keeps running beside the others. */
  role: "container" | "init" | "sidecar";
  /** Unknown until the kubelet has reported it. */
  state: "waiting" | "running" | "terminated" | "unknown";
  /** Why it waits or ended, such as `CrashLoopBackOff`; empty if the cluster gives no reason. */
  reason: string;
  restarts: number;
  /** ISO 8601, of the current instance. */
  startedAt: string | undefined;
  /** The instance before the last restart, whose log the cluster may still have. */
  hasPrevious: boolean;
};

/** A pod with its containers: those that it was made for first, then sidecars and init containers. */
export type PodWithContainers = Pick<OwnedMeta, "name" | "uid" | "ownerUid" | "creationTimestamp"> & {
  phase: string;
  reason: string;
  containers: PodContainer[];
};

export function parsePodContainers(object: unknown): Parsed<PodWithContainers> {
  const parsed = parseKubeObject(Pod, object);
  if (!parsed.ok) return parsed;
  const { metadata, spec, status } = parsed.value;
  const statuses = [...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? [])];
  const statusOf = (name: string) => statuses.find((each) => each.name === name);
  const initial = spec.initContainers.map((each) => ({
    name: each.name,
    role: each.restartPolicy === "Always" ? ("sidecar" as const) : ("init" as const),
  }));
  const named = [
    ...spec.containers.map(({ name }) => ({ name, role: "container" as const })),
    ...initial.filter(({ role }) => role === "sidecar"),
    ...initial.filter(({ role }) => role === "init"),
  ];
  return {
    ok: true,
    value: {
      name: metadata.name,
      uid: metadata.uid,
      ownerUid: metadata.ownerUid,
      creationTimestamp: metadata.creationTimestamp,
      phase: status?.phase || "Unknown",
      reason: status?.reason ?? "",
      containers: named.map(({ name, role }) => ({ name, role, ...factsOf(statusOf(name)) })),
    },
  };
}

function factsOf(status: z.infer<typeof Status> | undefined): Omit<PodContainer, "name" | "role"> {
  const { waiting, running, terminated } = status?.state ?? {};
  return {
    state: running ? "running" : terminated ? "terminated" : waiting ? "waiting" : "unknown",
    reason: waiting?.reason || terminated?.reason || "",
    restarts: status?.restartCount ?? 0,
    startedAt: running?.startedAt ?? terminated?.startedAt,
    hasPrevious: status?.lastState?.terminated !== undefined,
  };
}
