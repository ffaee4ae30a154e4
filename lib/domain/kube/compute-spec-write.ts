/** Who wrote an object's spec, and when, by the cluster's clock, in whole seconds. */
export type SpecWrite = { writer: string; at: string };

/**
 * Returns the newest write of spec that `managedFields` record. Writes of labels or status do not count. Returns
 * undefined if none is recorded, or if two managers wrote within the same second.
 */
export function computeSpecWrite(managedFields: unknown): SpecWrite | undefined {
  if (!Array.isArray(managedFields)) return undefined;
  const writes = managedFields.flatMap((entry: unknown) => readWrite(entry) ?? []);
  const at = writes
    .map((write) => write.at)
    .toSorted()
    .at(-1);
  const newest = writes.filter((write) => write.at === at);
  return new Set(newest.map((write) => write.writer)).size === 1 ? newest[0] : undefined;
}

function readWrite(entry: unknown): SpecWrite | undefined {
  if (entry === null || typeof entry !== "object") return undefined;
  const { manager, time, subresource, fieldsV1 } = entry as Partial<Record<string, unknown>>;
  if (typeof manager !== "string" || typeof time !== "string" || Number.isNaN(Date.parse(time))) return undefined;
  if (subresource !== undefined && subresource !== "") return undefined;
  const hasSpec = fieldsV1 !== null && typeof fieldsV1 === "object" && "f:spec" in fieldsV1;
  return hasSpec ? { writer: manager, at: time } : undefined;
}
