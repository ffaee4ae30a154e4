import { fnv1a } from "#lib/util/fnv1a.ts";

/** What we keep of a managedFields entry: its field tree is larger than the object itself. */
export type FieldsMark = { manager: string; time: string; subresource: string; length: number; hash: number };

/**
 * Finds the field manager whose write turned `previous` into `current`. Among the managedFields entries that changed,
 * it takes the newest; within one second, the one whose fields grew most. Returns undefined if the result is in doubt
 * or no entry is recorded. Both arguments are marks from `markManagedFields`.
 */
export function computeWriter({
  current,
  previous,
}: {
  current: readonly FieldsMark[];
  previous: readonly FieldsMark[] | undefined;
}): string | undefined {
  const before = new Map((previous ?? []).map((entry) => [identityOf(entry), entry]));
  const changed = current.filter((entry) => {
    const old = before.get(identityOf(entry));
    return old === undefined || old.time !== entry.time || old.length !== entry.length || old.hash !== entry.hash;
  });
  const grownBy = (entry: FieldsMark): number => entry.length - (before.get(identityOf(entry))?.length ?? 0);
  const [newest] = changed.toSorted((one, other) =>
    one.time === other.time ? grownBy(other) - grownBy(one) : one.time < other.time ? 1 : -1,
  );
  return newest === undefined ? soleNewest(current) : newest.manager;
}

/**
 * Returns the only manager with the newest entry: a write of the same fields in the same second leaves no other trace.
 */
function soleNewest(entries: readonly FieldsMark[]): string | undefined {
  const time = entries
    .map((entry) => entry.time)
    .toSorted()
    .at(-1);
  const managers = new Set(entries.filter((entry) => entry.time === time).map((entry) => entry.manager));
  return managers.size === 1 ? [...managers][0] : undefined;
}

function identityOf(entry: FieldsMark): string {
  return `${entry.manager}\n${entry.subresource}`;
}

/** Makes marks from `metadata.managedFields` as the cluster returned it; unreadable entries are left out. */
export function markManagedFields(list: unknown): FieldsMark[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((item: unknown) => {
    if (item === null || typeof item !== "object" || !("manager" in item) || typeof item.manager !== "string")
      return [];
    const fields = "fieldsV1" in item ? JSON.stringify(item.fieldsV1) : "";
    return [
      {
        manager: item.manager,
        time: "time" in item && typeof item.time === "string" ? item.time : "",
        subresource: "subresource" in item && typeof item.subresource === "string" ? item.subresource : "",
        length: fields.length,
        // Tells two trees of one manager apart. Only the name of a writer depends on it.
        hash: fnv1a(fields),
      },
    ];
  });
}

/** Who wrote an object's spec, and when, by the cluster's clock, in whole seconds. */
type SpecWrite = { writer: string; at: string };

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
