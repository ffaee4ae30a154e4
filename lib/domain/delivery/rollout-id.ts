import { sha256Hex } from "#lib/util/sha256.ts";
import { makeUuid5 } from "#lib/util/uuid5.ts";

/** Namespace of our UUIDv5 names, fixed for ever: stored rows depend on it. */
const namespace = Buffer.from("6f1d6c1e52d84cf5a2b90c7d1b0e4a37", "hex");

export type RolloutKey = { cluster: string; namespace: string; kind: string; name: string; uid: string };

/**
 * Returns the rollout_id: the UUIDv5 of cluster, namespace, kind, name and uid. A recreated object is another rollout.
 */
export function rolloutIdOf(key: RolloutKey): string {
  return makeUuid5({ namespace, name: [key.cluster, key.namespace, key.kind, key.name, key.uid].join("\n") });
}

/** Returns the same UUID (version 8) for the same parts, so that rederived rows keep their ids. */
export function stableUuid(...parts: readonly (string | number)[]): string {
  const hex = sha256Hex(JSON.stringify(parts));
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
