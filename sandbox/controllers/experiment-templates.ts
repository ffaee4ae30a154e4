import { isCompleted } from "#lib/domain/argo/analysis/phase.ts";
import type { KubeObject } from "#sandbox/apiserver/store-types.ts";
import { earliest, formatTime, parseTime } from "./clock.ts";
import {
  EXPERIMENT_NAME_ANNOTATION,
  type ExperimentPass,
  type ExperimentTemplate,
  experimentReference,
  isTemplateDone,
  TEMPLATE_NAME_ANNOTATION,
  type TemplateState,
  type TemplateStatus,
} from "./experiment-types.ts";
import { ROLLOUTS_MANAGER } from "./reconcile-context.ts";
import {
  HASH_LABEL,
  hashOf,
  isOwnedBy,
  type ReplicaSet,
  SCALE_DOWN_DEADLINE_ANNOTATION,
  viewReplicaSet,
} from "./rollout-types.ts";
import { computePodTemplateHash } from "./template-hash.ts";

const DEFAULT_SCALE_DOWN_DELAY_SECONDS = 30;
const DEFAULT_PROGRESS_DEADLINE_SECONDS = 600;

export type TemplateOutcome = { status: TemplateStatus; wakeMs?: number | undefined };

/**
 * Scales one template's ReplicaSet and returns its status (experiments/experiment.go reconcileTemplate of argo-rollouts
 * at 9f8d111). A ReplicaSet starts at zero and is scaled at the next pass.
 */
export function reconcileTemplate(pass: ExperimentPass, template: ExperimentTemplate): TemplateOutcome {
  const { context, experiment } = pass;
  const now = formatTime(context.nowMs);
  const before = (experiment.status.templateStatuses ?? []).find(({ name }) => name === template.name);
  const wanted = wantedReplicas(pass, template, before);
  const existing = findReplicaSet(pass, template);
  let next: TemplateStatus = { ...(before ?? emptyStatus(template.name)) };
  let wakeMs: number | undefined;
  if (existing === undefined) {
    createReplicaSet(pass, template);
    next = { ...next, lastTransitionTime: now };
  } else {
    next = syncTemplateService(pass, { template, set: viewReplicaSet(existing), wanted, status: next });
    const scaled = scaleTemplate(pass, { set: existing, template, wanted });
    wakeMs = scaled.wakeMs;
    next = scaled.isChanging ? { ...next, lastTransitionTime: now } : next;
    const counts = viewReplicaSet(existing).status;
    const { replicas, readyReplicas, availableReplicas } = counts;
    const counted = { ...next, replicas, updatedReplicas: replicas, readyReplicas, availableReplicas };
    const isMoved = (["replicas", "readyReplicas", "availableReplicas"] as const).some(
      (field) => counted[field] !== (before?.[field] ?? 0),
    );
    next = isMoved ? { ...counted, lastTransitionTime: now } : counted;
  }
  next = assess(pass, { template, status: next, wanted });
  announce(pass, before?.status, next);
  return { status: next, wakeMs: earliest(wakeMs, deadlineWakeMs(pass, next, wanted)) };
}

function emptyStatus(name: string): TemplateStatus {
  return { name, replicas: 0, updatedReplicas: 0, readyReplicas: 0, availableReplicas: 0 };
}

function wantedReplicas(
  pass: ExperimentPass,
  template: ExperimentTemplate,
  before: TemplateStatus | undefined,
): number {
  const isOver = isCompleted(pass.experiment.status.phase) || pass.isTerminating || isTemplateDone(before?.status);
  return isOver ? 0 : (template.replicas ?? 1);
}

function findReplicaSet({ context, object }: ExperimentPass, template: ExperimentTemplate): KubeObject | undefined {
  return context.store
    .list("replicasets", object.metadata.namespace)
    .find(
      (set) =>
        isOwnedBy(set, object.metadata.uid) && set.metadata.annotations?.[TEMPLATE_NAME_ANNOTATION] === template.name,
    );
}

function createReplicaSet({ context, object }: ExperimentPass, template: ExperimentTemplate): void {
  const { name, namespace } = object.metadata;
  const hash = computePodTemplateHash(template.template);
  const labels = { ...template.template.metadata?.labels, [HASH_LABEL]: hash };
  const set = {
    apiVersion: "apps/v1",
    kind: "ReplicaSet",
    metadata: {
      name: `${name}-${template.name}`,
      namespace,
      labels,
      annotations: { [EXPERIMENT_NAME_ANNOTATION]: name, [TEMPLATE_NAME_ANNOTATION]: template.name },
      ownerReferences: [experimentReference(object)],
    },
    spec: {
      replicas: 0,
      selector: { matchLabels: { ...template.selector?.matchLabels, [HASH_LABEL]: hash } },
      template: { ...template.template, metadata: { ...template.template.metadata, labels } },
    },
  };
  if (context.store.get("replicasets", namespace, set.metadata.name) === undefined) {
    context.store.create("replicasets", set, { manager: ROLLOUTS_MANAGER });
  }
}

