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

/** Percent of the traffic that each gets; mirrored traffic goes to both, and only the primary answers. */
export type Routes = { primary: number; canary: number; isMirrored: boolean };

export type TrafficRouter = {
  /** Creates what routes, if it is missing. */
  reconcile(): void;
  read(): Routes;
  set(routes: Routes): void;
};

export const ALL_TO_PRIMARY: Routes = { primary: 100, canary: 0, isMirrored: false };
export const ALL_TO_CANARY: Routes = { primary: 0, canary: 100, isMirrored: false };
