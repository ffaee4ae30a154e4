import { z } from "zod";
import { OwnedMeta, optional, type Parsed, parseKubeObject } from "#lib/domain/kube/kube-object.ts";

const Text = optional(z.string()).transform((value) => value ?? "");
const Stopped = optional(z.object({ reason: Text, message: Text, exitCode: optional(z.number()) }));

const ContainerStatus = z.object({
  name: Text,
  ready: optional(z.boolean()).transform((value) => value ?? false),
  restartCount: optional(z.number()).transform((value) => value ?? 0),
  state: optional(z.object({ waiting: Stopped, terminated: Stopped })),
});
type ContainerStatus = z.infer<typeof ContainerStatus>;

const Statuses = optional(z.array(ContainerStatus)).transform((list) => list ?? []);

/** A `Pod`, reduced while parsing to the fields that are shown: no environment, no volumes, no annotations. */
const PodObject = z.object({
  kind: z.literal("Pod"),
  metadata: OwnedMeta,
  spec: optional(
    z.object({
      nodeName: optional(z.string()),
      containers: optional(z.array(z.unknown())).transform((list) => list?.length ?? 0),
      initContainers: optional(z.array(z.object({ restartPolicy: optional(z.string()) }))).transform(
        (list) => (list ?? []).filter((container) => container.restartPolicy === "Always").length,
      ),
    }),
  ),
  status: optional(
    z.object({
      phase: Text,
      reason: Text,
      message: Text,
      startTime: optional(z.string()),
      conditions: optional(z.array(z.object({ type: z.string(), status: Text }))),
      containerStatuses: Statuses,
      initContainerStatuses: Statuses,
    }),
  ),
});

/** The stored fields of a pod. `phase` is the pod's own; `reason` is why it is not well, as in `kubectl get pods`. */
export type PodFacts = OwnedMeta & {
  phase: string;
  reason: string | undefined;
  message: string;
  ready: boolean;
  containers: number;
  readyContainers: number;
  restarts: number;
  node: string | undefined;
  startedAt: string | undefined;
};

export function parsePod(object: unknown): Parsed<PodFacts> {
  const parsed = parseKubeObject(PodObject, object);
  return parsed.ok ? { ok: true, value: extractFacts(parsed.value) } : parsed;
}

function extractFacts({ metadata, spec, status }: z.infer<typeof PodObject>): PodFacts {
  const main = status?.containerStatuses ?? [];
  const init = status?.initContainerStatuses ?? [];
  const trouble = findTrouble(init, main);
  const reason = status?.reason || trouble?.reason;
  return {
    ...metadata,
    phase: status?.phase || "Unknown",
    reason: reason === "" ? undefined : reason,
    message: status?.message || trouble?.message || "",
    ready: (status?.conditions ?? []).some(({ type, status: value }) => type === "Ready" && value === "True"),
    containers: (spec?.containers ?? 0) + (spec?.initContainers ?? 0),
    readyContainers: [...main, ...init.filter(isRunning)].filter((each) => each.ready).length,
    restarts: [...main, ...init].reduce((sum, each) => sum + each.restartCount, 0),
    node: spec?.nodeName,
    startedAt: status?.startTime,
  };
}

/** Init containers that ended well are ready too, but only sidecars count: those still run. */
function isRunning({ state }: ContainerStatus): boolean {
  return state?.terminated === undefined && state?.waiting === undefined;
}

/** The first container that waits for a reason or ended badly; init containers come first, as they run first. */
function findTrouble(
  init: readonly ContainerStatus[],
  main: readonly ContainerStatus[],
): { reason: string; message: string } | undefined {
  for (const { state } of [...init, ...main]) {
    if (state?.waiting !== undefined && state.waiting.reason !== "" && state.waiting.reason !== "PodInitializing")
      return state.waiting;
    const ended = state?.terminated;
    if (ended !== undefined && ended.exitCode !== undefined && ended.exitCode !== 0)
      return { ...ended, reason: ended.reason || `ExitCode:${ended.exitCode}` };
  }
  return undefined;
}
