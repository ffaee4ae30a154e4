import { deploymentLimits } from "./deployment-status.ts";
import type { Deployment } from "./deployment-types.ts";
import type { ReplicaSet } from "./rollout-types.ts";

export type SetOrder = { set: ReplicaSet; replicas: number };

/** A Deployment's ReplicaSets: that of its template, and the others, oldest first. */
export type DeploymentSets = { newSet: ReplicaSet | undefined; old: ReplicaSet[] };

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