/** Scales up at once, and down after a delay that is kept in the ReplicaSet's annotation. */
function scaleTemplate(
  { context, object, experiment }: ExperimentPass,
  target: { set: KubeObject; template: ExperimentTemplate; wanted: number },
): { isChanging: boolean; wakeMs?: number } {
  const { store, events, nowMs, speed } = context;
  const { set, template, wanted } = target;
  const annotations = { ...set.metadata.annotations };
  const current = viewReplicaSet(set).spec.replicas;
  let replicas = wanted;
  let endMs: number | undefined;
  if (wanted === 0) {
    const delaySeconds = experiment.spec.scaleDownDelaySeconds ?? DEFAULT_SCALE_DOWN_DELAY_SECONDS;
    const delayedMs = delaySeconds > 0 ? nowMs + (delaySeconds * 1000) / speed : undefined;
    endMs = parseTime(annotations[SCALE_DOWN_DEADLINE_ANNOTATION]) ?? delayedMs;
    if (endMs !== undefined) {
      annotations[SCALE_DOWN_DEADLINE_ANNOTATION] ??= formatTime(endMs);
      replicas = endMs > nowMs && current > 0 ? (template.replicas ?? 1) : 0;
    }
  }
  const metadata = { ...set.metadata, annotations };
  store.update("replicasets", { ...set, metadata, spec: { ...set.spec, replicas } }, { manager: ROLLOUTS_MANAGER });
  if (replicas !== current) {
    const direction = replicas > current ? "up" : "down";
    const message = `Scaled ${direction} ReplicaSet ${set.metadata.name} from ${current} to ${replicas}`;
    events.emit(object, { reason: "ScalingReplicaSet", message });
  }
  const isWaiting = endMs !== undefined && replicas > 0;
  return { isChanging: current !== wanted, ...(isWaiting ? { wakeMs: Math.max((endMs ?? 0) - nowMs, 0) + 1 } : {}) };
}

function assess(
  pass: ExperimentPass,
  input: { template: ExperimentTemplate; status: TemplateStatus; wanted: number },
): TemplateStatus {
  const { template, status, wanted } = input;
  if (isTemplateDone(status.status)) {
    return status;
  }
  if (wanted === status.availableReplicas) {
    return { ...status, status: pass.hasPassed || pass.isTerminating ? "Successful" : "Running" };
  }
  const fromMs = parseTime(status.lastTransitionTime) ?? pass.context.nowMs;
  const deadlineSeconds = pass.experiment.spec.progressDeadlineSeconds ?? DEFAULT_PROGRESS_DEADLINE_SECONDS;
  if (pass.context.nowMs > fromMs + deadlineSeconds * 1000) {
    const message = `Template '${template.name}' exceeded its progressDeadlineSeconds (${deadlineSeconds})`;
    return { ...status, status: "Failed", message };
  }
  return { ...status, status: pass.isTerminating ? "Successful" : "Progressing" };
}

function announce({ context, object }: ExperimentPass, before: TemplateState | undefined, next: TemplateStatus): void {
  const { name, status, message } = next;
  if (status === before || status === undefined) {
    return;
  }
  const words = `Template '${name}' transitioned from ${before ?? ""} -> ${status}`;
  context.events.emit(object, {
    reason: `Template${status}`,
    message: message === undefined ? words : `${words}: ${message}`,
    isWarning: status === "Failed" || status === "Error",
  });
}

/** Returns when the deadline passes: nothing else wakes an Experiment whose pods never appear. */
function deadlineWakeMs({ context, experiment }: ExperimentPass, next: TemplateStatus, wanted: number) {
  const isOpen = next.status === "Progressing" || next.status === "Running";
  const fromMs = parseTime(next.lastTransitionTime);
  if (!isOpen || fromMs === undefined || next.availableReplicas === wanted) {
    return undefined;
  }
  const deadlineSeconds = experiment.spec.progressDeadlineSeconds ?? DEFAULT_PROGRESS_DEADLINE_SECONDS;
  return Math.max(fromMs + deadlineSeconds * 1000 - context.nowMs, 0) + 1;
}

type Port = { containerPort: number; protocol?: string; name?: string };

/**
 * Syncs the Service of a template that asks for one: it exists while the template runs and goes with its last pod
 * (experiments/experiment.go createTemplateService of argo-rollouts at 9f8d111).
 */
function syncTemplateService(
  { context, object }: ExperimentPass,
  input: { template: ExperimentTemplate; set: ReplicaSet; wanted: number; status: TemplateStatus },
): TemplateStatus {
  const { store } = context;
  const { template, set, wanted, status } = input;
  const { namespace } = object.metadata;
  const { serviceName: _name, podTemplateHash: _hash, ...withoutService } = status;
  const name = template.service?.name ?? set.metadata.name;
  const existing = template.service === undefined ? undefined : store.get("services", namespace, name);
  if (template.service === undefined) {
    return withoutService;
  }
  if (wanted === 0) {
    if (set.status.availableReplicas > 0) {
      return status;
    }
    if (existing !== undefined && isOwnedBy(existing, object.metadata.uid)) {
      store.delete("services", namespace, name);
    }
    return withoutService;
  }
  const ports = set.spec.template.spec.containers
    .flatMap((container) => (container.ports ?? []) as Port[])
    .map(({ containerPort, protocol = "TCP", name }) => ({
      ...(name === undefined ? {} : { name }),
      port: containerPort,
      targetPort: containerPort,
      protocol,
    }));
  if (existing === undefined && ports.length > 0) {
    const metadata = { name, namespace, ownerReferences: [experimentReference(object)] };
    const service = { apiVersion: "v1", kind: "Service", metadata, spec: { selector: set.metadata.labels, ports } };
    store.create("services", service, { manager: ROLLOUTS_MANAGER });
  }
  return ports.length === 0 ? status : { ...status, serviceName: name, podTemplateHash: hashOf(set) };
}
