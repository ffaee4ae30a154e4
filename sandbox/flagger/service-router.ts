import { isSame } from "#lib/util/diff-merge.ts";
import { type Canary, serviceNamesOf } from "./canary-types.ts";
import type { FlaggerContext } from "./flagger-context.ts";
import { FLAGGER_MANAGER } from "./flagger-context.ts";
import { ownedByCanary, withFluxDisabled } from "./owned-objects.ts";
import { readTarget, selectorLabelOf } from "./target-workload.ts";

/** Makes the Services of canary and primary (pkg/router/kubernetes_default.go Initialize of flagger 1.44.0). */
export function reconcileServices(context: FlaggerContext, canary: Canary): void {
  const { label, value } = selectorLabelOf(readTarget(context, canary));
  const names = serviceNamesOf(canary);
  reconcileService(context, canary, { name: names.canary, label, value });
  reconcileService(context, canary, { name: names.primary, label, value: `${value}-primary` });
}

/** Makes the main Service select the primary (kubernetes_default.go Reconcile). */
export function reconcileApexService(context: FlaggerContext, canary: Canary): void {
  const { label, value } = selectorLabelOf(readTarget(context, canary));
  reconcileService(context, canary, { name: serviceNamesOf(canary).apex, label, value: `${value}-primary` });
}

function reconcileService(
  { store }: FlaggerContext,
  canary: Canary,
  { name, label, value }: { name: string; label: string; value: string },
): void {
  const { namespace } = canary.metadata;
  const { port, portName = "http", targetPort = port } = canary.spec.service;
  const selector = { [label]: value };
  const ports = [{ name: portName, protocol: "TCP", port, targetPort }];
  const existing = store.get("services", namespace, name);
  if (existing === undefined) {
    store.create(
      "services",
      {
        apiVersion: "v1",
        kind: "Service",
        metadata: {
          name,
          namespace,
          labels: { [label]: name },
          annotations: withFluxDisabled(undefined),
          ownerReferences: [ownedByCanary(canary)],
        },
        spec: { type: "ClusterIP", selector, ports },
      },
      { manager: FLAGGER_MANAGER },
    );
  } else if (!isSame(existing.spec?.selector, selector) || !isSame(existing.spec?.ports, ports)) {
    const spec = { ...existing.spec, selector, ports };
    store.update("services", { ...existing, spec }, { manager: FLAGGER_MANAGER });
  }
}
