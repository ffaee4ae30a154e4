import type { Store } from "./store-types.ts";

export const FROZEN_ANNOTATION = "sandbox.gatehouse/frozen";

/** Returns whether controllers must leave a namespace alone, because its objects were loaded unchanged. */
export function isFrozenNamespace(store: Pick<Store, "get">, namespace: string | undefined): boolean {
  if (namespace === undefined) return false;
  const object = store.get("namespaces", undefined, namespace);
  return object?.metadata.annotations?.[FROZEN_ANNOTATION] === "true";
}
