import { isRecord } from "#lib/util/json.ts";

const maxFields = 30;
const maxDepth = 2;
const fieldName = /^[A-Za-z][A-Za-z0-9]{0,60}$/;

/**
 * Lists the fields that a patch names, such as `status.abort`: two levels deep, without any value. A JSON patch (a
 * list of operations) and a merge or apply patch are told apart by their shape. Undefined if the patch is neither, or
 * names too many fields to list.
 */
export function listWrittenFields(patch: unknown): string[] | undefined {
  const paths = Array.isArray(patch) ? listOperations(patch) : isRecord(patch) ? listMembers(patch, []) : undefined;
  if (paths === undefined) return undefined;
  const fields = [...new Set(paths)];
  return fields.length > maxFields ? undefined : fields;
}

function listOperations(operations: readonly unknown[]): string[] | undefined {
  const paths: string[] = [];
  for (const operation of operations) {
    if (!isRecord(operation) || typeof operation.path !== "string") return undefined;
    if (operation.op === "test") continue;
    const names = operation.path.split("/").slice(1, 1 + maxDepth);
    // The whole object: it may change anything.
    if (names.length === 0) return undefined;
    paths.push(names.slice(0, knownDepth(names)).join("."));
  }
  return paths.includes("") ? undefined : paths;
}

function listMembers(value: Record<string, unknown>, above: readonly string[]): string[] {
  return Object.entries(value).flatMap(([name, member]) => {
    if (!fieldName.test(name)) return above.length === 0 ? [] : [above.join(".")];
    const path = [...above, name];
    // A patch says its type; that changes nothing.
    if (above.length === 0 && (name === "kind" || name === "apiVersion")) return [];
    const isOpen = isRecord(member) && path.length < maxDepth && Object.keys(member).length > 0;
    return isOpen ? listMembers(member, path) : [path.join(".")];
  });
}

/** How many of the names are plain: a name that is a key of a map may be anything, and is left out. */
function knownDepth(names: readonly string[]): number {
  const first = names.findIndex((name) => !fieldName.test(name));
  return first === -1 ? names.length : first;
}

/** Returns whether a write of these fields may have changed one of the others. */
export function mayHaveWritten(fields: readonly string[], changed: readonly string[]): boolean {
  return fields.some((field) => changed.some((path) => isWithin(field, path) || isWithin(path, field)));
}

function isWithin(path: string, above: string): boolean {
  return path === above || path.startsWith(`${above}.`);
}
