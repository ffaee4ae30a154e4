import { isRecord } from "#lib/util/is-record.ts";

/**
 * A field manager that holds a field. `at`: its newest write of any field, by the cluster's clock, in whole seconds.
 */
export type FieldHolder = { manager: string; at: string | null };

/**
 * Returns the managers that hold a field of an object, by its `managedFields`. A field belongs to the manager that set
 * its current value, or to two if both applied the same value. Empty if unknown. An empty path asks for all managers.
 */
export function findFieldHolders(managedFields: unknown, path: readonly string[]): FieldHolder[] {
  if (!Array.isArray(managedFields)) return [];
  return managedFields.flatMap((entry: unknown) => {
    if (!isRecord(entry) || typeof entry.manager !== "string" || entry.manager === "") return [];
    if (!hasPath(entry.fieldsV1, path)) return [];
    const isTime = typeof entry.time === "string" && !Number.isNaN(Date.parse(entry.time));
    return [{ manager: entry.manager, at: isTime ? (entry.time as string) : null }];
  });
}

function hasPath(fields: unknown, path: readonly string[]): boolean {
  let tree = fields;
  for (const name of path) {
    if (!isRecord(tree)) return false;
    tree = tree[`f:${name}`];
  }
  return path.length === 0 || tree !== undefined;
}
