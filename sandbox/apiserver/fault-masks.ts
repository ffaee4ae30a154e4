import type { ApiContext } from "./api-context.ts";
import { DEFAULT_SKEW_SECONDS, type FaultTarget, wayOf } from "./faults.ts";
import type { KubeObject } from "./store-types.ts";

/** Replaces the cluster's identity while the wrong-cluster fault is on. */
const FOREIGN_UID = "f0e1d2c3-0000-4000-8000-00000000beef";

/** Returns by how many milliseconds the server's clock is ahead for a request or an object. */
export function skewOf(faults: ApiContext["faults"], target: FaultTarget): number {
  const active = faults.find("skew", target);
  return active === undefined ? 0 : (active.offsetSeconds ?? DEFAULT_SKEW_SECONDS) * 1000;
}

/** Returns the object to show while the cluster pretends to be another one. */
export function maskObject(context: ApiContext, object: KubeObject): KubeObject {
  if (context.faults.isQuiet) return object;
  const active = context.faults.list().find(({ fault }) => fault === "wrong-cluster");
  if (active === undefined) return object;
  const way = wayOf(active);
  const { metadata } = object;
  if (way === "backwards") {
    return {
      ...object,
      metadata: { ...metadata, resourceVersion: String(backwards(Number(metadata.resourceVersion))) },
    };
  }
  const isIdentity = object.kind === "Namespace" && metadata.name === "kube-system";
  if (isIdentity) return { ...object, metadata: { ...metadata, uid: FOREIGN_UID } };
  if (way !== "objects") return object;
  return { ...object, metadata: { ...metadata, uid: `f0e1d2c3${metadata.uid.slice(8)}` } };
}

/** Returns the resourceVersion to show for a list of `rv`. */
export function maskVersion(context: ApiContext, rv: number): number {
  return context.faults.has("wrong-cluster", {}, "backwards") ? backwards(rv) : rv;
}

function backwards(rv: number): number {
  return Math.floor(rv / 2);
}
