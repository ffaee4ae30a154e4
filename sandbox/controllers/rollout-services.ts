import type { KubeObject, Store } from "#sandbox/apiserver/store-types.ts";
import { rolloutObject } from "./announce-changes.ts";
import { isFullyPromoted } from "./canary-steps.ts";
import { isAborted, type PauseDecision } from "./pause-state.ts";
import type { ReconcileContext } from "./reconcile-context.ts";
import { ROLLOUTS_MANAGER } from "./reconcile-context.ts";
import { hasTrafficRouting } from "./replica-counts.ts";
import type { ReplicaSet, Rollout, RolloutParts, RolloutSpec } from "./rollout-types.ts";
import { HASH_LABEL, hashOf, MANAGED_BY_ANNOTATION, viewRollout } from "./rollout-types.ts";

/** Returns the pod hash that a Service selects; empty if the Service or the label is missing. */
export function selectedHash(store: Store, namespace: string | undefined, name: string | undefined): string {
  const service = name === undefined ? undefined : store.get("services", namespace, name);
  return selectorOf(service)[HASH_LABEL] ?? "";
}

function selectorOf(service: KubeObject | undefined): Record<string, string> {
  return (service?.spec?.selector ?? {}) as Record<string, string>;
}

/** Returns the Services that a strategy names. */
export function serviceNames({ canary, blueGreen }: RolloutSpec["strategy"]): string[] {
  const { stableService, canaryService } = canary ?? {};
  const { activeService, previewService } = blueGreen ?? {};
  return [stableService, canaryService, activeService, previewService].filter((name) => name !== undefined);
}

/**
 * Releases the Services of a deleted Rollout: they select all its pods again and have no manager (service/service.go).
 */
export function releaseServices(store: Store, object: KubeObject): void {
  const { namespace, name: manager } = object.metadata;
  for (const name of serviceNames(viewRollout(object).spec.strategy ?? {})) {
    const service = store.get("services", namespace, name);
    const { [MANAGED_BY_ANNOTATION]: managedBy, ...annotations } = service?.metadata.annotations ?? {};
    if (service !== undefined && managedBy === manager) {
      const { [HASH_LABEL]: _hash, ...selector } = selectorOf(service);
      const metadata = { ...service.metadata, annotations };
      const spec = { ...service.spec, selector };
      store.update("services", { ...service, metadata, spec }, { manager: ROLLOUTS_MANAGER });
    }
  }
}

/** Points a Service at a ReplicaSet and marks it as managed (rollout/service.go switchServiceSelector at 9f8d111). */
export function switchService(
  context: ReconcileContext,
  rollout: Rollout,
  target: { name: string | undefined; hash: string | undefined },
): void {
  const { store, log, events } = context;
  const { namespace } = rollout.metadata;
  const { name, hash } = target;
  const service = name === undefined ? undefined : store.get("services", namespace, name);
  if (service === undefined || hash === undefined || hash === "") {
    return;
  }
  const selector = selectorOf(service);
  const before = selector[HASH_LABEL] ?? "";
  const annotations = service.metadata.annotations ?? {};
  if (before === hash && annotations[MANAGED_BY_ANNOTATION] !== undefined) {
    return;
  }
  const metadata = {
    ...service.metadata,
    annotations: {
      ...annotations,
      [MANAGED_BY_ANNOTATION]: annotations[MANAGED_BY_ANNOTATION] ?? rollout.metadata.name,
    },
  };
  const spec = { ...service.spec, selector: { ...selector, [HASH_LABEL]: hash } };
  store.update("services", { ...service, metadata, spec }, { manager: ROLLOUTS_MANAGER });
  log(`switched Service ${namespace}/${name} to ${hash}`);
  const message = `Switched selector for service '${name}' from '${before}' to '${hash}'`;
  events.emit(rolloutObject(rollout), { reason: "SwitchService", message });
}

/**
 * Switches the stable and the canary Service of a canary as soon as their ReplicaSet can serve (rollout/service.go
 * reconcileStableAndCanaryService, trafficrouting.go on abort).
 */
export function reconcileCanaryServices(context: ReconcileContext, parts: RolloutParts, decision: PauseDecision): void {
  const { rollout, newSet, stable } = parts;
  const { stableService, canaryService } = rollout.spec.strategy.canary ?? {};
  ensureTarget(context, rollout, { name: stableService, set: stable, checksAvailability: true });
  if (isAborted(rollout, decision) && !isFullyPromoted(rollout)) {
    const checksAvailability = !hasTrafficRouting(rollout);
    ensureTarget(context, rollout, { name: canaryService, set: stable, checksAvailability });
    return;
  }
  ensureTarget(context, rollout, { name: canaryService, set: newSet, checksAvailability: true });
}

function ensureTarget(
  context: ReconcileContext,
  rollout: Rollout,
  target: { name: string | undefined; set: ReplicaSet | undefined; checksAvailability: boolean },
): void {
  const { name, set, checksAvailability } = target;
  if (name === undefined || set === undefined) {
    return;
  }
  const service = context.store.get("services", rollout.metadata.namespace, name);
  if (service === undefined || selectorOf(service)[HASH_LABEL] === hashOf(set)) {
    return;
  }
  // A newly adopted Service waits for all pods; one that is already ours waits for the first.
  const isAdopted = service.metadata.annotations?.[MANAGED_BY_ANNOTATION] !== undefined;
  const needed = isAdopted ? 1 : Math.max(1, set.spec.replicas);
  if (checksAvailability && set.status.availableReplicas < needed) {
    return;
  }
  switchService(context, rollout, { name, hash: hashOf(set) });
}
