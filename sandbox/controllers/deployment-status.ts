import { formatTime, parseTime } from "./clock.ts";
import {
  type Deployment,
  type DeploymentCondition,
  type DeploymentStatus,
  findDeploymentCondition,
} from "./deployment-types.ts";
import type { ReplicaSet } from "./rollout-types.ts";
import { resolveLimits } from "./surge-limits.ts";

const DEFAULT_PROGRESS_DEADLINE_SECONDS = 600;

type NewCondition = Pick<DeploymentCondition, "type" | "status" | "reason" | "message">;
type Time = { nowMs: number; speed: number };

/** Returns how many pods may exist too many, and how many too few (deploymentutil ResolveFenceposts). */
function deploymentLimits({ spec }: Deployment): { surge: number; unavailable: number } {
  if (spec.strategy?.type === "Recreate" || spec.replicas === 0) {
    return { surge: 0, unavailable: 0 };
  }
  return resolveLimits(spec.strategy?.rollingUpdate ?? {}, spec.replicas);
}

/** Computes the counts and conditions of a Deployment (deployment/sync.go calculateStatus, progress.go). */
export function computeDeploymentStatus(
  deployment: Deployment,
  sets: { newSet: ReplicaSet | undefined; all: readonly ReplicaSet[]; created: string | undefined },
  time: Time,
): DeploymentStatus {
  const { metadata, spec, status: before } = deployment;
  const { newSet, all, created } = sets;
  const sum = (count: (set: ReplicaSet) => number): number => all.reduce((total, set) => total + count(set), 0);
  const available = sum((set) => set.status.availableReplicas);
  const next: DeploymentStatus = {
    observedGeneration: metadata.generation ?? 1,
    ...counts({
      replicas: sum((set) => set.status.replicas),
      updatedReplicas: newSet?.status.replicas ?? 0,
      readyReplicas: sum((set) => set.status.readyReplicas),
      availableReplicas: available,
      unavailableReplicas: Math.max(0, sum((set) => set.spec.replicas) - available),
    }),
    conditions: before.conditions ?? [],
  };
  if (created !== undefined) {
    const message = `Created new replica set "${created}"`;
    setCondition(next, { type: "Progressing", status: "True", reason: "NewReplicaSetCreated", message }, time.nowMs);
  }
  const isAvailable = available >= spec.replicas - deploymentLimits(deployment).unavailable;
  setCondition(next, isAvailable ? AVAILABLE : UNAVAILABLE, time.nowMs);
  judgeProgress({ deployment, next, newSet, time });
  return next;
}

const AVAILABLE: NewCondition = {
  type: "Available",
  status: "True",
  reason: "MinimumReplicasAvailable",
  message: "Deployment has minimum availability.",
};
const UNAVAILABLE: NewCondition = {
  type: "Available",
  status: "False",
  reason: "MinimumReplicasUnavailable",
  message: "Deployment does not have minimum availability.",
};

/** Sets Progressing (deployment/progress.go syncRolloutStatus). A Deployment that is complete stays so when scaled. */
function judgeProgress(parts: {
  deployment: Deployment;
  next: DeploymentStatus;
  newSet: ReplicaSet | undefined;
  time: Time;
}): void {
  const { deployment, next, newSet, time } = parts;
  const current = findDeploymentCondition(next, "Progressing");
  const hasOnlyNew = (next.replicas ?? 0) === (next.updatedReplicas ?? 0);
  if (hasOnlyNew && current?.reason === "NewReplicaSetAvailable") {
    return;
  }
  const named = `ReplicaSet "${newSet?.metadata.name ?? ""}"`;
  const set = (condition: Omit<NewCondition, "type">): void =>
    setCondition(next, { type: "Progressing", ...condition }, time.nowMs);
  if (isComplete(deployment, next)) {
    const message = `${named} has successfully progressed.`;
    set({ status: "True", reason: "NewReplicaSetAvailable", message });
  } else if (hasProgressed(deployment.status, next)) {
    const kept = current?.status === "True" ? current.lastTransitionTime : formatTime(time.nowMs);
    next.conditions = next.conditions?.filter(({ type }) => type !== "Progressing");
    set({ status: "True", reason: "ReplicaSetUpdated", message: `${named} is progressing.` });
    next.conditions = next.conditions?.map((condition) =>
      condition.type === "Progressing" ? { ...condition, lastTransitionTime: kept } : condition,
    );
  } else if ((deadlineWaitMs(deployment, next, time) ?? 1) <= 0) {
    const message = `${named} has timed out progressing.`;
    set({ status: "False", reason: "ProgressDeadlineExceeded", message });
  }
}

