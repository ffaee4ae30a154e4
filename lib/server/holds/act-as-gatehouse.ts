import type { ActionAccepted } from "#lib/contract/action.ts";
import type { ProblemCode } from "#lib/contract/problem.ts";
import type { RolloutActionName } from "#lib/domain/acting/action-catalogue.ts";
import type { ObjectRef } from "#lib/domain/delivery/object-ref.ts";
import { readRolloutSource } from "#lib/server/clusters/sources/source-freshness.ts";
import { type Actor, actorKey } from "#lib/server/platform/actor/actor.ts";
import type { Runtime } from "#lib/server/process/runtime-types.ts";

/** Returns whether the state of an action that was accepted says that the cluster has the change. */
export function isApplied({ state }: Pick<ActionAccepted, "state">): boolean {
  return state === "applied" || state === "effective";
}

/** Refusals after which the cluster is unchanged, and which need not be repeated. */
export const passing: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  "unavailable",
  "audit_unavailable",
  "rate_limited",
  "source_stale",
  "stale_view",
  "conflict",
  "config_error",
]);

/** Gatehouse itself, with the right to this one action on these rollouts. */
export function systemActor(places: ObjectRef | readonly ObjectRef[], action: RolloutActionName): Actor {
  const grants = [places].flat().map(({ cluster, namespace, kind, name }) => {
    const scope = { clusters: [cluster], namespaces: [namespace], rollouts: [`${kind}/${name}`] };
    return { role: "operator" as const, scope, actions: [action], breakGlass: false };
  });
  return {
    type: "system",
    userId: "",
    issuer: "gatehouse",
    subject: "hold",
    name: "Gatehouse",
    role: "operator",
    rights: { cap: "operator", grants },
    groups: [],
    username: "gatehouse",
    claims: {},
  };
}

/** The key of its actions. */
export const gatehouseKey = actorKey(systemActor([], "pause"));

/** Returns whether the watch that tells of the rollout is live, and does not hold the rollout as gone. */
export async function isSourceLive(
  runtime: Pick<Runtime, "pool">,
  { cluster, namespace, kind, uid }: ObjectRef & { uid: string },
): Promise<boolean> {
  const source = await readRolloutSource(runtime, { cluster, namespace, kind, uid });
  return source?.state === "live" && !source.is_held;
}
