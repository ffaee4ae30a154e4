import type { ExperimentPass, ExperimentTemplate, TemplateStatus } from "./experiment-types.ts";
import { experimentReference } from "./experiment-types.ts";
import { ROLLOUTS_MANAGER } from "./reconcile-context.ts";
import type { ReplicaSet } from "./rollout-types.ts";
import { hashOf, isOwnedBy } from "./rollout-types.ts";

type Port = { containerPort: number; protocol?: string; name?: string };

/**
 * Syncs the Service of a template that asks for one: it exists while the template runs and goes with its last pod
 * (experiments/experiment.go createTemplateService of argo-rollouts at 9f8d111).
 */
export function syncTemplateService(
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