/** Returns how long until the Deployment exceeds its deadline, at most zero if it has; undefined if it cannot. */
export function deadlineWaitMs(
  { spec }: Deployment,
  status: DeploymentStatus,
  { nowMs, speed }: Time,
): number | undefined {
  const condition = findDeploymentCondition(status, "Progressing");
  const isOpen = condition?.reason === "NewReplicaSetCreated" || condition?.reason === "ReplicaSetUpdated";
  const sinceMs = parseTime(condition?.lastUpdateTime);
  if (!isOpen || sinceMs === undefined) {
    return undefined;
  }
  const seconds = spec.progressDeadlineSeconds ?? DEFAULT_PROGRESS_DEADLINE_SECONDS;
  return sinceMs + (seconds * 1000) / speed - nowMs;
}

function isComplete({ metadata, spec }: Deployment, status: DeploymentStatus): boolean {
  const { replicas = 0, updatedReplicas = 0, availableReplicas = 0, observedGeneration = 0 } = status;
  return (
    [replicas, updatedReplicas, availableReplicas].every((count) => count === spec.replicas) &&
    observedGeneration >= (metadata.generation ?? 1)
  );
}

function hasProgressed(before: DeploymentStatus, next: DeploymentStatus): boolean {
  const old = ({ replicas = 0, updatedReplicas = 0 }: DeploymentStatus): number => replicas - updatedReplicas;
  const hasMore = (field: "updatedReplicas" | "readyReplicas" | "availableReplicas"): boolean =>
    (next[field] ?? 0) > (before[field] ?? 0);
  return (
    hasMore("updatedReplicas") || old(next) < old(before) || hasMore("readyReplicas") || hasMore("availableReplicas")
  );
}

function counts<Count extends Record<string, number>>(all: Count): Partial<Count> {
  return Object.fromEntries(Object.entries(all).filter(([, count]) => count !== 0)) as Partial<Count>;
}

/** Sets a condition; an equal status and reason keep the old one, with message and times. */
function setCondition(status: DeploymentStatus, condition: NewCondition, nowMs: number): void {
  const current = findDeploymentCondition(status, condition.type);
  if (current?.status === condition.status && current.reason === condition.reason) {
    return;
  }
  const now = formatTime(nowMs);
  const lastTransitionTime = current?.status === condition.status ? current.lastTransitionTime : now;
  const others = (status.conditions ?? []).filter(({ type }) => type !== condition.type);
  status.conditions = [...others, { ...condition, lastUpdateTime: now, lastTransitionTime }];
}

type SetOrder = { set: ReplicaSet; replicas: number };

/** A Deployment's ReplicaSets: that of its template, and the others, oldest first. */
type DeploymentSets = { newSet: ReplicaSet | undefined; old: ReplicaSet[] };

/** Plans one pass of Recreate: the old pods go, and only then the new ones come (deployment/recreate.go). */
export function planRecreate({ spec }: Deployment, { newSet, old }: DeploymentSets): SetOrder[] {
  const running = old.filter((set) => set.spec.replicas > 0);
  if (running.length > 0) {
    return running.map((set) => ({ set, replicas: 0 }));
  }
  const hasOldPods = old.some((set) => set.status.replicas > 0);
  return newSet === undefined || hasOldPods || newSet.spec.replicas === spec.replicas
    ? []
    : [{ set: newSet, replicas: spec.replicas }];
}

/** Plans one pass of RollingUpdate: scales the new one, or else the old ones (deployment/rolling.go). */
export function planRollingUpdate(deployment: Deployment, { newSet, old }: DeploymentSets): SetOrder[] {
  if (newSet === undefined) {
    return [];
  }
  const { replicas } = deployment.spec;
  const { surge, unavailable } = deploymentLimits(deployment);
  const all = [newSet, ...old];
  const pods = total(all, (set) => set.spec.replicas);
  const room = Math.max(0, replicas + surge - pods);
  const wanted = Math.min(replicas, newSet.spec.replicas + room);
  if (wanted !== newSet.spec.replicas) {
    return [{ set: newSet, replicas: wanted }];
  }
  const minAvailable = replicas - unavailable;
  const newUnavailable = newSet.spec.replicas - newSet.status.availableReplicas;
  const orders = new Map<ReplicaSet, number>();
  let budget = pods - minAvailable - newUnavailable;
  for (const set of old) {
    const unhealthy = Math.min(Math.max(0, budget), set.spec.replicas - set.status.availableReplicas);
    budget -= unhealthy;
    if (unhealthy > 0) {
      orders.set(set, set.spec.replicas - unhealthy);
    }
  }
  let surplus = total(all, (set) => set.status.availableReplicas) - minAvailable;
  for (const set of old) {
    const current = orders.get(set) ?? set.spec.replicas;
    const fewer = Math.min(Math.max(0, surplus), current);
    surplus -= fewer;
    if (fewer > 0) {
      orders.set(set, current - fewer);
    }
  }
  return [...orders].map(([set, count]) => ({ set, replicas: count }));
}

function total(sets: readonly ReplicaSet[], count: (set: ReplicaSet) => number): number {
  return sets.reduce((sum, set) => sum + count(set), 0);
}
