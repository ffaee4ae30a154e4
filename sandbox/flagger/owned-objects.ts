import type { OwnerReference } from "#sandbox/apiserver/store-types.ts";
import type { Canary } from "./canary-types.ts";

export function ownedByCanary({ metadata }: Canary): OwnerReference {
  return {
    apiVersion: "flagger.app/v1beta1",
    kind: "Canary",
    name: metadata.name,
    uid: metadata.uid,
    controller: true,
    blockOwnerDeletion: true,
  };
}

/** Annotations of Flux; Flagger never copies them. */
const FLUX_MARK = "toolkit.fluxcd.io";

/** Returns labels or annotations without those of Flux. */
export function withoutFlux(values: Record<string, string> | undefined): Record<string, string> {
  return Object.fromEntries(Object.entries(values ?? {}).filter(([key]) => !key.includes(FLUX_MARK)));
}

/** Returns the annotations that keep Flux from changing an object that Flagger manages. */
export function withFluxDisabled(annotations: Record<string, string> | undefined): Record<string, string> {
  return {
    ...annotations,
    [`kustomize.${FLUX_MARK}/reconcile`]: "disabled",
    [`helm.${FLUX_MARK}/driftDetection`]: "disabled",
  };
}
