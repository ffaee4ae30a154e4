import { announceChanges } from "./announce-changes.ts";
import type { ReconcileContext } from "./reconcile-context.ts";
import { ROLLOUTS_MANAGER } from "./reconcile-context.ts";
import { findCondition, setCondition } from "./rollout-conditions.ts";
import { computePhase } from "./rollout-phase.ts";
import type { Rollout, RolloutStatus } from "./rollout-types.ts";

/** Writes the whole status; the store emits no event if nothing changed. Absent fields are removed. */
export function writeStatus(context: ReconcileContext, rollout: Rollout, next: RolloutStatus): void {
  const { namespace, name, uid, generation = 0 } = rollout.metadata;
  const status: RolloutStatus = {
    ...next,
    observedGeneration: String(generation),
    phase: undefined,
    message: undefined,
  };
  Object.assign(status, computePhase(rollout.spec, status));
  const plain = JSON.parse(JSON.stringify(status)) as Record<string, unknown>;
  // The revision annotation may have changed since the pass began: take the newest object, replace only its status.
  const latest = context.store.get("rollouts", namespace, name);
  if (latest?.metadata.uid === uid) {
    context.store.update(
      "rollouts",
      { ...latest, status: plain },
      { manager: ROLLOUTS_MANAGER, subresource: "status" },
    );
    announceChanges(context, rollout, status);
  }
}

export function writeInvalid(context: ReconcileContext, rollout: Rollout, message: string): void {
  const next: RolloutStatus = { ...rollout.status };
  const current = findCondition(next, "InvalidSpec");
  if (current?.message !== message) {
    next.conditions = (next.conditions ?? []).filter(({ type }) => type !== "InvalidSpec");
  }
  setCondition(next, { type: "InvalidSpec", status: "True", reason: "InvalidSpec", message }, context.nowMs);
  writeStatus(context, rollout, next);
}
