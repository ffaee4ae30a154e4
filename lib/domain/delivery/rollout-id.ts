import { createHash } from "node:crypto";

/** Namespace of our UUIDv5 names, fixed for ever: stored rows depend on it. */
const namespaceBytes = Buffer.from("6f1d6c1e52d84cf5a2b90c7d1b0e4a37", "hex");

export type RolloutKey = { cluster: string; namespace: string; kind: string; name: string; uid: string };

/** rollout_id: the UUIDv5 of cluster, namespace, kind, name and uid. A re-created object is another rollout. */
export function rolloutIdOf({ cluster, namespace, kind, name, uid }: RolloutKey): string {
  const text = [cluster, namespace, kind, name, uid].join("\n");
  const hash = createHash("sha1").update(namespaceBytes).update(text, "utf8").digest().subarray(0, 16);
  hash.writeUInt8((hash.readUInt8(6) & 0x0f) | 0x50, 6);
  hash.writeUInt8((hash.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = hash.toString("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
