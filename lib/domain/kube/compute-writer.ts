/** What has to be remembered of an entry of managedFields, whose field trees are larger than the object itself. */
export type FieldsMark = { manager: string; time: string; subresource: string; length: number; hash: number };

/**
 * The field manager whose write made `current` out of `previous`: of the entries of managedFields that changed, the one
 * with the newest time, and within a second the one whose fields grew. Undefined where that
 * leaves a doubt, or none is kept. Both are marks of `markManagedFields`.
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

/** A write of the same fields within the same second leaves no trace but this: its entry is as new as any. */
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

/** `metadata.managedFields` as the cluster gave it; what cannot be read of it is left out. */
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
        hash: hashOf(fields),
      },
    ];
  });
}

/** Tells two field trees of one manager apart (FNV-1a); nothing rests on it but the name of a writer. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}
